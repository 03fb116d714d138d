#include "math/pairing.hpp"

#include "math/endomorphism.hpp"
#include "math/generators.hpp"

#include <vector>

namespace cuzk {
namespace {

constexpr std::uint64_t x_abs = curve_x_abs; // the curve's parameter is -x_abs
constexpr int x_bits = 64;

// A line a + b v + c v w, up to a factor that the final exponentiation removes.
struct line {
  fp2 a, b, c;
};

// A running point T = (X / Z, Y / Z) of the twist and the pair it belongs to.
// Untwisting sends (x, y) to (x / w^2, y / w^3), so the line of slope s through (x, y) at P = (xp, yp), times w^3,
// is (s x - y) - s xp v + yp v w.
struct runner {
  fp xp, yp;
  g2_affine q;
  fp2 x, y, z;

  line double_step();
  line add_step();
};

// Costello, Lange, Naehrig: Faster pairing computations on curves with high-degree twists, PKC 2010 (6.1), with b = 4
// xi.
line runner::double_step() {
  static const fp2 three_b = curve_b<fp2>().doubled() + curve_b<fp2>();
  const fp2 b = y.square(), c = z.square();
  const fp2 e = three_b * c, f = e.doubled() + e;
  const fp2 h = (y + z).square() - b - c; // 2 Y Z
  const fp2 j = x.square();
  const fp2 xy = x * y;
  const line out{b - e, -((j.doubled() + j) * xp), h * yp};
  // All coordinates four times the formula's: no halving.
  const fp2 ee = e.square(), g = b + f;
  x = (xy * (b - f)).doubled();
  y = g.square() - (ee.doubled() + ee).doubled().doubled();
  z = (b * h).doubled().doubled();
  return out;
}

line runner::add_step() {
  const fp2 t = y - q.y * z, l = x - q.x * z; // slope t / l
  const line out{t * q.x - l * q.y, -(t * xp), l * yp};
  const fp2 ll = l.square(), e = l * ll, g = x * ll;
  const fp2 h = e + z * t.square() - g.doubled();
  x = l * h;
  y = t * (g - h) - e * y;
  z *= e;
  return out;
}

// f^|x| in the cyclotomic subgroup.
fp12 power_x_abs(const fp12& f) {
  fp12 out = f;
  for (int i = x_bits - 2; i >= 0; --i) {
    out = out.cyclotomic_square();
    if (x_abs >> i & 1)
      out *= f;
  }
  return out;
}

// f^x; inverting is conjugating there.
fp12 power_x(const fp12& f) {
  return power_x_abs(f).conjugate();
}

} // namespace

fp12 miller_loop(std::span<const pairing_term> terms) {
  std::vector<runner> runners;
  runners.reserve(terms.size());
  for (const auto& t : terms)
    if (!t.p.is_infinity() && !t.q.is_infinity())
      runners.push_back({t.p.x, t.p.y, t.q, t.q.x, t.q.y, fp2::one()});
  fp12 f = fp12::one();
  for (int i = x_bits - 2; i >= 0; --i) {
    f = f.square();
    for (auto& r : runners) {
      const line l = r.double_step();
      f = f.times_line(l.a, l.b, l.c);
    }
    if ((x_abs >> i & 1) == 0)
      continue;
    for (auto& r : runners) {
      const line l = r.add_step();
      f = f.times_line(l.a, l.b, l.c);
    }
  }
  return f.conjugate();
}

fp12 final_exponentiation(const fp12& f) {
  // (p^6 - 1)(p^2 + 1), then 3 (p^4 - p^2 + 1) / r = (x - 1)^2 (x + p) (x^2 + p^2 - 1) + 3.
  const fp12 t = f.conjugate() * f.inverse();
  const fp12 m = t.frobenius(2) * t;
  const auto minus_one = [](const fp12& a) { return power_x(a) * a.conjugate(); }; // a^(x - 1)
  const fp12 a = minus_one(minus_one(m));
  const fp12 b = power_x(a) * a.frobenius(1);
  const fp12 c = power_x(power_x(b)) * b.frobenius(2) * b.conjugate();
  return c * m.cyclotomic_square() * m;
}

fp12 pairing(const g1_affine& p, const g2_affine& q) {
  const pairing_term term{p, q};
  return final_exponentiation(miller_loop({&term, 1}));
}

bool product_is_one(std::span<const pairing_term> terms) {
  return final_exponentiation(miller_loop(terms)) == fp12::one();
}

} // namespace cuzk
