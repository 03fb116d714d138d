#pragma once
// The coefficients b of the two curves and the standard generators of their subgroups of order r.
// C++17, host and device.
#include "math/curve.hpp"

#include <type_traits>

namespace cuzk {

/// b of y^2 = x^3 + b: 4 for G1, 4 (1 + u) for G2.
template <class F>
CUZK_HD constexpr F curve_b();

template <>
CUZK_HD constexpr fp curve_b<fp>() {
  return fp::raw({{0xaa270000000cfff3, 0x53cc0032fc34000a, 0x478fe97a6b0a807f, 0xb1d37ebee6ba24d7, 0x8ec9733bbf78ab2f,
                   0x09d645513d83de7e}});
}

template <>
CUZK_HD constexpr fp2 curve_b<fp2>() {
  return {curve_b<fp>(), curve_b<fp>()};
}

CUZK_HD constexpr g1_affine g1_generator() {
  return {fp::raw({{0x5cb38790fd530c16, 0x7817fc679976fff5, 0x154f95c7143ba1c1, 0xf0ae6acdf3d0e747, 0xedce6ecc21dbf440,
                    0x120177419e0bfb75}}),
          fp::raw({{0xbaac93d50ce72271, 0x8c22631a7918fd8e, 0xdd595f13570725ce, 0x51ac582950405194, 0x0e1c8c3fad0059c0,
                    0x0bbc3efc5008a26a}})};
}

CUZK_HD constexpr g2_affine g2_generator() {
  return {{fp::raw({{0xf5f28fa202940a10, 0xb3f5fb2687b4961a, 0xa1a893b53e2ae580, 0x9894999d1a3caee9, 0x6f67b7631863366b,
                     0x058191924350bcd7}}),
           fp::raw({{0xa5a9c0759e23f606, 0xaaa0c59dbccd60c3, 0x3bb17e18e2867806, 0x1b1ab6cc8541b367, 0xc2b6ed0ef2158547,
                     0x11922a097360edf3}})},
          {fp::raw({{0x4c730af860494c4a, 0x597cfa1f5e369c5a, 0xe7e6856caa0a635a, 0xbbefb5e96e0d495f, 0x07d3a975f0ef25a2,
                     0x0083fd8e7e80dae5}}),
           fp::raw({{0xadc0fc92df64b05d, 0x18aa270a2b1461dc, 0x86adac6a3be4eba0, 0x79495c4ec93da33a, 0xe7175850a43ccaed,
                     0x0b2bc2a163de1bf2}})}};
}

/// The generator over F: fp gives G1's, fp2 gives G2's.
template <class F>
CUZK_HD constexpr affine<F> generator() {
  if constexpr (std::is_same_v<F, fp>)
    return g1_generator();
  else
    return g2_generator();
}

/// Whether a point satisfies the curve equation; infinity does.
template <class F>
CUZK_HD constexpr bool is_on_curve(const affine<F>& p) {
  return p.is_infinity() || p.y.square() == p.x.square() * p.x + curve_b<F>();
}

} // namespace cuzk
