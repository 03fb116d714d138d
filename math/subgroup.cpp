#include "math/subgroup.hpp"

#include "math/endomorphism.hpp"

namespace cuzk {
namespace {

template <class F>
jacobian<F> times_x_abs(const jacobian<F>& p) {
  return p.times(&curve_x_abs, 1);
}

} // namespace

bool in_subgroup(const g1_affine& p) {
  return times_x_abs(times_x_abs(g1::from(p))) == g1::from(-phi(p));
}

bool in_subgroup(const g2_affine& p) {
  return times_x_abs(g2::from(p)) == g2::from(-psi(p));
}

} // namespace cuzk
