#pragma once
// WinningPoSt and WindowPoSt: one equal part per sector slot, no head. Source: storage-proofs-post,
// fallback/circuit.rs.
#include "circuits/tree_levels.hpp"
#include "filecoin/vanilla.hpp"

namespace cuzk::circuits {

/// Nothing is shared between sectors.
struct post_head {};

template <class CS>
class post_circuit {
public:
  using partition = filecoin::post_partition;

  post_circuit(const filecoin::tree_shape& tree, const filecoin::post_shape& shape)
    : shape_(shape), tree_(levels_of(tree, node_hash::poseidon)) {}

  unsigned parts() const { return shape_.slots; }

  post_head head(CS&, const partition*) const { return {}; }

  /// comm_r = H(comm_c, comm_r_last), and every challenged leaf lies under comm_r_last.
  void part(CS& cs, const post_head&, const partition* p, std::size_t i) const {
    const auto* s = p ? &p->slot(i).sector : nullptr;
    const auto comm_r_last = cs.new_num([&] { return number_of(s->comm_r_last); });
    const auto comm_c = cs.new_num([&] { return number_of(s->comm_c); });
    const auto comm_r = cs.new_num([&] { return number_of(s->comm_r); });
    inputize(cs, comm_r);
    enforce_equal(cs, comm_r, poseidon(cs, comm_c, comm_r_last));
    for (unsigned n = 0; n < shape_.challenges; ++n) {
      const auto* path = p ? &p->slot(i).paths[n] : nullptr;
      const auto leaf = cs.new_num([&] { return number_of(path->leaf); });
      merkle_path(cs, tree_, leaf, values_of(path), comm_r_last);
    }
  }

private:
  filecoin::post_shape shape_;
  tree_levels tree_;
};

} // namespace cuzk::circuits
