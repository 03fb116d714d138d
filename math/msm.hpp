#pragma once
// Multi-scalar multiplication and sums of selected points, in G1 and G2.
#include "math/curve.hpp"
#include "math/point_view.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/thread_pool.hpp"

#include <atomic>
#include <cstdint>
#include <span>

namespace cuzk {

/// Which code runs; `best` asks the processor. The others are for tests; they must be available.
enum class msm_path { best, plain, ifma };

/// How a sum is made.
struct msm_options {
  thread_pool& pool;
  const std::atomic<bool>* stop = nullptr; ///< looked at every few milliseconds; then errc::cancelled
  msm_path path = msm_path::best;
};

/// sum over i of scalars[i] * points[i]; `indices`, when not empty, says which point meets scalars[i] (ascending).
/// Pippenger with signed windows; buckets are summed by trees of batched affine additions, so no distribution of the
/// scalars is slow: equal ones, 0, 1, r - 1, infinity, P and -P are all taken.
/// Scratch: at most about 130 MiB in G1 and 200 MiB in G2, much less below 2^16 points.
/// Errors: params with the index of a point that is not canonical, at infinity (big-endian form) or off the curve;
/// bad_input when an index or the lengths do not fit; cancelled.
template <class F>
result<jacobian<F>> msm(const point_view& points, std::span<const std::uint32_t> indices, std::span<const fr> scalars,
                        const msm_options& options);

/// Sum of the points whose bit is set: bit i of mask (word i / 64, lowest first) belongs to point first + i.
/// Points are read once, in pieces; scratch about 20 MiB a thread. Errors as for msm.
template <class F>
result<jacobian<F>> masked_sum(const point_view& points, std::span<const std::uint64_t> mask,
                               const msm_options& options);

} // namespace cuzk
