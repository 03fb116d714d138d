#pragma once
// Multi-scalar multiplication on the device: sum of scalars[i] * points[i] in G1 or G2. No CUDA header.
#include "cuda/device/memory.hpp"
#include "cuda/msm/plan.hpp"
#include "math/curve.hpp"

namespace cuzk::cuda {

/// Queues the sum on `s` and returns; no assumption on points or scalars (equal, opposite, infinity, zero).
/// Shapes: plan.options.points points as math/curve.hpp lays them out, infinity (0, 0), and as many scalars in
/// Montgomery form, both on the device and untouched; `scratch` plan.scratch_bytes on the device, aligned to 256;
/// `ends` plan.ends() points of host memory (pinned, or the call waits). When the stream has passed, msm_result turns
/// `ends` into the answer. Errors: bad_input (the plan is for the other group), gpu_fault.
status queue_msm(const msm_plan& plan, const g1_affine* points, const fr* scalars, std::byte* scratch, g1* ends,
                 stream_handle s);
status queue_msm(const msm_plan& plan, const g2_affine* points, const fr* scalars, std::byte* scratch, g2* ends,
                 stream_handle s);

/// The last few hundred additions, on the host: about 255 doublings.
g1 msm_result(const msm_plan& plan, const g1* ends);
g2 msm_result(const msm_plan& plan, const g2* ends);

} // namespace cuzk::cuda
