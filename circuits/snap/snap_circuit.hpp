#pragma once
// The empty-sector update (SnapDeals) of one partition: a head with the commitments, the apex tree and all challenge
// bits, then one equal part per challenge. Source: storage-proofs-update, circuit.rs.
#include "circuits/snap/snap_gadgets.hpp"
#include "circuits/tree_levels.hpp"
#include "filecoin/vanilla.hpp"

namespace cuzk::circuits {

/// What the challenges share.
template <class CS>
struct snap_head {
  bit_list<CS> partition_bits, h_select;
  typename CS::num phi, root_r_old, root_r_new;
  num_list<CS> apex_leaves;
  std::vector<bit_list<CS>> challenges; ///< random bits of each
};

template <class CS>
class snap_circuit {
public:
  using num = typename CS::num;
  using partition = filecoin::snap_partition;

  explicit snap_circuit(const filecoin::sector_shape& shape)
    : snap_(shape.snap), layout_(shape), lg_apex_(filecoin::lg_arity(shape.snap.apex_leaves)),
      tree_(levels_of(shape.tree, node_hash::poseidon)), tree_d_{
                                                           node_hash::sha256,
                                                           std::vector<unsigned>(layout_.random_bits - lg_apex_, 2)} {}

  unsigned parts() const { return snap_.challenges; }

  /// @param p null for the shape reader.
  snap_head<CS> head(CS& cs, const partition* p) const {
    snap_head<CS> out;
    const auto k = selectors(cs, p, out);
    const auto comm_r_old = public_number(cs, [&] { return number_of(p->comm_r_old); });
    const auto comm_d_new = public_number(cs, [&] { return number_of(p->comm_d_new); });
    const auto comm_r_new = public_number(cs, [&] { return number_of(p->comm_r_new); });
    out.phi = random_hash(cs, comm_d_new, comm_r_old);
    const auto comm_c = cs.new_num([&] { return number_of(p->comm_c); });
    out.root_r_old = cs.new_num([&] { return number_of(p->root_r_old()); });
    out.root_r_new = cs.new_num([&] { return number_of(p->root_r_new()); });
    for (unsigned i = 0; i < snap_.apex_leaves; ++i)
      out.apex_leaves.push_back(cs.new_num([&] { return number_of(p->apex_leaves[i]); }));
    const auto path =
      siblings(cs, p ? &p->challenges[0].tree_d_new : nullptr, layout_.random_bits, snap_.lg_partitions);
    enforce_equal(cs, poseidon(cs, comm_c, out.root_r_old), comm_r_old);
    enforce_equal(cs, poseidon(cs, comm_c, out.root_r_new), comm_r_new);
    apex_path(cs, out.apex_leaves, bits(out.partition_bits), nums(path), comm_d_new);
    out.challenges = challenge_bits(cs, layout_, k, comm_r_new);
    return out;
  }

  void part(CS& cs, const snap_head<CS>& head, const partition* p, std::size_t i) const {
    const auto* c = p ? &p->challenges[i] : nullptr;
    auto challenge = head.challenges[i];
    challenge.insert(challenge.end(), head.partition_bits.begin(), head.partition_bits.end());
    const auto high = selected_high_bits(cs, bits(challenge), bits(head.h_select), snap_.hs);
    const auto rho = random_hash(cs, head.phi, high);
    const auto leaf_r_old = cs.new_num([&] { return number_of(c->tree_r_old.leaf); });
    const auto leaf_d_new = cs.new_num([&] { return number_of(c->tree_d_new.leaf); });
    const auto leaf_r_new = new_replica_leaf(cs, leaf_r_old, leaf_d_new, rho);
    replica_path(cs, c ? &c->tree_r_old : nullptr, leaf_r_old, challenge, head.root_r_old);
    replica_path(cs, c ? &c->tree_r_new : nullptr, leaf_r_new, challenge, head.root_r_new);
    const auto below_apex = layout_.random_bits - lg_apex_;
    const auto apex_leaf = select(cs, nums(head.apex_leaves), bits(challenge).subspan(below_apex, lg_apex_));
    const auto path_d = siblings(cs, c ? &c->tree_d_new : nullptr, 0, below_apex);
    merkle_path_of(cs, tree_d_, leaf_d_new, bits(challenge).first(below_apex), nums(path_d), apex_leaf);
  }

private:
  static std::span<const typename CS::bit> bits(const bit_list<CS>& list) { return list; }
  static std::span<const num> nums(const num_list<CS>& list) { return list; }

  /// Partition number and selection of h from one public number. Returns the partition as a number of its own.
  num selectors(CS& cs, const partition* p, snap_head<CS>& out) const {
    const auto value = [&] { return p->index | std::uint64_t(snap_.h_select) << snap_.lg_partitions; };
    const auto k_and_h = public_number(cs, [&] { return fr::from_u64(value()); });
    bit_list<CS> all;
    for (unsigned i = 0; i < snap_.lg_partitions + snap_.hs.size(); ++i)
      all.push_back(alloc_bit(cs, [&, i] { return value() >> i & 1; }));
    enforce_packed(cs, bits(all), k_and_h);
    const auto split = all.begin() + snap_.lg_partitions;
    out.partition_bits.assign(all.begin(), split);
    out.h_select.assign(split, all.end());
    return pack_bits(cs, bits(out.partition_bits));
  }

  template <class F>
  num public_number(CS& cs, F&& value) const {
    const auto x = cs.new_num(value);
    inputize(cs, x);
    return x;
  }

  num random_hash(CS& cs, const num& x, const num& y) const {
    const num preimage[] = {x, y};
    return poseidon_with_tag(cs, std::span<const num>(preimage), poseidon_random);
  }

  num_list<CS> siblings(CS& cs, const filecoin::merkle_proof* proof, std::size_t first, std::size_t count) const {
    num_list<CS> out;
    for (std::size_t i = first; i < first + count; ++i)
      out.push_back(cs.new_num([&, i] { return number_of(proof->siblings[i]); }));
    return out;
  }

  void replica_path(CS& cs, const filecoin::merkle_proof* proof, const num& leaf, const bit_list<CS>& challenge,
                    const num& root) const {
    std::size_t count = 0;
    for (const auto arity : tree_.arities)
      count += arity - 1;
    const auto path = siblings(cs, proof, 0, count);
    merkle_path_of(cs, tree_, leaf, bits(challenge), nums(path), root);
  }

  filecoin::snap_shape snap_;
  challenge_layout layout_;
  unsigned lg_apex_;
  tree_levels tree_, tree_d_;
};

} // namespace cuzk::circuits
