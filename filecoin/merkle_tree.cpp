#include "filecoin/merkle_tree.hpp"

#include "math/hash/poseidon.hpp"
#include "math/hash/sha256.hpp"
#include "runtime/base/thread_pool.hpp"

#include <array>

namespace cuzk::filecoin {

digest tree_node(const tree_shape& shape, std::span<const digest> children) {
  if (shape.base_arity == 2)
    return sha256_node(children[0], children[1]);
  std::array<fr, 8> in;
  for (std::size_t i = 0; i < children.size(); ++i)
    in[i] = to_fr(children[i]).value_or(fr::zero());
  return to_digest(poseidon_hash(std::span(in).first(children.size())));
}

merkle_tree::merkle_tree(const tree_shape& shape, std::vector<digest> leaves, thread_pool& pool) : shape_(shape) {
  rows_.push_back(std::move(leaves));
  for (unsigned level = 0; level < shape.levels(); ++level) {
    const std::size_t arity = shape.arity(level);
    const auto& below = rows_.back();
    std::vector<digest> row(below.size() / arity);
    pool.parallel_for(row.size(), 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        row[i] = tree_node(shape, std::span(below).subspan(i * arity, arity));
    });
    rows_.push_back(std::move(row));
  }
}

merkle_proof merkle_tree::open(std::uint64_t index) const {
  return open_path(shape_, index, [this](unsigned level, std::uint64_t i) { return rows_[level][i]; });
}

} // namespace cuzk::filecoin
