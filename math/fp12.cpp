#include "math/fp12.hpp"

#include <array>

namespace cuzk {

// Karatsuba over three parts: 6 products instead of 9.
fp6 operator*(const fp6& a, const fp6& b) {
  const fp2 t0 = a.c0 * b.c0, t1 = a.c1 * b.c1, t2 = a.c2 * b.c2;
  const fp2 m12 = (a.c1 + a.c2) * (b.c1 + b.c2) - t1 - t2;
  const fp2 m01 = (a.c0 + a.c1) * (b.c0 + b.c1) - t0 - t1;
  const fp2 m02 = (a.c0 + a.c2) * (b.c0 + b.c2) - t0 - t2;
  return {t0 + m12.times_nonresidue(), m01 + t2.times_nonresidue(), m02 + t1};
}

fp6 fp6::inverse() const {
  const fp2 a = c0.square() - (c1 * c2).times_nonresidue();
  const fp2 b = c2.square().times_nonresidue() - c0 * c1;
  const fp2 c = c1.square() - c0 * c2;
  const fp2 n = (c0 * a + (c2 * b + c1 * c).times_nonresidue()).inverse();
  return {a * n, b * n, c * n};
}

fp12 operator*(const fp12& a, const fp12& b) {
  const fp6 t0 = a.c0 * b.c0, t1 = a.c1 * b.c1;
  return {t0 + t1.times_v(), (a.c0 + a.c1) * (b.c0 + b.c1) - t0 - t1};
}

fp12 fp12::square() const {
  const fp6 t = c0 * c1;
  return {(c0 + c1) * (c0 + c1.times_v()) - t - t.times_v(), t + t};
}

fp12 fp12::inverse() const {
  const fp6 n = (c0.square() - c1.square().times_v()).inverse();
  return {c0 * n, -(c1 * n)};
}

namespace {

// g^i, g = (1 + u)^((p - 1) / 6), which is w^(p - 1); i = 0..5. And the same for p^2: norms of those, in Fp.
struct frobenius_table {
  std::array<fp2, 6> first;
  std::array<fp, 6> second;
};

frobenius_table make_frobenius_table() {
  auto e = fp_params::modulus(); // (p - 1) / 6 by long division
  e.limb[0] -= 1;
  std::uint64_t rest = 0;
  for (int i = 5; i >= 0; --i) {
    const unsigned __int128 part = static_cast<unsigned __int128>(rest) << 64 | e.limb[i];
    e.limb[i] = static_cast<std::uint64_t>(part / 6);
    rest = static_cast<std::uint64_t>(part % 6);
  }
  fp2 g = fp2::one();
  for (int i = 64 * 6 - 1; i >= 0; --i) {
    g = g.square();
    if (e.limb[i / 64] >> (i % 64) & 1)
      g = g.times_nonresidue();
  }
  frobenius_table out;
  out.first[0] = fp2::one();
  for (int i = 1; i < 6; ++i)
    out.first[i] = out.first[i - 1] * g;
  for (int i = 0; i < 6; ++i)
    out.second[i] = out.first[i].c0.square() + out.first[i].c1.square();
  return out;
}

const frobenius_table& frobenius_constants() {
  static const frobenius_table table = make_frobenius_table();
  return table;
}

} // namespace

fp12 fp12::frobenius(int power) const {
  const auto& g = frobenius_constants();
  if (power == 3)
    return frobenius(2).frobenius(1);
  if (power == 2)
    return {{c0.c0, c0.c1 * g.second[2], c0.c2 * g.second[4]},
            {c1.c0 * g.second[1], c1.c1 * g.second[3], c1.c2 * g.second[5]}};
  return {{c0.c0.conjugate(), c0.c1.conjugate() * g.first[2], c0.c2.conjugate() * g.first[4]},
          {c1.c0.conjugate() * g.first[1], c1.c1.conjugate() * g.first[3], c1.c2.conjugate() * g.first[5]}};
}

namespace {

// (a + b s)^2 in Fp4 = Fp2[s] / (s^2 - (1 + u))
struct fp4 {
  fp2 a, b;
  fp4 square() const {
    const fp2 aa = a.square(), bb = b.square();
    return {aa + bb.times_nonresidue(), (a + b).square() - aa - bb};
  }
};

// 3 x - 2 y and 3 x + 2 y
fp2 three_less_two(const fp2& x, const fp2& y) {
  return (x - y).doubled() + x;
}
fp2 three_and_two(const fp2& x, const fp2& y) {
  return (x + y).doubled() + x;
}

} // namespace

fp12 fp12::cyclotomic_square() const {
  const fp4 t0 = fp4{c0.c0, c1.c1}.square(), t1 = fp4{c1.c0, c0.c2}.square(), t2 = fp4{c0.c1, c1.c2}.square();
  return {{three_less_two(t0.a, c0.c0), three_less_two(t1.a, c0.c1), three_less_two(t2.a, c0.c2)},
          {three_and_two(t2.b.times_nonresidue(), c1.c0), three_and_two(t0.b, c1.c1), three_and_two(t1.b, c1.c2)}};
}

namespace {

// x * (a + b v): 5 products
fp6 times_two(const fp6& x, const fp2& a, const fp2& b) {
  const fp2 t0 = x.c0 * a, t1 = x.c1 * b;
  return {t0 + ((x.c1 + x.c2) * b - t1).times_nonresidue(), (x.c0 + x.c1) * (a + b) - t0 - t1,
          (x.c0 + x.c2) * a - t0 + t1};
}

// x * c v: 3 products
fp6 times_one(const fp6& x, const fp2& c) {
  return {(x.c2 * c).times_nonresidue(), x.c0 * c, x.c1 * c};
}

} // namespace

fp12 fp12::times_line(const fp2& a, const fp2& b, const fp2& c) const {
  const fp6 t0 = times_two(c0, a, b), t1 = times_one(c1, c);
  return {t0 + t1.times_v(), times_two(c0 + c1, a, b + c) - t0 - t1};
}

} // namespace cuzk
