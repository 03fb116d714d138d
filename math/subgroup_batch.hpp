#pragma once
// Arrays of points: range, curve, and a random test that all lie in the subgroup of order r.
#include "math/cpu_features.hpp"
#include "math/hash/digest.hpp"
#include "math/point_view.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/thread_pool.hpp"

#include <memory>

namespace cuzk {

/// Random test that many points lie in the subgroup, fed piece by piece. In each of 5 rounds every block of 4096 points
/// goes, in random order and with random signs, into 4096 buckets, one point a bucket; in the end every bucket is
/// tested exactly. Points of the subgroup are never refused.
///
/// If some point is outside, all rounds together accept with probability at most 2^-65, one round with at most 2^-13:
/// say a block holds j > 0 points outside. Given the sums of all other blocks, its points must fall exactly on the j
/// buckets that are off, which has a chance of 1 / C(4096, j), and with the right signs, 2^-j since the cofactors are
/// odd; the product is largest for j = 1. The seed must be unknown to whoever made the points.
///
/// One core: 0.7 us a G1 point with AVX-512 IFMA, 1.3 us without, and 0.8 s in the end. Instantiated for fp and fp2.
template <class F>
class subgroup_batch {
public:
  /// @param ifma whether to use AVX-512; only where cpu().avx512ifma.
  subgroup_batch(const digest& seed, const thread_pool& pool, bool ifma = cpu().avx512ifma);
  ~subgroup_batch();
  subgroup_batch(const subgroup_batch&) = delete;
  subgroup_batch& operator=(const subgroup_batch&) = delete;

  /// Reads the points as their view says. Many thousand at a time are best: a short block costs as much as a full one.
  /// Errors: params with the index of a point that is not canonical, at infinity (big-endian form), or off the curve
  /// (where the view says check_curve; else the caller knows that it is on it).
  status add(const point_view& points, thread_pool& pool);
  /// The verdict over all points added; the object is used up.
  bool finish(thread_pool& pool);

  class engine_part; ///< one for each engine of math/lanes/point_pairs.hpp

private:
  std::unique_ptr<engine_part> part_;
};

extern template class subgroup_batch<fp>;
extern template class subgroup_batch<fp2>;

/// The full test of an array of a key: range, curve, subgroup; point by point where that is cheaper (below 20000).
/// Errors: params, naming the first bad point where it is known.
template <class F>
status check_points(const point_view& points, const digest& seed, thread_pool& pool);

} // namespace cuzk
