#pragma once
// Merkle paths recomputed.
#include "filecoin/merkle_layout.hpp"
#include "math/field.hpp"
#include "runtime/base/error.hpp"

namespace cuzk::filecoin {

/// Hash of an element list by the tree's Poseidon of that arity.
digest poseidon_digest(const fr& left, const fr& right);

/// Leads from `leaf` to the root; every digest on the way must be below the modulus. Compares nothing but the root.
/// Errors: bad_input whose `where` is the level.
status check_poseidon_path(const merkle_proof& proof, const tree_shape& tree);
status check_sha256_path(const merkle_proof& proof, const tree_shape& tree);

/// Node of a binary path at `level` above the leaf (0 = the leaf).
digest sha256_path_node(const merkle_proof& proof, unsigned level);

/// A digest as a scalar. Errors: bad_input at `where`.
result<fr> scalar_of(const digest& d, const char* where);

} // namespace cuzk::filecoin
