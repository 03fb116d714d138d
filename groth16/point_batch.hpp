#pragma once
// Many different points times many different scalars, and Fourier transforms of points: what deriving a key from its
// points takes.
#include "math/curve.hpp"
#include "math/lanes/point_pairs.hpp"
#include "runtime/base/thread_pool.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace cuzk::groth16 {

/// k = low + high x^2 with both below 2^128, so that k P = low P - high phi(P) (math/endomorphism.hpp).
/// Source: Gallant, Lambert, Vanstone, CRYPTO 2001; for this curve r = x^4 - x^2 + 1.
struct halves {
  unsigned __int128 low, high;
};
halves split_scalar(const fr& k);

/// Point operations over one engine, spread over the pool. Immutable.
class point_batch {
public:
  virtual ~point_batch() = default;
  /// points[i] := scalars[i] * points[i]. One product of 255 bits takes about 16 us of a core in lanes.
  virtual void multiply(std::span<g1_affine> points, std::span<const fr> scalars) const = 0;
  /// points[k] := sum over i of root^(i k) points[i], natural order; the size is a power of two and root has that
  /// order. Looks at `stop` between layers; then the points are of no use.
  virtual void transform(std::span<g1_affine> points, const fr& root, const std::atomic<bool>* stop) const = 0;
  /// sums[g] := sum of points[items[i]] over i in [ends[g - 1], ends[g]), the sign of an item in its top bit.
  virtual std::vector<g1_affine> sums(std::span<const g1_affine> points, std::span<const std::uint32_t> items,
                                      std::span<const std::uint32_t> ends) const = 0;
  static constexpr std::uint32_t negative = 0x80000000;
};

/// The best engine of this processor, or the plain one. The pool must outlive the object.
std::unique_ptr<const point_batch> make_point_batch(thread_pool& pool, bool lanes);

} // namespace cuzk::groth16
