// Multi-scalar multiplication in G2.
#include "cuda/msm/sum.cuh"

namespace cuzk::cuda {

status queue_msm(const msm_plan& plan, const g2_affine* points, const fr* scalars, std::byte* scratch, g2* ends,
                 stream_handle s) {
  return queue_sum<fp2>(curve_group::g2, plan, points, scalars, scratch, ends, s);
}

} // namespace cuzk::cuda
