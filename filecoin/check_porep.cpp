// Vanilla checks of a PoRep challenge: what passes here satisfies the circuit.
#include "filecoin/check.hpp"
#include "filecoin/graph.hpp"
#include "filecoin/label.hpp"
#include "filecoin/merkle_check.hpp"
#include "math/hash/poseidon.hpp"

namespace cuzk::filecoin {
namespace {

/// Puts a member's name before the place of an error. Places are JSON pointers with a word of detail: "/c_x, leaf".
status at(const std::string& member, status s) {
  if (!s)
    s.err().where = "/" + member + (s.err().where.starts_with('/') ? "" : ", ") + s.err().where;
  return s;
}

status same_digest(const char* where, const digest& found, const digest& expected) {
  if (found == expected)
    return ok();
  return bad_input(where, to_hex(found) + "; expected " + to_hex(expected));
}

status same_number(const char* where, std::uint64_t found, std::uint64_t expected) {
  if (found == expected)
    return ok();
  return bad_input(where, std::to_string(found) + "; expected " + std::to_string(expected));
}

/// The parts of one challenge share these.
struct context {
  const job_input& job;
  const porep_partition& partition;
  const porep_challenge& challenge;
  const sector_shape& shape;
  digest comm_c;
  digest comm_r_last;
};

status check_column(const context& c, const column_proof& column, std::uint64_t node) {
  CUZK_CHECK(same_number("path index", column.path.index, node));
  std::vector<fr> rows;
  for (std::size_t i = 0; i < column.rows.size(); ++i) {
    auto x = to_fr(column.rows[i]);
    if (!x)
      return bad_input("layer " + std::to_string(i + 1), to_hex(column.rows[i]) + " is not below the modulus");
    rows.push_back(*x);
  }
  CUZK_CHECK(same_digest("leaf of the column's path", column.path.leaf, to_digest(poseidon_hash(rows))));
  CUZK_CHECK(same_digest("root (comm_c)", column.path.root, c.comm_c));
  return check_poseidon_path(column.path, c.shape.tree);
}

/// Parents are recomputed where it is known who proves; otherwise the proof's own numbers count.
status check_parents(const context& c) {
  std::array<std::uint32_t, parent_count> expected{};
  const auto& about = std::get<porep_statement>(c.job.statement);
  if (about.who)
    expected = sdr_graph(c.shape.nodes(), about.who->porep_id, c.job.proof.api)
                 .parents(static_cast<std::uint32_t>(c.challenge.challenge));
  for (unsigned i = 0; i < parent_count; ++i) {
    const auto& column = c.challenge.parents[i];
    const auto place = i < drg_degree ? "replica_column_proofs/drg_parents/" + std::to_string(i)
                                      : "replica_column_proofs/exp_parents/" + std::to_string(i - drg_degree);
    const std::uint64_t node = about.who ? expected[i] : column.path.index;
    CUZK_CHECK(at(place, check_column(c, column, node)));
  }
  return ok();
}

/// The 37 labels that a layer's label is hashed from.
std::vector<digest> expected_parents(const porep_challenge& challenge, unsigned layer) {
  const std::size_t distinct = layer == 1 ? drg_degree : parent_count;
  std::vector<digest> out(label_parents);
  repeat_parents(std::span<digest, label_parents>(out), distinct, [&](std::size_t i) {
    return challenge.parents[i].rows[i < drg_degree ? layer - 1 : layer - 2]; // expander: the layer below
  });
  return out;
}

status check_label(const context& c, const labeling_proof& proof, unsigned layer) {
  CUZK_CHECK(same_number("layer_index", proof.layer_index, layer));
  CUZK_CHECK(same_number("node", proof.node, c.challenge.challenge));
  if (proof.parents != expected_parents(c.challenge, layer))
    return bad_input("parents", "differ from the labels in the columns of the parents");
  const digest label = label_of(c.partition.replica_id, layer, proof.node, proof.parents);
  return same_digest("label (layer of the column)", c.challenge.column.rows[layer - 1], label);
}

status check_labels(const context& c) {
  for (unsigned layer = 1; layer <= c.shape.porep.layers; ++layer)
    CUZK_CHECK(
      at("labeling_proofs/" + std::to_string(layer - 1), check_label(c, c.challenge.labels[layer - 1], layer)));
  return at("encoding_proof", check_label(c, c.challenge.encoding, c.shape.porep.layers));
}

/// replica node = last label + data node
status check_encoding(const context& c) {
  CUZK_TRY(data, scalar_of(c.challenge.tree_d.leaf, "/comm_d_proofs, leaf"));
  CUZK_TRY(key, scalar_of(c.challenge.column.rows.back(), "/replica_column_proofs/c_x, last layer"));
  return same_digest("/comm_r_last_proof, leaf", c.challenge.tree_r.leaf, to_digest(key + data));
}

status check_node_paths(const context& c) {
  const auto node = c.challenge.challenge;
  CUZK_CHECK(at("comm_d_proofs", same_number("path index", c.challenge.tree_d.index, node)));
  CUZK_CHECK(at("comm_d_proofs", same_digest("root (comm_d)", c.challenge.tree_d.root, c.partition.comm_d)));
  CUZK_CHECK(at("comm_d_proofs", check_sha256_path(c.challenge.tree_d, c.shape.tree_d)));
  CUZK_CHECK(at("comm_r_last_proof", same_number("path index", c.challenge.tree_r.index, node)));
  CUZK_CHECK(at("comm_r_last_proof", same_digest("root", c.challenge.tree_r.root, c.comm_r_last)));
  CUZK_CHECK(at("comm_r_last_proof", check_poseidon_path(c.challenge.tree_r, c.shape.tree)));
  return at("replica_column_proofs/c_x", check_column(c, c.challenge.column, node));
}

/// The challenge number: as drawn where it is known who proves, else any node but 0.
status check_number(const context& c, std::size_t k, std::size_t unit) {
  const auto& about = std::get<porep_statement>(c.job.statement);
  if (about.who) {
    const auto drawn = porep_challenges({c.job.proof.feature, about.replica_id, about.comm_r, about.seed},
                                        c.shape.nodes(), c.shape.porep.challenges, static_cast<unsigned>(k));
    return same_number("/labeling_proofs/0/node (challenge)", c.challenge.challenge, drawn[unit]);
  }
  if (c.challenge.challenge == 0 || c.challenge.challenge >= c.shape.nodes())
    return bad_input("/labeling_proofs/0/node (challenge)",
                     std::to_string(c.challenge.challenge) + "; expected 1 to " + std::to_string(c.shape.nodes() - 1));
  return ok();
}

status check_challenge(const context& c, std::size_t k, std::size_t unit) {
  CUZK_CHECK(check_number(c, k, unit));
  CUZK_CHECK(check_node_paths(c));
  CUZK_CHECK(check_parents(c));
  CUZK_CHECK(check_labels(c));
  return check_encoding(c);
}

} // namespace

std::size_t porep_units(const porep_partition& partition) {
  return partition.challenges.size();
}

status check_porep_head(const job_input& job, std::size_t k) {
  const auto& first = std::get<porep_partition>(job.partitions.front());
  const auto& own = std::get<porep_partition>(job.partitions[k]);
  CUZK_CHECK(same_digest("/0/replica_column_proofs/c_x, root (comm_c)", own.comm_c(), first.comm_c()));
  CUZK_CHECK(same_digest("/0/comm_r_last_proof, root", own.comm_r_last(), first.comm_r_last()));
  CUZK_TRY(comm_c, scalar_of(own.comm_c(), "/0/replica_column_proofs/c_x, root (comm_c)"));
  CUZK_TRY(comm_r_last, scalar_of(own.comm_r_last(), "/0/comm_r_last_proof, root"));
  return same_digest("comm_r, against H(comm_c, comm_r_last)", own.comm_r, poseidon_digest(comm_c, comm_r_last));
}

status check_porep_unit(const job_input& job, std::size_t k, std::size_t unit) {
  const auto& partition = std::get<porep_partition>(job.partitions[k]);
  const context c{job,
                  partition,
                  partition.challenges[unit],
                  shape_of(job.circuit.size),
                  partition.comm_c(),
                  partition.comm_r_last()};
  return at(std::to_string(unit), check_challenge(c, k, unit));
}

} // namespace cuzk::filecoin
