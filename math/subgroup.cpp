#include "math/subgroup.hpp"

namespace cuzk {
namespace {

template <class F>
bool killed_by_r(const affine<F>& p) {
  const auto r = fr_params::modulus();
  return jacobian<F>::from(p).times(r.limb, 4).is_infinity();
}

} // namespace

bool in_subgroup(const g1_affine& p) {
  return killed_by_r(p);
}

bool in_subgroup(const g2_affine& p) {
  return killed_by_r(p);
}

} // namespace cuzk
