#include "math/sqrt.hpp"

namespace cuzk {
namespace {

// x >> bits, bits < 64
template <int N>
constexpr big_int<N> shifted_right(big_int<N> x, int bits) {
  for (int i = 0; i < N; ++i)
    x.limb[i] = x.limb[i] >> bits | (i + 1 < N ? x.limb[i + 1] << (64 - bits) : 0);
  return x;
}

// (p - 3) / 4 = p >> 2, since p = 3 mod 4
constexpr auto p_minus_3_over_4 = shifted_right(fp_params::modulus(), 2);

constexpr fp half() {
  return fp::from_u64(2).inverse();
}

// 7^((r - 1) / 2^32): a primitive 2^32-th root of unity.
constexpr int two_adicity = 32;

big_int<4> odd_part_of_r_minus_1() {
  const auto r = fr_params::modulus();
  return {{r.limb[0] >> 32 | r.limb[1] << 32, r.limb[1] >> 32 | r.limb[2] << 32, r.limb[2] >> 32 | r.limb[3] << 32,
           r.limb[3] >> 32}};
}

// a^e, e in windows of 4 bits: 95 products beside the squarings instead of 190.
fp power(const fp& a, const big_int<6>& e) {
  fp table[16] = {fp::one()};
  for (int i = 1; i < 16; ++i)
    table[i] = table[i - 1] * a;
  fp out = fp::one();
  for (int at = 64 * 6 - 4; at >= 0; at -= 4) {
    for (int i = 0; i < 4; ++i)
      out *= out;
    out *= table[e.limb[at / 64] >> (at % 64) & 15];
  }
  return out;
}

} // namespace

std::optional<fp> square_root(const fp& a) {
  const fp root = power(a, p_minus_3_over_4) * a;
  if (root.square() != a)
    return std::nullopt;
  return root;
}

std::optional<fp2> square_root(const fp2& a) {
  if (a.c1.is_zero()) { // a root is real, or purely imaginary since -1 is no square
    if (const auto real = square_root(a.c0))
      return fp2{*real, fp::zero()};
    return fp2{fp::zero(), square_root(-a.c0).value()};
  }
  // (x + y u)^2 = a: x^2 = (c0 + n) / 2 for one of the two signs of n = sqrt(c0^2 + c1^2), y = c1 / (2 x).
  static const fp one_half = half();
  const auto norm = square_root(a.c0.square() + a.c1.square());
  if (!norm)
    return std::nullopt;
  auto x = square_root((a.c0 + *norm) * one_half);
  if (!x)
    x = square_root((a.c0 - *norm) * one_half);
  if (!x)
    return std::nullopt;
  return fp2{*x, a.c1 * one_half * x->inverse()};
}

std::optional<fr> square_root(const fr& a) {
  if (a.is_zero())
    return a;
  const auto odd = odd_part_of_r_minus_1();
  const auto half_odd = shifted_right(odd, 1); // (odd - 1) / 2
  fr z = fr::from_u64(7).pow(odd.limb, 4);
  fr root = a.pow(half_odd.limb, 4);
  fr t = root.square() * a; // a^odd, of order 2^k
  root *= a;
  int order = two_adicity;
  while (t != fr::one()) {
    int k = 0;
    for (fr s = t; s != fr::one(); s = s.square())
      if (++k == order)
        return std::nullopt;
    fr step = z;
    for (int i = 0; i + k + 1 < order; ++i)
      step = step.square();
    root *= step;
    z = step.square();
    t *= z;
    order = k;
  }
  return root;
}

} // namespace cuzk
