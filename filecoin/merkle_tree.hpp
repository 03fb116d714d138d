#pragma once
// Whole Merkle trees of a sector, in memory: for sealing small sectors and making proofs.
#include "filecoin/merkle_layout.hpp"

#include <vector>

namespace cuzk {
class thread_pool;
}

namespace cuzk::filecoin {

/// All rows of a tree of any shape. Base trees lie side by side, so a row of the sector is the rows of its base trees
/// in order.
class merkle_tree {
public:
  merkle_tree() = default;
  /// Hashes with SHA-256 where the base arity is 2 (tree D), with Poseidon else; leaves below the modulus.
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
