#include "filecoin/prove_vanilla.hpp"

#include "filecoin/graph.hpp"
#include "filecoin/label.hpp"
#include "filecoin/public_inputs.hpp"
#include "filecoin/snap.hpp"
#include "runtime/base/thread_pool.hpp"

namespace cuzk::filecoin {
namespace {

fr scalar(const digest& d) {
  return to_fr(d).value_or(fr::zero());
}

column_proof open_column(const sealed_sector& sector, std::uint64_t node) {
  column_proof out;
  for (const auto& layer : sector.layers)
    out.rows.push_back(layer[node]);
  out.path = sector.tree_c.open(node);
  return out;
}

labeling_proof open_label(const porep_challenge& challenge, unsigned layer) {
  labeling_proof out;
  out.parents.resize(label_parents);
  repeat_parents(std::span<digest, label_parents>(out.parents), layer == 1 ? drg_degree : parent_count,
                 [&](std::size_t i) { return challenge.parents[i].rows[i < drg_degree ? layer - 1 : layer - 2]; });
  out.layer_index = layer;
  out.node = challenge.challenge;
  return out;
}

porep_challenge open_challenge(const sealed_sector& sector, const sdr_graph& graph, std::uint64_t node) {
  porep_challenge out;
  out.challenge = node;
  out.tree_d = sector.tree_d.open(node);
  out.tree_r = sector.tree_r.open(node);
  out.column = open_column(sector, node);
  const auto parents = graph.parents(static_cast<std::uint32_t>(node));
  for (unsigned i = 0; i < parent_count; ++i)
    out.parents[i] = open_column(sector, parents[i]);
  fill_labeling(out, static_cast<unsigned>(sector.layers.size()));
  return out;
}

/// rho of every value of the top h bits.
std::vector<fr> all_rhos(const fr& phi, const sector_shape& shape) {
  std::vector<fr> out;
  for (std::uint64_t high = 0; high < std::uint64_t(1) << shape.snap.h; ++high)
    out.push_back(snap_rho(phi, high << (shape.lg_nodes - shape.snap.h), shape));
  return out;
}

fr phi_of(const updated_sector& updated) {
  return snap_phi(scalar(updated.tree_d.root()), scalar(updated.comm_r_old));
}

} // namespace

void fill_labeling(porep_challenge& challenge, unsigned layers) {
  for (unsigned layer = 1; layer <= layers; ++layer)
    challenge.labels.push_back(open_label(challenge, layer));
  challenge.encoding = challenge.labels.back();
}

std::vector<std::uint64_t> post_leaves(std::uint64_t sector, const post_place& place) {
  const auto& shape = shape_of(place.proof.size);
  const bool winning = place.proof.kind == proof_kind::winning;
  const post_challenge_rule rule{place.randomness, place.proof.api, shape.nodes(), place.partition,
                                 winning ? shape.winning : shape.window};
  std::vector<std::uint64_t> out;
  for (unsigned n = 0; n < (winning ? winning_slots : window_challenges); ++n)
    out.push_back(winning ? rule.leaf(sector, n, 0) : rule.leaf(sector, place.position, n));
  return out;
}

c1_output make_c1(const sealed_sector& sector, porep_feature feature, const digest& seed) {
  const auto& shape = shape_of(sector.order.size);
  const bool ni = feature == porep_feature::non_interactive;
  c1_output out;
  out.proof = registered_proof{proof_kind::porep, sector.order.size, sector.order.api, feature, std::nullopt};
  out.size = sector.order.size;
  out.comm_r = sector.comm_r;
  out.comm_d = sector.comm_d();
  out.replica_id = sector.replica_id;
  out.seed = seed;
  out.ticket = sector.order.ticket;
  const sdr_graph graph(shape.nodes(), sector.order.who.porep_id, sector.order.api);
  for (unsigned k = 0; k < (ni ? shape.porep.ni_partitions : shape.porep.partitions); ++k) {
    out.partitions.emplace_back();
    for (const auto node :
         porep_challenges({feature, sector.replica_id, sector.comm_r, seed}, shape.nodes(), shape.porep.challenges, k))
      out.partitions.back().push_back(open_challenge(sector, graph, node));
  }
  return out;
}

post_sector make_post_sector(const sealed_sector& sector, const post_place& place) {
  post_sector out;
  out.sector = sector.order.who.sector;
  out.comm_r = sector.comm_r;
  out.comm_c = sector.comm_c();
  out.comm_r_last = sector.comm_r_last();
  for (const auto leaf : post_leaves(out.sector, place))
    out.paths.push_back(sector.tree_r.open(leaf));
  return out;
}

result<updated_sector> update_sector(const sealed_sector& sector, std::vector<digest> data, thread_pool& pool) {
  const auto& shape = shape_of(sector.order.size);
  if (data.size() != shape.nodes())
    return bad_input("data", std::to_string(data.size()) + " nodes; expected " + std::to_string(shape.nodes()));
  for (std::size_t i = 0; i < data.size(); ++i)
    if (!to_fr(data[i]))
      return bad_input("data node " + std::to_string(i), "not below the modulus of the scalar field");
  updated_sector out;
  out.size = sector.order.size;
  out.comm_c = sector.comm_c();
  out.comm_r_old = sector.comm_r;
  out.tree_d = merkle_tree(shape.tree_d, std::move(data), pool);
  const auto rhos = all_rhos(phi_of(out), shape);
  std::vector<digest> replica(shape.nodes());
  for (std::size_t v = 0; v < replica.size(); ++v) {
    const fr& rho = rhos[v >> (shape.lg_nodes - shape.snap.h)];
    replica[v] = to_digest(scalar(sector.tree_r.leaves()[v]) + scalar(out.tree_d.leaves()[v]) * rho);
  }
  out.tree_r = merkle_tree(shape.tree, std::move(replica), pool);
  out.comm_r_new = comm_r_of(out.comm_c, out.tree_r.root());
  return out;
}

std::vector<digest> decode_update(const sealed_sector& sector, const updated_sector& updated) {
  const auto& shape = shape_of(updated.size);
  auto inverses = all_rhos(phi_of(updated), shape);
  for (auto& rho : inverses)
    rho = rho.inverse();
  std::vector<digest> out(shape.nodes());
  for (std::size_t v = 0; v < out.size(); ++v) {
    const fr difference = scalar(updated.tree_r.leaves()[v]) - scalar(sector.tree_r.leaves()[v]);
    out[v] = to_digest(difference * inverses[v >> (shape.lg_nodes - shape.snap.h)]);
  }
  return out;
}

snap_partition make_snap_partition(const sealed_sector& sector, const updated_sector& updated, unsigned k) {
  const auto& shape = shape_of(updated.size);
  const unsigned height = shape.lg_nodes - shape.snap.lg_partitions - lg_arity(shape.snap.apex_leaves);
  snap_partition out;
  out.index = k;
  out.comm_r_old = updated.comm_r_old;
  out.comm_d_new = updated.tree_d.root();
  out.comm_r_new = updated.comm_r_new;
  out.comm_c = updated.comm_c;
  const auto apex = std::span(updated.tree_d.row(height)).subspan(k * shape.snap.apex_leaves, shape.snap.apex_leaves);
  out.apex_leaves.assign(apex.begin(), apex.end());
  for (const auto node : snap_challenges(scalar(out.comm_r_new), k, shape))
    out.challenges.push_back({sector.tree_r.open(node), updated.tree_d.open(node), updated.tree_r.open(node)});
  return out;
}

} // namespace cuzk::filecoin
