#pragma once
// Merkle paths: choosing and inserting by index bits, and the path from a leaf to a root.
#include "circuits/core/gadgets/field_hash.hpp"
#include "circuits/core/gadgets/poseidon.hpp"
#include "math/hash/digest.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace cuzk::circuits {

/// a if condition, else b: (b - a) * condition = b - c.
template <class CS>
typename CS::num pick(CS& cs, const typename CS::bit& condition, const typename CS::num& a, const typename CS::num& b) {
  const auto c = cs.new_num([](bool yes, const fr& x, const fr& y) { return yes ? x : y; }, condition, a, b);
  cs.enforce({{1, b}, {-1, a}}, {{1, condition}}, {{1, b}, {-1, c}});
  return c;
}

/// from[index], index as bits, least significant first; from.size() = 2^bits.
template <class CS>
typename CS::num select(CS& cs, std::span<const typename CS::num> from, std::span<const typename CS::bit> bits) {
  std::vector<typename CS::num> state(from.begin(), from.end());
  for (std::size_t k = bits.size(); k-- > 0;) {
    const auto half = state.size() / 2;
    for (std::size_t j = 0; j < half; ++j)
      state[j] = pick(cs, bits[k], state[half + j], state[j]);
    state.resize(half);
  }
  return state.front();
}

/// The children of a node: `a` at the place that the bits say, the siblings around it in order. Arity 2, 4 or 8.
/// The picks are in the order the keys need; n = nor(b0, b1) and m = and(b0, b1) stand for "place 0" and "place 3"
/// mod 4.
template <class CS>
std::vector<typename CS::num> insert(CS& cs, const typename CS::num& a, std::span<const typename CS::bit> at,
                                     std::span<const typename CS::num> siblings) {
  using num = typename CS::num;
  const auto p = [&](const typename CS::bit& condition, const num& x, const num& y) {
    return pick(cs, condition, x, y);
  };
  if (siblings.size() == 1) {
    const auto& e = siblings[0];
    const auto p0 = p(at[0], e, a);
    return {p0, p(at[0], a, e)};
  }
  if (siblings.size() == 3) {
    const num &b = siblings[0], &c = siblings[1], &d = siblings[2];
    const auto p0 = p(at[1], b, p(at[0], b, a));
    const auto p1 = p(at[1], c, p(at[0], a, b));
    const auto p2 = p(at[1], p(at[0], d, a), c);
    return {p0, p1, p2, p(at[1], p(at[0], a, d), d)};
  }
  const num &b = siblings[0], &c = siblings[1], &d = siblings[2], &e = siblings[3], &f = siblings[4], &g = siblings[5],
            &h = siblings[6];
  const auto n = bit_and(cs, !at[0], !at[1]);
  const auto m = bit_and(cs, at[0], at[1]);
  const auto p0 = p(at[2], b, p(n, a, b));
  const auto p1 = p(at[2], c, p(at[1], c, p(at[0], a, b)));
  const auto p2 = p(at[2], d, p(at[1], p(at[0], d, a), c));
  const auto p3 = p(at[2], e, p(m, a, d));
  const auto p4 = p(at[2], p(n, a, f), e);
  const auto p5 = p(at[2], p(at[1], g, p(at[0], a, f)), f);
  const auto p6 = p(at[2], p(at[1], p(at[0], h, a), g), g);
  return {p0, p1, p2, p3, p4, p5, p6, p(at[2], p(m, a, h), h)};
}

enum class node_hash : std::uint8_t { sha256, poseidon };

/// A tree as its paths see it: arity of each level, leaves first.
struct tree_levels {
  node_hash hash = node_hash::poseidon;
  std::vector<unsigned> arities;

  static unsigned bits(unsigned arity) { return static_cast<unsigned>(std::countr_zero(arity)); }
  unsigned index_bits() const {
    unsigned n = 0;
    for (auto arity : arities)
      n += bits(arity);
    return n;
  }
};

/// Values of a path; the shape reader never looks at them.
struct path_values {
  std::span<const digest> siblings; ///< canonical, level by level, arity - 1 a level
  std::uint64_t index = 0;          ///< of the leaf; its bits are the places, leaves' level lowest
};

/// A digest as a number. Whoever fills a witness has checked that it is below r.
inline fr number_of(const digest& d) {
  return to_fr(d).value_or(fr::zero());
}

template <class CS>
typename CS::num hash_children(CS& cs, node_hash hash, std::span<const typename CS::num> children) {
  return hash == node_hash::sha256 ? sha256_node(cs, children) : poseidon(cs, children);
}

/// From a leaf to the top of its tree. Bits and siblings are allocated level by level on the way; then the leaf's index
/// becomes one public input.
template <class CS>
typename CS::num climb(CS& cs, const tree_levels& tree, const typename CS::num& leaf, const path_values& values) {
  std::vector<typename CS::bit> all_bits;
  std::vector<typename CS::num> siblings;
  auto current = leaf;
  std::size_t next = 0;
  for (const auto arity : tree.arities) {
    const auto first = all_bits.size();
    for (unsigned i = 0; i < tree_levels::bits(arity); ++i)
      all_bits.push_back(alloc_bit(cs, [&, shift = all_bits.size()] { return values.index >> shift & 1; }));
    siblings.clear();
    for (unsigned i = 1; i < arity; ++i)
      siblings.push_back(cs.new_num([&, k = next++] { return number_of(values.siblings[k]); }));
    const auto children = insert(cs, current, std::span<const typename CS::bit>(all_bits).subspan(first),
                                 std::span<const typename CS::num>(siblings));
    current = hash_children(cs, tree.hash, std::span<const typename CS::num>(children));
  }
  pack_into_inputs(cs, std::span<const typename CS::bit>(all_bits));
  return current;
}

/// A climb that ends at a root: last row (top) * 1 = root.
template <class CS>
void merkle_path(CS& cs, const tree_levels& tree, const typename CS::num& leaf, const path_values& values,
                 const typename CS::num& root) {
  enforce_equal(cs, climb(cs, tree, leaf, values), root);
}

/// A path of bits and siblings that exist already; no public input. Last row: (top) * 1 = root.
template <class CS>
void merkle_path_of(CS& cs, const tree_levels& tree, const typename CS::num& leaf,
                    std::span<const typename CS::bit> bits, std::span<const typename CS::num> siblings,
                    const typename CS::num& root) {
  auto current = leaf;
  for (const auto arity : tree.arities) {
    const auto n = tree_levels::bits(arity);
    const auto children = insert(cs, current, bits.first(n), siblings.first(arity - 1));
    current = hash_children(cs, tree.hash, std::span<const typename CS::num>(children));
    bits = bits.subspan(n);
    siblings = siblings.subspan(arity - 1);
  }
  enforce_equal(cs, current, root);
}

} // namespace cuzk::circuits
