// The end of a multi-scalar multiplication: weighing what the device has summed by powers of two.
#include "cuda/msm/msm.hpp"

namespace cuzk::cuda {
namespace {

template <class F>
jacobian<F> weigh(const msm_plan& plan, const jacobian<F>* ends) {
  auto total = jacobian<F>::infinity();
  int bit = plan.terms.empty() ? 0 : plan.terms.front().bit;
  for (const msm_term& t : plan.terms) {
    for (; bit > t.bit; --bit)
      total = total.doubled();
    total += ends[t.end];
  }
  for (; bit > 0; --bit)
    total = total.doubled();
  return total;
}

} // namespace

g1 msm_result(const msm_plan& plan, const g1* ends) {
  return weigh(plan, ends);
}
g2 msm_result(const msm_plan& plan, const g2* ends) {
  return weigh(plan, ends);
}

} // namespace cuzk::cuda
