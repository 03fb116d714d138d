#pragma once
// Whole Merkle trees of production size over leaves that repeat: every path is there, few nodes are hashed.
#include "filecoin/merkle_layout.hpp"

#include <functional>
#include <vector>

namespace cuzk {
class thread_pool;
}

namespace cuzk::filecoin {

/// How leaves repeat: the tree is cut into 2^lg_blocks equal blocks, and within a block the leaf depends on its index
/// modulo 2^lg_period alone. A block is at least one period.
struct repetition {
  unsigned lg_blocks = 0;
  unsigned lg_period = 0;
};

/// A tree that is the same as a whole one over such leaves, kept as one copy of each repeated node.
class repeating_tree {
public:
  /// @param leaf value of position 0 … 2^lg_period - 1 in a block, below the modulus.
  /// Cost: at 32 GiB, 1,024 blocks and a period of 8: about 8,000 hashes over the pool.
  repeating_tree(const tree_shape& shape, repetition how,
                 const std::function<digest(std::uint64_t block, std::uint64_t position)>& leaf, thread_pool& pool);

  const digest& root() const { return rows_.back().nodes.front(); }
  /// Node `level` above the leaves.
  const digest& node(unsigned level, std::uint64_t index) const;
  merkle_proof open(std::uint64_t index) const;

private:
  /// A level: `per_group` nodes a group, of which the first `distinct` are kept and the rest repeat them.
  struct row {
    std::uint64_t per_group = 1;
    std::uint64_t distinct = 1;
    std::vector<digest> nodes;
    std::uint64_t index_of(std::uint64_t kept) const { return kept / distinct * per_group + kept % distinct; }
  };

  tree_shape shape_;
  std::vector<row> rows_;
};

} // namespace cuzk::filecoin
