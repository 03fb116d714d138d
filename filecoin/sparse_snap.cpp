#include "filecoin/sparse_snap.hpp"

#include "filecoin/repeating_tree.hpp"
#include "filecoin/snap.hpp"

namespace cuzk::filecoin {
namespace {

/// Eight different leaves: every sibling in the lowest row of a path is another.
constexpr unsigned lg_period = 3;

fr scalar(const digest& d) {
  return to_fr(d).value_or(fr::zero()); // free values are trimmed, hashes of trees reduced
}

/// The update as far as it exists.
struct sparse_update {
  const sector_shape& shape;
  digest comm_c;
  repeating_tree tree_r_old;
  repeating_tree tree_d_new;
  repeating_tree tree_r_new;

  digest comm_r_old() const { return comm_r_of(comm_c, tree_r_old.root()); }
  digest comm_r_new() const { return comm_r_of(comm_c, tree_r_new.root()); }
};

snap_partition open_partition(const sparse_update& update, unsigned k) {
  const auto& snap = update.shape.snap;
  const unsigned height = update.shape.lg_nodes - snap.lg_partitions - lg_arity(snap.apex_leaves);
  snap_partition out;
  out.index = k;
  out.comm_r_old = update.comm_r_old();
  out.comm_d_new = update.tree_d_new.root();
  out.comm_r_new = update.comm_r_new();
  out.comm_c = update.comm_c;
  for (unsigned i = 0; i < snap.apex_leaves; ++i)
    out.apex_leaves.push_back(update.tree_d_new.node(height, std::uint64_t(k) * snap.apex_leaves + i));
  for (const auto node : snap_challenges(scalar(out.comm_r_new), k, update.shape))
    out.challenges.push_back(
      {update.tree_r_old.open(node), update.tree_d_new.open(node), update.tree_r_new.open(node)});
  return out;
}

} // namespace

std::vector<snap_partition> make_sparse_snap(sector_size size, const filler& free, thread_pool& pool) {
  const auto& shape = shape_of(size);
  const auto old_node = [&](std::uint64_t, std::uint64_t i) { return free.at("old replica", i); };
  const auto data_node = [&](std::uint64_t, std::uint64_t i) { return free.at("new data", i); };
  const digest comm_c = free.at("comm_c");
  repeating_tree tree_r_old(shape.tree, {0, lg_period}, old_node, pool);
  repeating_tree tree_d_new(shape.tree_d, {0, lg_period}, data_node, pool);
  // rho depends on the top h bits of the node: one value a block.
  const fr phi = snap_phi(scalar(tree_d_new.root()), scalar(comm_r_of(comm_c, tree_r_old.root())));
  const unsigned lg_block = shape.lg_nodes - shape.snap.h;
  const auto new_node = [&](std::uint64_t block, std::uint64_t i) {
    const fr rho = snap_rho(phi, block << lg_block, shape);
    return to_digest(scalar(old_node(block, i)) + scalar(data_node(block, i)) * rho);
  };
  repeating_tree tree_r_new(shape.tree, {shape.snap.h, lg_period}, new_node, pool);
  const sparse_update update{shape, comm_c, std::move(tree_r_old), std::move(tree_d_new), std::move(tree_r_new)};
  std::vector<snap_partition> out;
  for (unsigned k = 0; k < shape.snap.partitions; ++k)
    out.push_back(open_partition(update, k));
  return out;
}

} // namespace cuzk::filecoin
