#pragma once
// Whole Merkle trees of a sector, in memory: for sealing small sectors and making proofs.
#include "filecoin/merkle_layout.hpp"

#include <span>
#include <vector>

namespace cuzk {
class thread_pool;
}

namespace cuzk::filecoin {

/// Hash of a node's children: SHA-256 where the base arity is 2 (tree D), Poseidon else; all below the modulus.
digest tree_node(const tree_shape& shape, std::span<const digest> children);

/// The path from leaf `index` to the root. @param node digest(level, index) of any node of the tree.
template <class Node>
merkle_proof open_path(const tree_shape& shape, std::uint64_t index, Node&& node) {
  merkle_proof out;
  out.leaf = node(0u, index);
  out.root = node(shape.levels(), std::uint64_t(0));
  out.index = index;
  for (unsigned level = 0; level < shape.levels(); ++level) {
    const unsigned arity = shape.arity(level);
    const std::uint64_t first = index - index % arity;
    for (std::uint64_t i = first; i < first + arity; ++i)
      if (i != index)
        out.siblings.push_back(node(level, i));
    index /= arity;
  }
  return out;
}

/// All rows of a tree of any shape. Base trees lie side by side, so a row of the sector is the rows of its base trees
/// in order.
class merkle_tree {
public:
  merkle_tree() = default;
  /// Leaves below the modulus.
  merkle_tree(const tree_shape& shape, std::vector<digest> leaves, thread_pool& pool);

  const digest& root() const { return rows_.back().front(); }
  const std::vector<digest>& leaves() const { return rows_.front(); }
  /// Nodes `level` above the leaves.
  const std::vector<digest>& row(unsigned level) const { return rows_[level]; }
  merkle_proof open(std::uint64_t index) const;

private:
  tree_shape shape_;
  std::vector<std::vector<digest>> rows_;
};

} // namespace cuzk::filecoin
