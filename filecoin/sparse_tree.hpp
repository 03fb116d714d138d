#pragma once
// Merkle trees of production size of which only the opened part is made.
#include "filecoin/merkle_layout.hpp"

#include <functional>
#include <vector>

namespace cuzk {
class thread_pool;
}

namespace cuzk::filecoin {

/// A node of a tree and its place in its row.
struct placed_node {
  std::uint64_t index = 0;
  digest value{};
};

/// A tree of which some leaves are opened. Nodes above an opened leaf are hashed; a node with no opened leaf below it
/// is whatever `unopened` says, so a tree of 2^31 leaves costs its opened paths alone.
class sparse_tree {
public:
  /// Value of a node that has no opened leaf below it, below the modulus; called from any thread.
  using unopened_node = std::function<digest(unsigned level, std::uint64_t index)>;

  /// @param leaves those that may be opened, in any order; of a place given twice the first value counts.
  /// Cost: one hash for each distinct node above them, over the pool.
  sparse_tree(const tree_shape& shape, std::vector<placed_node> leaves, unopened_node unopened, thread_pool& pool);

  const digest& root() const { return rows_.back().front().value; }
  /// @param index one of the leaves of the constructor.
  merkle_proof open(std::uint64_t index) const;

private:
  digest node(unsigned level, std::uint64_t index) const;

  tree_shape shape_;
  unopened_node unopened_;
  std::vector<std::vector<placed_node>> rows_; ///< per level, by index
};

/// Roots of trees over zero leaves: entry i is `i` levels high. For tree D of a sector without data.
std::vector<digest> zero_nodes(const tree_shape& shape);

} // namespace cuzk::filecoin
