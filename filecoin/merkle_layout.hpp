#pragma once
// Where the parts of a Merkle path lie in a merkle_proof.
#include "filecoin/vanilla.hpp"

namespace cuzk::filecoin {

/// First sibling of a level in merkle_proof::siblings.
constexpr std::size_t first_sibling(const tree_shape& tree, unsigned level) {
  std::size_t at = 0;
  for (unsigned i = 0; i < level; ++i)
    at += tree.arity(i) - 1;
  return at;
}

/// Weight of a level's position in merkle_proof::index: leaves under one child of that level.
constexpr std::uint64_t level_weight(const tree_shape& tree, unsigned level) {
  std::uint64_t weight = 1;
  for (unsigned i = 0; i < level; ++i)
    weight *= tree.arity(i);
  return weight;
}

/// Position of the path in a level, 0 … arity - 1.
constexpr unsigned position_at(const tree_shape& tree, std::uint64_t index, unsigned level) {
  return static_cast<unsigned>(index / level_weight(tree, level) % tree.arity(level));
}

/// Levels come in parts: base, sub, top. Number of parts, and the levels of each.
constexpr unsigned part_count(const tree_shape& tree) {
  return tree.top_arity ? 3 : tree.sub_arity ? 2 : 1;
}
constexpr unsigned part_first(const tree_shape& tree, unsigned part) {
  return part == 0 ? 0 : tree.base_levels + part - 1;
}
constexpr unsigned part_levels(const tree_shape& tree, unsigned part) {
  return part == 0 ? tree.base_levels : 1;
}

/// Name of the proof variant of a shape in JSON; its number in bincode is part_count - 1.
constexpr const char* variant_name(const tree_shape& tree) {
  return tree.top_arity ? "Top" : tree.sub_arity ? "Sub" : "Single";
}

/// A proof with room for the siblings of the shape.
inline void prepare(merkle_proof& proof, const tree_shape& tree) {
  proof.siblings.assign(tree.siblings(), digest{});
  proof.index = 0;
}

} // namespace cuzk::filecoin
