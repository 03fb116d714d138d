#include "filecoin/sparse_porep.hpp"

#include "filecoin/graph.hpp"
#include "filecoin/label.hpp"
#include "filecoin/prove_vanilla.hpp"
#include "filecoin/sparse_tree.hpp"
#include "math/hash/poseidon.hpp"
#include "runtime/base/thread_pool.hpp"

#include <algorithm>
#include <map>

namespace cuzk::filecoin {
namespace {

using node_parents = std::array<std::uint32_t, parent_count>;
using column = std::vector<digest>; ///< labels of a node, layer 1 first

/// What is opened: challenged nodes with their parents, and a column for each of both.
struct opened_nodes {
  std::map<std::uint64_t, node_parents> challenged; ///< by node
  std::map<std::uint64_t, column> columns;
};

opened_nodes choose_nodes(const sealing_order& order, const std::vector<std::vector<std::uint64_t>>& challenges) {
  const sdr_graph graph(shape_of(order.size).nodes(), order.who.porep_id, order.api);
  opened_nodes out;
  for (const auto& partition : challenges)
    for (const auto node : partition) {
      const auto parents = graph.parents(static_cast<std::uint32_t>(node));
      out.challenged.emplace(node, parents);
      out.columns[node];
      for (const auto parent : parents)
        out.columns[parent];
    }
  return out;
}

/// Labels of a node that nobody challenges are free; those of a challenged node follow from its parents' labels, which
/// are of lower nodes in the same layer or of the layer below. So layer by layer, nodes ascending, each is ready.
void fill_columns(opened_nodes& opened, const digest& replica_id, unsigned layers, const filler& free) {
  for (auto& [node, labels] : opened.columns)
    for (unsigned layer = 1; layer <= layers; ++layer)
      labels.push_back(free.at("label", layer, node));
  std::array<digest, label_parents> from;
  for (unsigned layer = 1; layer <= layers; ++layer)
    for (const auto& [node, parents] : opened.challenged) {
      repeat_parents(from, layer == 1 ? drg_degree : parent_count, [&, p = &parents](std::size_t i) {
        return opened.columns.at((*p)[i])[i < drg_degree ? layer - 1 : layer - 2];
      });
      opened.columns.at(node)[layer - 1] = label_of(replica_id, layer, node, from);
    }
}

digest column_hash(const column& labels) {
  std::vector<fr> in;
  for (const auto& label : labels)
    in.push_back(to_fr(label).value_or(fr::zero())); // labels are trimmed: below the modulus
  return to_digest(poseidon_hash(in));
}

sparse_tree make_tree_c(const opened_nodes& opened, const tree_shape& shape, const filler& free, thread_pool& pool) {
  std::vector<placed_node> leaves;
  std::vector<const column*> columns;
  for (const auto& [node, labels] : opened.columns) {
    leaves.push_back({node, {}});
    columns.push_back(&labels);
  }
  pool.parallel_for(leaves.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      leaves[i].value = column_hash(*columns[i]);
  });
  return {shape, std::move(leaves), [free](unsigned level, std::uint64_t i) { return free.at("tree c", level, i); },
          pool};
}

/// Replica nodes are the last labels: the data is zero.
sparse_tree make_tree_r(const opened_nodes& opened, const tree_shape& shape, const filler& free, thread_pool& pool) {
  std::vector<placed_node> leaves;
  for (const auto& [node, parents] : opened.challenged)
    leaves.push_back({node, opened.columns.at(node).back()});
  return {shape, std::move(leaves), [free](unsigned level, std::uint64_t i) { return free.at("tree r", level, i); },
          pool};
}

/// The sector as far as it exists.
struct sparse_sector {
  opened_nodes opened;
  std::vector<digest> zeros; ///< nodes of tree D by level
  sparse_tree tree_c;
  sparse_tree tree_r;
};

column_proof open_column(const sparse_sector& sector, std::uint64_t node) {
  return {sector.opened.columns.at(node), sector.tree_c.open(node)};
}

porep_challenge open_challenge(const sparse_sector& sector, const sector_shape& shape, std::uint64_t node) {
  porep_challenge out;
  out.challenge = node;
  out.tree_d = open_path(shape.tree_d, node, [&](unsigned level, std::uint64_t) { return sector.zeros[level]; });
  out.tree_r = sector.tree_r.open(node);
  out.column = open_column(sector, node);
  for (unsigned i = 0; i < parent_count; ++i)
    out.parents[i] = open_column(sector, sector.opened.challenged.at(node)[i]);
  fill_labeling(out, shape.porep.layers);
  return out;
}

} // namespace

c1_output make_sparse_c1(const sealing_order& order, const digest& seed, const filler& free, thread_pool& pool) {
  const auto& shape = shape_of(order.size);
  auto zeros = zero_nodes(shape.tree_d);
  c1_output out;
  out.proof = registered_proof{proof_kind::porep, order.size, order.api, porep_feature::interactive, std::nullopt};
  out.size = order.size;
  out.comm_d = zeros.back();
  out.replica_id = replica_id_of(order.who, order.ticket, out.comm_d);
  out.seed = seed;
  out.ticket = order.ticket;
  std::vector<std::vector<std::uint64_t>> challenges;
  for (unsigned k = 0; k < shape.porep.partitions; ++k)
    challenges.push_back(porep_challenges({porep_feature::interactive, out.replica_id, {}, seed}, shape.nodes(),
                                          shape.porep.challenges, k));
  auto opened = choose_nodes(order, challenges);
  fill_columns(opened, out.replica_id, shape.porep.layers, free);
  auto tree_c = make_tree_c(opened, shape.tree, free, pool);
  auto tree_r = make_tree_r(opened, shape.tree, free, pool);
  out.comm_r = comm_r_of(tree_c.root(), tree_r.root());
  const sparse_sector sector{std::move(opened), std::move(zeros), std::move(tree_c), std::move(tree_r)};
  for (const auto& partition : challenges) {
    out.partitions.emplace_back();
    for (const auto node : partition)
      out.partitions.back().push_back(open_challenge(sector, shape, node));
  }
  return out;
}

} // namespace cuzk::filecoin
