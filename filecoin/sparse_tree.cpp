#include "filecoin/sparse_tree.hpp"

#include "filecoin/merkle_tree.hpp"
#include "runtime/base/thread_pool.hpp"

#include <algorithm>

namespace cuzk::filecoin {
namespace {

bool before(const placed_node& a, const placed_node& b) {
  return a.index < b.index;
}

/// Places of the row above a row, each once.
std::vector<placed_node> row_above(const std::vector<placed_node>& below, unsigned arity) {
  std::vector<placed_node> out;
  for (const auto& child : below)
    if (out.empty() || out.back().index != child.index / arity)
      out.push_back({child.index / arity, {}});
  return out;
}

} // namespace

sparse_tree::sparse_tree(const tree_shape& shape, std::vector<placed_node> leaves, unopened_node unopened,
                         thread_pool& pool)
  : shape_(shape), unopened_(std::move(unopened)) {
  std::stable_sort(leaves.begin(), leaves.end(), before);
  const auto same = [](const placed_node& a, const placed_node& b) { return a.index == b.index; };
  leaves.erase(std::unique(leaves.begin(), leaves.end(), same), leaves.end());
  rows_.push_back(std::move(leaves));
  for (unsigned level = 0; level < shape.levels(); ++level) {
    const unsigned arity = shape.arity(level);
    auto row = row_above(rows_.back(), arity);
    pool.parallel_for(row.size(), 16, [&](std::size_t begin, std::size_t end) {
      std::vector<digest> children(arity);
      for (std::size_t n = begin; n < end; ++n) {
        for (unsigned i = 0; i < arity; ++i)
          children[i] = node(level, row[n].index * arity + i);
        row[n].value = tree_node(shape, children);
      }
    });
    rows_.push_back(std::move(row));
  }
}

digest sparse_tree::node(unsigned level, std::uint64_t index) const {
  const auto& row = rows_[level];
  const auto found = std::lower_bound(row.begin(), row.end(), placed_node{index, {}}, before);
  return found != row.end() && found->index == index ? found->value : unopened_(level, index);
}

merkle_proof sparse_tree::open(std::uint64_t index) const {
  return open_path(shape_, index, [this](unsigned level, std::uint64_t i) { return node(level, i); });
}

std::vector<digest> zero_nodes(const tree_shape& shape) {
  std::vector<digest> out{digest{}};
  for (unsigned level = 0; level < shape.levels(); ++level)
    out.push_back(tree_node(shape, std::vector<digest>(shape.arity(level), out.back())));
  return out;
}

} // namespace cuzk::filecoin
