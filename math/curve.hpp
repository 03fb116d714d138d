#pragma once
// Points of y^2 = x^3 + b over Fp (G1, b = 4) and Fp2 (G2, b = 4 (1 + u)). C++17, host and device.
#include "math/fp2.hpp"

namespace cuzk {

/// Affine point. Infinity is (0, 0), which lies on neither curve.
template <class F>
struct affine {
  using field_type = F;
  F x, y;
  CUZK_HD static constexpr affine infinity() { return {F::zero(), F::zero()}; }
  CUZK_HD constexpr bool is_infinity() const { return x.is_zero() && y.is_zero(); }
  CUZK_HD friend constexpr bool operator==(const affine& a, const affine& b) { return a.x == b.x && a.y == b.y; }
  CUZK_HD friend constexpr bool operator!=(const affine& a, const affine& b) { return !(a == b); }
  CUZK_HD constexpr affine operator-() const { return {x, -y}; }
};

/// Jacobian point (x / z^2, y / z^3). Infinity has z = 0. Every operation takes every operand.
/// Formulas: EFD g1p/auto-shortw-jacobian-0, dbl-2009-l (2M + 5S), add-2007-bl (11M + 5S), madd-2007-bl (7M + 4S).
template <class F>
struct jacobian {
  using field_type = F;
  F x, y, z;
  CUZK_HD static constexpr jacobian infinity() { return {F::one(), F::one(), F::zero()}; }
  CUZK_HD static constexpr jacobian from(const affine<F>& p) {
    return p.is_infinity() ? infinity() : jacobian{p.x, p.y, F::one()};
  }
  CUZK_HD constexpr bool is_infinity() const { return z.is_zero(); }
  CUZK_HD constexpr jacobian operator-() const { return {x, -y, z}; }

  CUZK_HD constexpr jacobian doubled() const {
    if (is_infinity())
      return *this;
    const F a = x.square(), b = y.square(), c = b.square();
    const F d = ((x + b).square() - a - c).doubled();
    const F e = a.doubled() + a;
    const F x3 = e.square() - d.doubled();
    const F y3 = e * (d - x3) - c.doubled().doubled().doubled();
    return {x3, y3, (y * z).doubled()};
  }
  CUZK_HD friend constexpr jacobian operator+(const jacobian& p, const jacobian& q) {
    if (p.is_infinity())
      return q;
    if (q.is_infinity())
      return p;
    const F z1z1 = p.z.square(), z2z2 = q.z.square();
    const F u1 = p.x * z2z2, u2 = q.x * z1z1;
    const F s1 = p.y * q.z * z2z2, s2 = q.y * p.z * z1z1;
    const F h = u2 - u1, r = (s2 - s1).doubled();
    if (h.is_zero())
      return r.is_zero() ? p.doubled() : infinity();
    const F i = h.doubled().square(), j = h * i, v = u1 * i;
    const F x3 = r.square() - j - v.doubled();
    return {x3, r * (v - x3) - (s1 * j).doubled(), ((p.z + q.z).square() - z1z1 - z2z2) * h};
  }
  CUZK_HD friend constexpr jacobian operator+(const jacobian& p, const affine<F>& q) {
    if (q.is_infinity())
      return p;
    if (p.is_infinity())
      return from(q);
    const F z1z1 = p.z.square();
    const F u2 = q.x * z1z1, s2 = q.y * p.z * z1z1;
    const F h = u2 - p.x, r = (s2 - p.y).doubled();
    if (h.is_zero())
      return r.is_zero() ? p.doubled() : infinity();
    const F hh = h.square(), i = hh.doubled().doubled(), j = h * i, v = p.x * i;
    const F x3 = r.square() - j - v.doubled();
    return {x3, r * (v - x3) - (p.y * j).doubled(), (p.z + h).square() - z1z1 - hh};
  }
  CUZK_HD constexpr jacobian& operator+=(const jacobian& q) { return *this = *this + q; }
  CUZK_HD constexpr jacobian& operator+=(const affine<F>& q) { return *this = *this + q; }
  CUZK_HD friend constexpr jacobian operator-(const jacobian& p, const jacobian& q) { return p + (-q); }
  CUZK_HD friend constexpr bool operator==(const jacobian& p, const jacobian& q) {
    if (p.is_infinity() || q.is_infinity())
      return p.is_infinity() == q.is_infinity();
    const F z1z1 = p.z.square(), z2z2 = q.z.square();
    return p.x * z2z2 == q.x * z1z1 && p.y * q.z * z2z2 == q.y * p.z * z1z1;
  }
  /// e times this, e a plain integer, limbs little endian. Double and add, not constant time.
  CUZK_HD constexpr jacobian times(const std::uint64_t* e, int e_limbs) const {
    jacobian out = infinity();
    for (int i = 64 * e_limbs - 1; i >= 0; --i) {
      out = out.doubled();
      if (e[i / 64] >> (i % 64) & 1)
        out += *this;
    }
    return out;
  }
  CUZK_HD constexpr jacobian times(const fr& k) const {
    const auto e = k.to_int();
    return times(e.limb, 4);
  }
  /// One inversion.
  CUZK_HD constexpr affine<F> to_affine() const {
    if (is_infinity())
      return affine<F>::infinity();
    const F zi = z.inverse(), zz = zi.square();
    return {x * zz, y * zz * zi};
  }
};

using g1_affine = affine<fp>;
using g2_affine = affine<fp2>;
using g1 = jacobian<fp>;
using g2 = jacobian<fp2>;

} // namespace cuzk
