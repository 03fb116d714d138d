#pragma once
// Points as they lie in a file or in memory.
#include "math/curve.hpp"

#include <cstddef>
#include <cstdint>

namespace cuzk {

enum class point_layout : std::uint8_t {
  montgomery, ///< affine<F> as in memory: Montgomery limbs, little endian; infinity is (0, 0)
  big_endian, ///< uncompressed as in .params: G1 x, y of 48 bytes; G2 x.c1, x.c0, y.c1, y.c0
};

/// `count` points, one after another. `check_curve`: points are checked to lie on the curve when they are read; range
/// is always checked in big-endian form.
struct point_view {
  const std::byte* data = nullptr;
  std::size_t count = 0;
  point_layout layout = point_layout::montgomery;
  bool check_curve = false;
};

template <class F>
point_view view_of(const affine<F>* points, std::size_t count) {
  return {reinterpret_cast<const std::byte*>(points), count, point_layout::montgomery, false};
}

} // namespace cuzk
