// Multi-scalar multiplication in G1.
#include "cuda/msm/sum.cuh"

namespace cuzk::cuda {

status queue_msm(const msm_plan& plan, const g1_affine* points, const fr* scalars, std::byte* scratch, g1* ends,
                 stream_handle s) {
  return queue_sum<fp>(curve_group::g1, plan, points, scalars, scratch, ends, s);
}

} // namespace cuzk::cuda
