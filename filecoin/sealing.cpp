#include "filecoin/sealing.hpp"

#include "filecoin/graph.hpp"
#include "filecoin/label.hpp"
#include "filecoin/merkle_check.hpp"
#include "math/hash/poseidon.hpp"
#include "runtime/base/thread_pool.hpp"

#include <array>
#include <memory>

namespace cuzk::filecoin {
namespace {

using parent_table = std::vector<std::array<std::uint32_t, parent_count>>;
using labels = std::vector<digest>;

parent_table all_parents(const sdr_graph& graph, thread_pool& pool) {
  parent_table out(graph.nodes());
  pool.parallel_for(out.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v)
      out[v] = graph.parents(static_cast<std::uint32_t>(v));
  });
  return out;
}

/// Labels of one layer, in order: each needs those of lower nodes. `below` is empty for layer 1.
labels make_layer(const digest& replica_id, unsigned layer, const parent_table& parents, const labels& below) {
  labels out(parents.size());
  std::array<digest, label_parents> from;
  const std::size_t distinct = layer == 1 ? drg_degree : parent_count;
  out[0] = label_of(replica_id, layer, 0, {});
  for (std::size_t v = 1; v < out.size(); ++v) {
    repeat_parents(from, distinct,
                   [&](std::size_t i) { return i < drg_degree ? out[parents[v][i]] : below[parents[v][i]]; });
    out[v] = label_of(replica_id, layer, v, from);
  }
  return out;
}

fr scalar(const digest& d) {
  return to_fr(d).value_or(fr::zero()); // labels are trimmed, data is checked: all below the modulus
}

labels column_hashes(const std::vector<labels>& layers, thread_pool& pool) {
  labels out(layers.front().size());
  pool.parallel_for(out.size(), 64, [&](std::size_t begin, std::size_t end) {
    std::vector<fr> column(layers.size());
    for (std::size_t v = begin; v < end; ++v) {
      for (std::size_t l = 0; l < layers.size(); ++l)
        column[l] = scalar(layers[l][v]);
      out[v] = to_digest(poseidon_hash(column));
    }
  });
  return out;
}

labels encode(const labels& key, const labels& data) {
  labels out(key.size());
  for (std::size_t v = 0; v < out.size(); ++v)
    out[v] = to_digest(scalar(key[v]) + scalar(data[v]));
  return out;
}

status check_order(const sealing_order& order, const labels& data) {
  const auto& shape = shape_of(order.size);
  if (order.size > largest_sealed)
    return bad_input("sector size", std::string(to_string(order.size)) + "; sealing in memory goes up to 512m");
  if (data.size() != shape.nodes())
    return bad_input("data", std::to_string(data.size()) + " nodes; expected " + std::to_string(shape.nodes()));
  for (std::size_t i = 0; i < data.size(); ++i)
    if (!to_fr(data[i]))
      return bad_input("data node " + std::to_string(i), "not below the modulus of the scalar field");
  return ok();
}

} // namespace

digest comm_r_of(const digest& comm_c, const digest& comm_r_last) {
  return poseidon_digest(scalar(comm_c), scalar(comm_r_last));
}

result<sealed_sector> seal(const sealing_order& order, std::vector<digest> data, thread_pool& pool) {
  CUZK_CHECK(check_order(order, data));
  const auto& shape = shape_of(order.size);
  sealed_sector out;
  out.order = order;
  out.tree_d = merkle_tree(shape.tree_d, std::move(data), pool);
  out.replica_id = replica_id_of(order.who, order.ticket, out.comm_d());
  const auto parents = all_parents(sdr_graph(shape.nodes(), order.who.porep_id, order.api), pool);
  for (unsigned layer = 1; layer <= shape.porep.layers; ++layer)
    out.layers.push_back(make_layer(out.replica_id, layer, parents, layer == 1 ? labels{} : out.layers.back()));
  out.tree_c = merkle_tree(shape.tree, column_hashes(out.layers, pool), pool);
  out.tree_r = merkle_tree(shape.tree, encode(out.layers.back(), out.tree_d.leaves()), pool);
  out.comm_r = comm_r_of(out.comm_c(), out.comm_r_last());
  return out;
}

} // namespace cuzk::filecoin
