// Pornin: Optimized binary GCD for modular inversion, ePrint 2020/972, Algorithm 2, with runs of halvings taken at
// once: some 100 products' worth instead of the 570 of Fermat's power.
#include "math/field_inverse.hpp"

#include "math/field.hpp"

namespace cuzk::gcd {
namespace {

constexpr int steps = 31; ///< halvings between two updates of the long numbers

/// What `steps` halvings did: new a = (f0 a + g0 b) / 2^31, new b = (f1 a + g1 b) / 2^31; no factor above 2^31.
struct factors {
  std::int64_t f0 = 1, g0 = 0, f1 = 0, g1 = 1;
};

/// Runs the halvings on approximations: the exact low 31 bits and the top 33 bits of a and b.
factors run_steps(std::uint64_t a, std::uint64_t b) noexcept {
  factors m;
  for (int left = steps;;) {
    const int zeros = __builtin_ctzll(a | std::uint64_t{1} << left);
    a >>= zeros;
    m.f1 <<= zeros;
    m.g1 <<= zeros;
    left -= zeros;
    if (left == 0)
      return m;
    const std::uint64_t swap = 0 - std::uint64_t{a < b}; // as masks: the outcome is a coin toss
    const auto exchange = [swap](auto& x, auto& y) {
      const auto d = static_cast<std::uint64_t>(x ^ y) & swap;
      x ^= d;
      y ^= d;
    };
    exchange(a, b);
    exchange(m.f0, m.f1);
    exchange(m.g0, m.g1);
    a -= b;
    m.f0 -= m.f1;
    m.g0 -= m.g1;
  }
}

/// The top 33 bits of x over its low 31, where bit 63 - `clear` of limb `top` is the highest one of a and b.
template <int N>
std::uint64_t approximate(const std::uint64_t (&x)[N], int top, int clear) noexcept {
  if (top == 0)
    return x[0];
  constexpr std::uint64_t low = (std::uint64_t{1} << steps) - 1;
  const std::uint64_t high = clear == 0 ? x[top] : x[top] << clear | x[top - 1] >> (64 - clear);
  return (high & ~low) | (x[0] & low);
}

/// out = (f x + g y + m q) / 2^31, which must be exact. Returns the sign: 0 or -1.
template <int N>
std::int64_t combine(std::uint64_t (&out)[N], const std::uint64_t (&x)[N], const std::uint64_t (&y)[N], std::int64_t f,
                     std::int64_t g, std::int64_t m, const std::uint64_t (&q)[N]) noexcept {
  __int128 sum = 0;
  std::uint64_t below = 0;
  for (int i = 0; i < N; ++i) {
    sum += static_cast<__int128>(x[i]) * f + static_cast<__int128>(y[i]) * g;
    if (m != 0)
      sum += static_cast<__int128>(q[i]) * m;
    const auto limb = static_cast<std::uint64_t>(sum);
    if (i > 0)
      out[i - 1] = below >> steps | limb << (64 - steps);
    below = limb;
    sum >>= 64;
  }
  const auto high = static_cast<std::int64_t>(sum);
  out[N - 1] = below >> steps | static_cast<std::uint64_t>(high) << (64 - steps);
  return high >> steps;
}

/// x += q, or x -= q where `minus`; the carry out is dropped.
template <int N>
void add_modulus(std::uint64_t (&x)[N], const std::uint64_t (&q)[N], bool minus) noexcept {
  unsigned __int128 sum = minus;
  for (int i = 0; i < N; ++i) {
    sum += x[i];
    sum += minus ? ~q[i] : q[i];
    x[i] = static_cast<std::uint64_t>(sum);
    sum >>= 64;
  }
}

template <int N>
bool at_least(const std::uint64_t (&x)[N], const std::uint64_t (&q)[N]) noexcept {
  for (int i = N - 1; i >= 0; --i)
    if (x[i] != q[i])
      return x[i] > q[i];
  return true;
}

/// x = (f u + g v) / 2^31 mod q, with |f| + |g| <= 2^31 and u, v below q.
template <class P, int N>
void combine_mod(std::uint64_t (&out)[N], const std::uint64_t (&u)[N], const std::uint64_t (&v)[N], std::int64_t f,
                 std::int64_t g) noexcept {
  const auto q = P::modulus();
  const std::uint64_t low = u[0] * static_cast<std::uint64_t>(f) + v[0] * static_cast<std::uint64_t>(g);
  const auto m = static_cast<std::int64_t>(low * P::inv & ((std::uint64_t{1} << steps) - 1));
  if (combine(out, u, v, f, g, m, q.limb) < 0)
    add_modulus(out, q.limb, false);
  else if (at_least(out, q.limb))
    add_modulus(out, q.limb, true);
}

/// Makes x = |x| of a number with the given sign limb, and turns the factors that gave it.
template <int N>
void make_positive(std::uint64_t (&x)[N], std::int64_t sign, std::int64_t& f, std::int64_t& g) noexcept {
  if (sign >= 0)
    return;
  std::uint64_t carry = 1;
  for (auto& limb : x) {
    limb = ~limb + carry;
    carry = carry & (limb == 0);
  }
  f = -f;
  g = -g;
}

/// out = 1 / x mod q as plain integers, x below q; zero for zero.
/// Invariant: a = x u and b = x v mod q, from a = x, b = q down to a = 0, b = 1.
template <class P, int N>
void invert(std::uint64_t (&out)[N], const std::uint64_t (&x)[N]) noexcept {
  const auto q = P::modulus();
  std::uint64_t a[N], b[N], u[N] = {1}, v[N] = {}, next[N];
  for (int i = 0; i < N; ++i) {
    a[i] = x[i];
    b[i] = q.limb[i];
  }
  for (;;) {
    int top = N - 1;
    while (top > 0 && (a[top] | b[top]) == 0)
      --top;
    const int clear = __builtin_clzll(a[top] | b[top]);
    auto m = run_steps(approximate(a, top, clear), approximate(b, top, clear));
    const auto sign_a = combine(next, a, b, m.f0, m.g0, 0, q.limb);
    const auto sign_b = combine(b, a, b, m.f1, m.g1, 0, q.limb);
    for (int i = 0; i < N; ++i)
      a[i] = next[i];
    make_positive(a, sign_a, m.f0, m.g0);
    make_positive(b, sign_b, m.f1, m.g1);
    combine_mod<P>(next, u, v, m.f0, m.g0);
    combine_mod<P>(v, u, v, m.f1, m.g1);
    std::uint64_t any = 0;
    for (int i = 0; i < N; ++i) {
      u[i] = next[i];
      any |= a[i];
    }
    if (any == 0)
      break;
  }
  for (int i = 0; i < N; ++i)
    out[i] = v[i];
}

} // namespace

void invert(std::uint64_t (&out)[4], const std::uint64_t (&x)[4]) noexcept {
  invert<fr_params>(out, x);
}
void invert(std::uint64_t (&out)[6], const std::uint64_t (&x)[6]) noexcept {
  invert<fp_params>(out, x);
}

} // namespace cuzk::gcd
