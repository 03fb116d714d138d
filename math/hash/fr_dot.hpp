#pragma once
// Inner products of scalars with one reduction.
#include "math/field.hpp"

namespace cuzk {

/// sum of a[i] * b[i], i < n; n <= 64. About half the price of n products and sums.
/// Bound: the sum stays below 64 r^2 < 2^516; limb by limb it is folded by multiples of r as in a Montgomery product.
fr fr_dot(const fr* a, const fr* b, unsigned n) noexcept;
/// The same in plain C++, whatever the processor.
fr fr_dot_portable(const fr* a, const fr* b, unsigned n) noexcept;

} // namespace cuzk
