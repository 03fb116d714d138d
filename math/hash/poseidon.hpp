#pragma once
// Poseidon over Fr as Filecoin uses it: x^5, 8 full rounds, strength "standard"; constants made at run time.
// Source: Grassi et al., "Poseidon", appendix B (optimised form); layout of the optimised constants as in neptune 11.
#include "math/field.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace cuzk {

/// Constants of one arity. Width t = arity + 1; matrices row by row, the state is a row vector.
struct poseidon_constants {
  unsigned arity = 0;
  unsigned width = 0;
  unsigned full_rounds = 8; ///< four before and four after the partial ones
  unsigned partial_rounds = 0;
  std::vector<fr> compressed;         ///< 8 t + partial_rounds values in the order of use
  std::vector<fr> mds;                ///< t * t, symmetric
  std::vector<fr> pre_sparse;         ///< t * t, the mix after round 3
  std::vector<fr> pre_sparse_columns; ///< pre_sparse column by column, as it is used
  std::vector<fr> sparse;             ///< per partial round in order of use: w_hat (t values), then v_rest (t - 1)

  /// new[0] = sum_i state[i] * w_hat[i]
  std::span<const fr> w_hat(unsigned round) const { return std::span(sparse).subspan(round * (2 * width - 1), width); }
  /// new[j] = state[j] + state[0] * v_rest[j - 1]
  std::span<const fr> v_rest(unsigned round) const {
    return std::span(sparse).subspan(round * (2 * width - 1) + width, width - 1);
  }
  const fr& mds_at(unsigned row, unsigned column) const { return mds[row * width + column]; }
  const fr& pre_sparse_at(unsigned row, unsigned column) const { return pre_sparse[row * width + column]; }
};

/// The five arities of the proofs, and only those, have tables.
inline constexpr unsigned poseidon_arities[] = {2, 4, 8, 11, 16};

/// Raw round constants (t a round, round by round) from the Grain LFSR.
std::vector<fr> poseidon_round_constants(unsigned arity);
/// The optimised constants; arity one of poseidon_arities.
poseidon_constants make_poseidon_constants(unsigned arity);
/// The same, made once per process at first use (a few milliseconds) and shared; immutable.
const poseidon_constants& poseidon_table(unsigned arity);

/// Domain tags: state element 0.
fr poseidon_merkle_tag(unsigned arity); ///< 2^arity - 1: trees, columns, comm_r
fr poseidon_random_tag();               ///< 2^40: phi, rho and challenge digests of the update

/// Digest of preimage.size() = arity elements: state element 1 after the permutation.
/// Shapes: preimage of 2, 4, 8, 11 or 16 elements; anything else is a fault of the caller and gives zero.
fr poseidon_hash(std::span<const fr> preimage, const fr& tag);
/// With the Merkle tag.
fr poseidon_hash(std::span<const fr> preimage);

} // namespace cuzk
