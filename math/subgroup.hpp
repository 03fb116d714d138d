#pragma once
// Whether a point lies in the subgroup of order r, exactly. Many points at once: math/subgroup_batch.hpp.
#include "math/curve.hpp"

namespace cuzk {

/// Whether a point of the curve lies in the subgroup of order r; infinity does. Exact. The point must be on the curve.
/// G1: phi(P) = -x^2 P, which says that x^4 - x^2 + 1 = r kills P. G2: psi(P) = x P, which says that p - x = h1 r does;
/// the cofactors of the two curves have no common factor. (Scott, ePrint 2021/1130.) 37 us (G1), 47 us (G2).
bool in_subgroup(const g1_affine& p);
bool in_subgroup(const g2_affine& p);

} // namespace cuzk
