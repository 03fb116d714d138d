// Vanilla checks of an update partition.
#include "filecoin/check.hpp"
#include "filecoin/merkle_check.hpp"
#include "filecoin/snap.hpp"
#include "math/hash/sha256.hpp"

namespace cuzk::filecoin {
namespace {

status same_digest(const std::string& where, const digest& found, const digest& expected) {
  if (found == expected)
    return ok();
  return bad_input(where, to_hex(found) + "; expected " + to_hex(expected));
}

/// comm_r = H(comm_c, root_r), for old and new with the same comm_c.
status check_commitments(const snap_partition& p) {
  CUZK_TRY(comm_c, scalar_of(p.comm_c, "comm_c"));
  CUZK_TRY(root_old, scalar_of(p.root_r_old(), "/challenge_proofs/0/proof_r_old, root"));
  CUZK_TRY(root_new, scalar_of(p.root_r_new(), "/challenge_proofs/0/proof_r_new, root"));
  CUZK_CHECK(same_digest("comm_r_old, against H(comm_c, root_r_old)", p.comm_r_old, poseidon_digest(comm_c, root_old)));
  return same_digest("comm_r_new, against H(comm_c, root_r_new)", p.comm_r_new, poseidon_digest(comm_c, root_new));
}

/// The apex leaves lead to comm_d_new along the partition's path, which every challenge's path to tree D ends with.
status check_apex(const snap_partition& p, const sector_shape& shape) {
  for (const auto& leaf : p.apex_leaves)
    if (auto x = scalar_of(leaf, "/apex_leafs"); !x)
      return std::move(x).err();
  digest node = sha256_root(p.apex_leaves);
  const auto& path = p.challenges.front().tree_d_new;
  for (unsigned i = 0; i < shape.snap.lg_partitions; ++i) {
    const auto& sibling = path.siblings[shape.lg_nodes - shape.snap.lg_partitions + i];
    node = p.index >> i & 1 ? sha256_node(sibling, node) : sha256_node(node, sibling);
  }
  return same_digest("/apex_leafs, root (comm_d_new)", node, p.comm_d_new);
}

status check_paths(const snap_partition& p, const snap_challenge& c, std::uint64_t node, const sector_shape& shape) {
  struct part {
    const char* name;
    const merkle_proof& proof;
    const tree_shape& tree;
    const digest& root;
  };
  const part parts[] = {{"proof_r_old", c.tree_r_old, shape.tree, p.root_r_old()},
                        {"proof_d_new", c.tree_d_new, shape.tree_d, p.comm_d_new},
                        {"proof_r_new", c.tree_r_new, shape.tree, p.root_r_new()}};
  for (const auto& part : parts) {
    const std::string name = std::string("/") + part.name;
    if (part.proof.index != node)
      return bad_input(name + ", path index",
                       std::to_string(part.proof.index) + "; the challenge is " + std::to_string(node));
    CUZK_CHECK(same_digest(name + ", root", part.proof.root, part.root));
    auto done =
      part.tree.base_arity == 2 ? check_sha256_path(part.proof, part.tree) : check_poseidon_path(part.proof, part.tree);
    if (!done) {
      done.err().where = name + ", " + done.err().where;
      return done;
    }
  }
  return ok();
}

status check_challenge(const snap_partition& p, std::size_t i, const sector_shape& shape) {
  const auto& c = p.challenges[i];
  CUZK_TRY(comm_r_new, scalar_of(p.comm_r_new, "comm_r_new"));
  CUZK_TRY(comm_d_new, scalar_of(p.comm_d_new, "comm_d_new"));
  CUZK_TRY(comm_r_old, scalar_of(p.comm_r_old, "comm_r_old"));
  const std::uint64_t node = snap_challenges(comm_r_new, p.index, shape)[i];
  CUZK_CHECK(check_paths(p, c, node, shape));
  CUZK_TRY(old_leaf, scalar_of(c.tree_r_old.leaf, "/proof_r_old, leaf"));
  CUZK_TRY(data, scalar_of(c.tree_d_new.leaf, "/proof_d_new, leaf"));
  const fr rho = snap_rho(snap_phi(comm_d_new, comm_r_old), node, shape);
  CUZK_CHECK(same_digest("/proof_r_new, leaf (old + data * rho)", c.tree_r_new.leaf, to_digest(old_leaf + data * rho)));
  // The apex leaf above the node: apex_leaves are counted within the partition.
  const unsigned lg_apex = lg_arity(shape.snap.apex_leaves);
  const unsigned height = shape.lg_nodes - shape.snap.lg_partitions - lg_apex;
  const std::size_t apex = node >> height & (shape.snap.apex_leaves - 1);
  return same_digest("apex leaf " + std::to_string(apex), p.apex_leaves[apex], sha256_path_node(c.tree_d_new, height));
}

} // namespace

std::size_t snap_units(const snap_partition& partition) {
  return partition.challenges.size();
}

status check_snap_head(const job_input& job, std::size_t k) {
  const auto& partition = std::get<snap_partition>(job.partitions[k]);
  CUZK_CHECK(check_commitments(partition));
  return check_apex(partition, shape_of(job.circuit.size));
}

status check_snap_unit(const job_input& job, std::size_t k, std::size_t unit) {
  auto done = check_challenge(std::get<snap_partition>(job.partitions[k]), unit, shape_of(job.circuit.size));
  if (!done)
    done.err().where =
      "/challenge_proofs/" + std::to_string(unit) + (done.err().where.starts_with('/') ? "" : ", ") + done.err().where;
  return done;
}

} // namespace cuzk::filecoin
