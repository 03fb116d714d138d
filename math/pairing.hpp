#pragma once
// The optimal ate pairing e: G1 x G2 -> Fp12.
#include "math/curve.hpp"
#include "math/fp12.hpp"

#include <span>

namespace cuzk {

/// One factor e(p, q) of a product of pairings. Points must be in their subgroups.
struct pairing_term {
  g1_affine p;
  g2_affine q;
};

/// Product of the Miller functions of all terms, over |x| = 0xd201000000010000 and conjugated, x being negative.
/// Terms with a point at infinity count as one.
fp12 miller_loop(std::span<const pairing_term> terms);

/// f^(3 (p^12 - 1) / r), which is the cube of the textbook power: the exponent of the usual fast chain, and what
/// other implementations of this curve give. Whether the result is one does not depend on it. f must not be zero.
/// Hayashida, Hayasaka, Teruya: Efficient final exponentiation via cyclotomic structure, ePrint 2020/875.
fp12 final_exponentiation(const fp12& f);

/// e(p, q), with the power above.
fp12 pairing(const g1_affine& p, const g2_affine& q);

/// Whether the product of e(p_i, q_i) is one; the empty product is.
bool product_is_one(std::span<const pairing_term> terms);

} // namespace cuzk
