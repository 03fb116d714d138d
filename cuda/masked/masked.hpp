#pragma once
// Sums of the points a bit mask picks: bit scalars are no scalars. No CUDA header.
#include "cuda/device/memory.hpp"
#include "cuda/msm/plan.hpp"
#include "math/curve.hpp"

namespace cuzk::cuda {

/// Byte offsets in the scratch memory of a masked sum.
struct masked_plan {
  curve_group group = curve_group::g1;
  std::size_t points = 0;
  std::uint32_t grid = 0;  ///< blocks of the addition kernel
  std::uint32_t depth = 0; ///< additions a thread batches, at most
  int levels = 0;          ///< halvings queued; what is left then fits one block
  std::size_t list = 0, tree = 0, partial = 0, prefix = 0, counters = 0, end = 0;
  std::size_t scratch_bytes = 0;
};

/// Errors: bad_input (size outside 1 .. 2^28, no multiprocessors).
result<masked_plan> plan_masked(curve_group group, std::size_t points, int multiprocessors);

/// Queues the sum of the points whose bit is set and returns; one inversion a few hundred additions, no buckets.
/// Shapes: plan.points points as math/curve.hpp lays them out, infinity (0, 0); mask of as many bits, bit i is bit i %
/// 64 of word i / 64, bits past the end clear; `scratch` plan.scratch_bytes aligned to 256; all on the device. `sum`
/// one point of host memory (pinned, or the call waits), written when the stream has passed. Errors: bad_input (the
/// plan is for the other group), gpu_fault.
status queue_masked(const masked_plan& plan, const g1_affine* points, const std::uint64_t* mask, std::byte* scratch,
                    g1* sum, stream_handle s);
status queue_masked(const masked_plan& plan, const g2_affine* points, const std::uint64_t* mask, std::byte* scratch,
                    g2* sum, stream_handle s);

} // namespace cuzk::cuda
