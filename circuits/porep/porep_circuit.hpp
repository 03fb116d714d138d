#pragma once
// PoRep of one partition: a head, then one equal part per challenge. Order of allocation and rows is that of the
// published keys. Source: storage-proofs-porep, stacked/circuit/{proof,params}.rs.
#include "circuits/porep/label.hpp"
#include "circuits/tree_levels.hpp"
#include "filecoin/vanilla.hpp"

#include <array>
#include <vector>

namespace cuzk::circuits {

/// What does not change from challenge to challenge.
template <class CS>
struct porep_head {
  byte_words<CS> replica_id;
  typename CS::num comm_d, comm_r_last, comm_c;
};

/// One column: labels of a node, layer 1 first.
template <class CS>
using label_column = std::vector<typename CS::num>;

template <class CS>
class porep_circuit {
public:
  using num = typename CS::num;
  using partition = filecoin::porep_partition;

  explicit porep_circuit(const filecoin::sector_shape& shape)
    : layers_(shape.porep.layers), parts_(shape.porep.challenges), tree_d_(levels_of(shape.tree_d, node_hash::sha256)),
      tree_(levels_of(shape.tree, node_hash::poseidon)) {}

  unsigned parts() const { return parts_; }

  /// @param p null for the shape reader.
  porep_head<CS> head(CS& cs, const partition* p) const {
    const auto replica_id = cs.new_num([&] { return number_of(p->replica_id); });
    inputize(cs, replica_id);
    const auto id_words = byte_words_of<CS>(to_bits(cs, replica_id));
    const auto comm_d = cs.new_num([&] { return number_of(p->comm_d); });
    inputize(cs, comm_d);
    const auto comm_r = cs.new_num([&] { return number_of(p->comm_r); });
    inputize(cs, comm_r);
    const auto comm_r_last = cs.new_num([&] { return number_of(p->comm_r_last()); });
    const auto comm_c = cs.new_num([&] { return number_of(p->comm_c()); });
    enforce_equal(cs, comm_r, poseidon(cs, comm_c, comm_r_last));
    return {id_words, comm_d, comm_r_last, comm_c};
  }

  void part(CS& cs, const porep_head<CS>& head, const partition* p, std::size_t i) const {
    challenge(cs, head, p ? &p->challenges[i] : nullptr);
  }

  /// One challenge: data leaf, the columns of the node's 14 parents, its labels layer by layer, encoding, its own
  /// column.
  void challenge(CS& cs, const porep_head<CS>& head, const filecoin::porep_challenge* c) const {
    const auto data = cs.new_num([&] { return number_of(c->tree_d.leaf); });
    merkle_path(cs, tree_d_, data, values_of(c ? &c->tree_d : nullptr), head.comm_d);
    std::array<label_column<CS>, filecoin::parent_count> parents;
    for (unsigned k = 0; k < filecoin::parent_count; ++k)
      parents[k] = parent_column(cs, c ? &c->parents[k] : nullptr, head.comm_c);
    const auto node = alloc_u64_input(cs, [&] { return c->challenge; });
    const auto own = labels(cs, head.replica_id, node, parents);
    const auto replica = add_numbers(cs, own.back(), data);
    merkle_path(cs, tree_, replica, values_of(c ? &c->tree_r : nullptr), head.comm_r_last);
    const auto hash = poseidon(cs, std::span<const num>(own));
    merkle_path(cs, tree_, hash, values_of(c ? &c->column.path : nullptr), head.comm_c);
  }

  /// Label of one layer (counted from 1). Its parents' labels are decomposed here, and again for every layer.
  num label(CS& cs, const byte_words<CS>& replica_id, const std::array<typename CS::word, 2>& node, unsigned layer,
            std::span<const label_column<CS>> parents) const {
    std::vector<byte_words<CS>> words;
    for (unsigned k = 0; k < (layer == 1 ? filecoin::drg_degree : filecoin::parent_count); ++k) {
      const bool same_layer = k < filecoin::drg_degree; // expander parents are labels of the layer before
      words.push_back(byte_words_of<CS>(to_bits(cs, parents[k][layer - (same_layer ? 1 : 2)])));
    }
    return create_label(cs, replica_id, layer, node, std::span<const byte_words<CS>>(words));
  }

private:
  label_column<CS> parent_column(CS& cs, const filecoin::column_proof* proof, const num& comm_c) const {
    label_column<CS> column;
    for (unsigned l = 0; l < layers_; ++l)
      column.push_back(cs.new_num([&] { return number_of(proof->rows[l]); }));
    const auto hash = poseidon(cs, std::span<const num>(column));
    merkle_path(cs, tree_, hash, values_of(proof ? &proof->path : nullptr), comm_c);
    return column;
  }

  label_column<CS> labels(CS& cs, const byte_words<CS>& replica_id, const std::array<typename CS::word, 2>& node,
                          std::span<const label_column<CS>> parents) const {
    label_column<CS> own;
    for (unsigned layer = 1; layer <= layers_; ++layer)
      own.push_back(label(cs, replica_id, node, layer, parents));
    return own;
  }

  unsigned layers_;
  unsigned parts_;
  tree_levels tree_d_, tree_;
};

} // namespace cuzk::circuits
