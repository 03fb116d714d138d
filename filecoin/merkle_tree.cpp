#include "filecoin/merkle_tree.hpp"

#include "math/hash/poseidon.hpp"
#include "math/hash/sha256.hpp"
#include "runtime/base/thread_pool.hpp"

#include <array>

namespace cuzk::filecoin {
namespace {

digest poseidon_node(std::span<const digest> children) {
  std::array<fr, 8> in;
  for (std::size_t i = 0; i < children.size(); ++i)
    in[i] = to_fr(children[i]).value_or(fr::zero());
  return to_digest(poseidon_hash(std::span(in).first(children.size())));
}

} // namespace

merkle_tree::merkle_tree(const tree_shape& shape, std::vector<digest> leaves, thread_pool& pool) : shape_(shape) {
  rows_.push_back(std::move(leaves));
  for (unsigned level = 0; level < shape.levels(); ++level) {
    const std::size_t arity = shape.arity(level);
    const auto& below = rows_.back();
    std::vector<digest> row(below.size() / arity);
    pool.parallel_for(row.size(), 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto children = std::span(below).subspan(i * arity, arity);
        row[i] = shape.base_arity == 2 ? sha256_node(children[0], children[1]) : poseidon_node(children);
      }
    });
    rows_.push_back(std::move(row));
  }
}

merkle_proof merkle_tree::open(std::uint64_t index) const {
  merkle_proof out;
  out.leaf = rows_.front()[index];
  out.root = root();
  out.index = index;
  std::uint64_t at = index;
  for (unsigned level = 0; level < shape_.levels(); ++level) {
    const unsigned arity = shape_.arity(level);
    const std::uint64_t first = at - at % arity;
    for (std::uint64_t i = first; i < first + arity; ++i)
      if (i != at)
        out.siblings.push_back(rows_[level][i]);
    at /= arity;
  }
  return out;
}

} // namespace cuzk::filecoin
