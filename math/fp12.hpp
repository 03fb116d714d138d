#pragma once
// The tower over Fp2: Fp6 = Fp2[v] / (v^3 - (1 + u)), Fp12 = Fp6[w] / (w^2 - v).
#include "math/fp2.hpp"

namespace cuzk {

/// c0 + c1 v + c2 v^2
struct fp6 {
  fp2 c0, c1, c2;

  static constexpr fp6 zero() { return {fp2::zero(), fp2::zero(), fp2::zero()}; }
  static constexpr fp6 one() { return {fp2::one(), fp2::zero(), fp2::zero()}; }
  bool is_zero() const { return c0.is_zero() && c1.is_zero() && c2.is_zero(); }
  friend bool operator==(const fp6& a, const fp6& b) { return a.c0 == b.c0 && a.c1 == b.c1 && a.c2 == b.c2; }
  friend bool operator!=(const fp6& a, const fp6& b) { return !(a == b); }
  friend fp6 operator+(const fp6& a, const fp6& b) { return {a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2}; }
  friend fp6 operator-(const fp6& a, const fp6& b) { return {a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2}; }
  friend fp6 operator*(const fp6& a, const fp6& b);
  fp6 operator-() const { return {-c0, -c1, -c2}; }
  fp6 square() const { return *this * *this; }
  /// v * this
  fp6 times_v() const { return {c2.times_nonresidue(), c0, c1}; }
  /// 1/this; zero for zero.
  fp6 inverse() const;
};

/// c0 + c1 w
struct fp12 {
  fp6 c0, c1;

  static constexpr fp12 one() { return {fp6::one(), fp6::zero()}; }
  friend bool operator==(const fp12& a, const fp12& b) { return a.c0 == b.c0 && a.c1 == b.c1; }
  friend bool operator!=(const fp12& a, const fp12& b) { return !(a == b); }
  friend fp12 operator+(const fp12& a, const fp12& b) { return {a.c0 + b.c0, a.c1 + b.c1}; }
  friend fp12 operator*(const fp12& a, const fp12& b);
  fp12& operator*=(const fp12& b) { return *this = *this * b; }
  fp12 square() const;
  /// this^(p^6): the inverse, for elements whose norm to Fp6 is one.
  fp12 conjugate() const { return {c0, -c1}; }
  /// 1/this; zero for zero.
  fp12 inverse() const;
  /// this^(p^power), power = 1, 2 or 3.
  fp12 frobenius(int power) const;
  /// The square of an element of the cyclotomic subgroup (order dividing p^4 - p^2 + 1): 9 squarings of Fp2.
  /// Granger, Scott: Faster squaring in the cyclotomic subgroup of sixth degree extensions, 2010.
  fp12 cyclotomic_square() const;
  /// this * (a + b v + c v w): what a line of the pairing looks like. 13 products of Fp2 instead of 18.
  fp12 times_line(const fp2& a, const fp2& b, const fp2& c) const;
};

} // namespace cuzk
