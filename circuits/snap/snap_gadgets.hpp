#pragma once
// Pieces of the empty-sector update: apex tree, challenge bits, the selected high bits, the new label.
// Source: storage-proofs-update, gadgets.rs.
#include "circuits/core/gadgets/merkle.hpp"
#include "filecoin/shapes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace cuzk::circuits {

template <class CS>
using bit_list = std::vector<typename CS::bit>;
template <class CS>
using num_list = std::vector<typename CS::num>;

/// Random bits of one challenge, and how many digests they come from.
struct challenge_layout {
  unsigned random_bits;
  unsigned per_digest;
  unsigned digests;
  unsigned challenges;

  explicit challenge_layout(const filecoin::sector_shape& shape)
    : random_bits(shape.lg_nodes - shape.snap.lg_partitions), per_digest(number_capacity / random_bits),
      digests((shape.snap.challenges + per_digest - 1) / per_digest), challenges(shape.snap.challenges) {}
};

/// The binary SHA-256 tree over the apex leaves, row by row, and the partition's path from its root to comm_d_new.
template <class CS>
void apex_path(CS& cs, num_list<CS> row, std::span<const typename CS::bit> partition_bits,
               std::span<const typename CS::num> siblings, const typename CS::num& comm_d_new) {
  while (row.size() > 1) {
    num_list<CS> above;
    for (std::size_t i = 0; i < row.size(); i += 2)
      above.push_back(sha256_node(cs, std::span<const typename CS::num>(row).subspan(i, 2)));
    row = std::move(above);
  }
  const tree_levels tree{node_hash::sha256, std::vector<unsigned>(siblings.size(), 2)};
  merkle_path_of(cs, tree, row.front(), partition_bits, siblings, comm_d_new);
}

/// digest j = H(comm_r_new, digests * partition + j), decomposed; here the sum of the bits stands in A.
template <class CS>
number_bits<CS> challenge_digest(CS& cs, const typename CS::num& partition, const typename CS::num& comm_r_new,
                                 unsigned digests, unsigned j) {
  const auto index =
    cs.new_num([digests, j](const fr& k) { return k * fr::from_u64(digests) + fr::from_u64(j); }, partition);
  cs.enforce({{static_cast<int>(digests), partition}, {static_cast<int>(j), one}}, {{1, one}}, {{1, index}});
  const typename CS::num preimage[] = {comm_r_new, index};
  const auto digest = poseidon_with_tag(cs, std::span<const typename CS::num>(preimage), poseidon_random);
  const auto bits = alloc_number_bits(cs, digest);
  enforce_sum_is(cs, sum_of_bits(cs, std::span<const typename CS::word>(bits), number_bit_count), digest);
  return bits;
}

/// The random bits of every challenge, least significant first. All digests are made before the first is used.
template <class CS>
std::vector<bit_list<CS>> challenge_bits(CS& cs, const challenge_layout& layout, const typename CS::num& partition,
                                         const typename CS::num& comm_r_new) {
  std::vector<bit_list<CS>> out;
  for (unsigned j = 0; j < layout.digests; ++j) {
    const auto digest = challenge_digest(cs, partition, comm_r_new, layout.digests, j);
    for (unsigned i = 0; i < layout.per_digest && out.size() < layout.challenges; ++i) {
      auto& bits = out.emplace_back();
      for (unsigned k = i * layout.random_bits; k < (i + 1) * layout.random_bits; ++k)
        bits.push_back(digest[k / 32].bit(k % 32));
    }
  }
  return out;
}

/// The top h bits of a challenge as a number, h being the one of `hs` whose selection bit is set.
template <class CS>
typename CS::num selected_high_bits(CS& cs, std::span<const typename CS::bit> challenge,
                                    std::span<const typename CS::bit> h_select, std::span<const unsigned> hs) {
  num_list<CS> masked;
  for (std::size_t k = 0; k < hs.size(); ++k) {
    const auto high = pack_bits(cs, challenge.last(hs[k]));
    const auto m = cs.new_num([](const fr& x, bool yes) { return yes ? x : fr::zero(); }, high, h_select[k]);
    cs.enforce({{1, high}}, {{1, h_select[k]}}, {{1, m}});
    masked.push_back(m);
  }
  const auto selected = cs.new_num(
    [](const auto& all) {
      fr sum = fr::zero();
      for (const auto& x : all)
        sum += x.value;
      return sum;
    },
    std::span<const typename CS::num>(masked));
  auto sum = cs.make_sum();
  for (const auto& m : masked)
    sum.add(1, m);
  enforce_sum_is(cs, std::move(sum), selected);
  return selected;
}

/// leaf_r_old + leaf_d_new * rho
template <class CS>
typename CS::num new_replica_leaf(CS& cs, const typename CS::num& leaf_r_old, const typename CS::num& leaf_d_new,
                                  const typename CS::num& rho) {
  return add_numbers(cs, leaf_r_old, multiply(cs, leaf_d_new, rho));
}

} // namespace cuzk::circuits
