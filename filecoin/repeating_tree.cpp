#include "filecoin/repeating_tree.hpp"

#include "filecoin/merkle_tree.hpp"
#include "runtime/base/thread_pool.hpp"

#include <algorithm>

namespace cuzk::filecoin {

repeating_tree::repeating_tree(const tree_shape& shape, repetition how,
                               const std::function<digest(std::uint64_t, std::uint64_t)>& leaf, thread_pool& pool)
  : shape_(shape) {
  const std::uint64_t leaves = level_weight(shape, shape.levels());
  const std::uint64_t block = leaves >> how.lg_blocks;
  const std::uint64_t period = std::uint64_t(1) << how.lg_period;
  for (unsigned level = 0; level <= shape.levels(); ++level) {
    const std::uint64_t weight = level_weight(shape, level);
    row next;
    next.per_group = std::max<std::uint64_t>(1, block / weight);
    next.distinct = std::max<std::uint64_t>(1, period / weight);
    next.nodes.resize(leaves / std::max(weight, block) * next.distinct);
    pool.parallel_for(next.nodes.size(), 16, [&](std::size_t begin, std::size_t end) {
      std::vector<digest> children(level == 0 ? 0 : shape.arity(level - 1));
      for (std::size_t kept = begin; kept < end; ++kept) {
        for (std::size_t i = 0; i < children.size(); ++i)
          children[i] = node(level - 1, next.index_of(kept) * children.size() + i);
        next.nodes[kept] = level == 0 ? leaf(kept / period, kept % period) : tree_node(shape, children);
      }
    });
    rows_.push_back(std::move(next));
  }
}

const digest& repeating_tree::node(unsigned level, std::uint64_t index) const {
  const auto& r = rows_[level];
  return r.nodes[index / r.per_group * r.distinct + index % r.per_group % r.distinct];
}

merkle_proof repeating_tree::open(std::uint64_t index) const {
  return open_path(shape_, index, [this](unsigned level, std::uint64_t i) { return node(level, i); });
}

} // namespace cuzk::filecoin
