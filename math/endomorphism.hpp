#pragma once
// The fast endomorphisms: phi on G1 (multiplies by -x^2) and psi on G2 (multiplies by x), x = -0xd201000000010000.
// C++17, host and device.
#include "math/curve.hpp"

namespace cuzk {

/// |x|; the parameter of the curve is negative. r = x^4 - x^2 + 1.
inline constexpr std::uint64_t curve_x_abs = 0xd201000000010000;

/// The cube root of unity of Fp that makes phi act as -x^2 on G1.
CUZK_HD constexpr fp cube_root_of_unity() {
  return fp::raw({{0x30f1361b798a64e8, 0xf3b8ddab7ece5a2a, 0x16a8ca3ac61577f7, 0xc26a2ff874fd029b, 0x3636b76660701c6e,
                   0x051ba4ab241b6160}});
}

/// phi(x, y) = (beta x, y).
CUZK_HD constexpr g1_affine phi(const g1_affine& p) {
  return {p.x * cube_root_of_unity(), p.y};
}

/// psi(x, y) = (conj(x) / (1 + u)^((p - 1) / 3), conj(y) / (1 + u)^((p - 1) / 2)): untwist, Frobenius, twist.
CUZK_HD constexpr g2_affine psi(const g2_affine& p) {
  const fp2 cx = {fp::zero(), fp::raw({{0x890dc9e4867545c3, 0x2af322533285a5d5, 0x50880866309b7e2c, 0xa20d1b8c7e881024,
                                        0x14e4f04fe2db9068, 0x14e56d3f1564853a}})};
  const fp2 cy = {fp::raw({{0x3e2f585da55c9ad1, 0x4294213d86c18183, 0x382844c88b623732, 0x92ad2afd19103e18,
                            0x1d794e4fac7cf0b9, 0x0bd592fc7d825ec8}}),
                  fp::raw({{0x7bcfa7a25aa30fda, 0xdc17dec12a927e7c, 0x2f088dd86b4ebef1, 0xd1ca2087da74d4a7,
                            0x2da2596696cebc1d, 0x0e2b7eedbbfd87d2}})};
  return {p.x.conjugate() * cx, p.y.conjugate() * cy};
}

} // namespace cuzk
