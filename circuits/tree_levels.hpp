#pragma once
// Tree shapes of a sector as the path gadgets want them.
#include "circuits/core/gadgets/merkle.hpp"
#include "filecoin/shapes.hpp"
#include "filecoin/vanilla.hpp"

namespace cuzk::circuits {

inline tree_levels levels_of(const filecoin::tree_shape& shape, node_hash hash) {
  tree_levels out{hash, {}};
  for (unsigned i = 0; i < shape.levels(); ++i)
    out.arities.push_back(shape.arity(i));
  return out;
}

/// Values of a vanilla path; nothing for the shape reader, which is given no proof.
inline path_values values_of(const filecoin::merkle_proof* proof) {
  return proof ? path_values{proof->siblings, proof->index} : path_values{};
}

} // namespace cuzk::circuits
