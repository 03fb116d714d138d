#pragma once
// Fp2 = Fp[u] / (u^2 + 1). C++17, host and device.
#include "math/field.hpp"

namespace cuzk {

struct fp2 {
  fp c0, c1; ///< c0 + c1 u

  CUZK_HD static constexpr fp2 zero() { return {fp::zero(), fp::zero()}; }
  CUZK_HD static constexpr fp2 one() { return {fp::one(), fp::zero()}; }
  CUZK_HD constexpr bool is_zero() const { return c0.is_zero() && c1.is_zero(); }
  CUZK_HD friend constexpr bool operator==(const fp2& a, const fp2& b) { return a.c0 == b.c0 && a.c1 == b.c1; }
  CUZK_HD friend constexpr bool operator!=(const fp2& a, const fp2& b) { return !(a == b); }
  CUZK_HD friend constexpr fp2 operator+(const fp2& a, const fp2& b) { return {a.c0 + b.c0, a.c1 + b.c1}; }
  CUZK_HD friend constexpr fp2 operator-(const fp2& a, const fp2& b) { return {a.c0 - b.c0, a.c1 - b.c1}; }
  CUZK_HD constexpr fp2 operator-() const { return {-c0, -c1}; }
  CUZK_HD friend constexpr fp2 operator*(const fp2& a, const fp2& b) {
    const fp t0 = a.c0 * b.c0, t1 = a.c1 * b.c1;
    return {t0 - t1, (a.c0 + a.c1) * (b.c0 + b.c1) - t0 - t1};
  }
  CUZK_HD friend constexpr fp2 operator*(const fp2& a, const fp& b) { return {a.c0 * b, a.c1 * b}; }
  CUZK_HD constexpr fp2& operator+=(const fp2& b) { return *this = *this + b; }
  CUZK_HD constexpr fp2& operator-=(const fp2& b) { return *this = *this - b; }
  CUZK_HD constexpr fp2& operator*=(const fp2& b) { return *this = *this * b; }
  CUZK_HD constexpr fp2 square() const {
    const fp t = c0 * c1;
    return {(c0 + c1) * (c0 - c1), t + t};
  }
  CUZK_HD constexpr fp2 doubled() const { return *this + *this; }
  CUZK_HD constexpr fp2 conjugate() const { return {c0, -c1}; }
  /// (1 + u) * this
  CUZK_HD constexpr fp2 times_nonresidue() const { return {c0 - c1, c0 + c1}; }
  /// 1/this; zero for zero.
  CUZK_HD constexpr fp2 inverse() const {
    const fp n = (c0.square() + c1.square()).inverse();
    return {c0 * n, -(c1 * n)};
  }
};

} // namespace cuzk
