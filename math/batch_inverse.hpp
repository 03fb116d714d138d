#pragma once
// Many inversions for the price of one: Montgomery's trick.
#include "math/curve.hpp"

#include <span>
#include <vector>

namespace cuzk {

/// Replaces every value by its inverse; zeros stay zero. Three multiplications a value and one inversion.
/// @param scratch at least as long as `values`; its contents are lost.
template <class F>
void batch_invert(std::span<F> values, std::span<F> scratch) {
  F product = F::one();
  for (std::size_t i = 0; i < values.size(); ++i) {
    scratch[i] = product;
    if (!values[i].is_zero())
      product *= values[i];
  }
  F rest = product.inverse();
  for (std::size_t i = values.size(); i-- > 0;) {
    if (values[i].is_zero())
      continue;
    const F inverse = rest * scratch[i];
    rest *= values[i];
    values[i] = inverse;
  }
}

template <class F>
void batch_invert(std::span<F> values) {
  std::vector<F> scratch(values.size());
  batch_invert(values, std::span<F>(scratch));
}

/// Jacobian points to affine with one inversion. `out` has the length of `points`.
template <class F>
void batch_to_affine(std::span<const jacobian<F>> points, std::span<affine<F>> out) {
  std::vector<F> z(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    z[i] = points[i].z;
  batch_invert(std::span<F>(z));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const F zz = z[i].square(); // zero at infinity, which gives (0, 0)
    out[i] = {points[i].x * zz, points[i].y * zz * z[i]};
  }
}

} // namespace cuzk
