#pragma once
// Merkle paths with known values, hashed outside of any circuit.
#include "circuits/core/gadgets/merkle.hpp"
#include "math/hash/poseidon.hpp"
#include "math/hash/sha256.hpp"

#include <vector>

namespace cuzk::test {

inline fr hash_of(circuits::node_hash hash, const std::vector<fr>& children) {
  if (hash == circuits::node_hash::poseidon)
    return poseidon_hash(children);
  std::vector<std::uint8_t> bytes;
  for (const auto& x : children) {
    const auto d = to_digest(x);
    bytes.insert(bytes.end(), d.begin(), d.end());
  }
  return *to_fr(trimmed(sha256_of(bytes)));
}

/// Siblings 2, 3, 4 … level by level; the place at level i is (2 i + 1) mod arity.
struct sample_path {
  circuits::tree_levels tree;
  std::vector<digest> siblings;
  std::uint64_t index = 0;
  fr root;

  sample_path(circuits::tree_levels levels, const fr& leaf) : tree(std::move(levels)), root(leaf) {
    std::uint64_t next = 2, stride = 1;
    for (std::size_t level = 0; level < tree.arities.size(); ++level) {
      const auto arity = tree.arities[level];
      const std::uint64_t place = (2 * level + 1) % arity;
      std::vector<fr> children;
      for (std::uint64_t i = 0; i < arity; ++i) {
        if (i == place) {
          children.push_back(root);
          continue;
        }
        children.push_back(fr::from_u64(next++));
        siblings.push_back(to_digest(children.back()));
      }
      root = hash_of(tree.hash, children);
      index += place * stride;
      stride *= arity;
    }
  }
  circuits::path_values values() const { return {siblings, index}; }
};

} // namespace cuzk::test
