#pragma once
// Eight elements of Fr at once: radix 2^52, five limbs a lane, AVX-512 IFMA. Only for code that runs after the
// processor was asked (math/cpu_features.hpp); compiled with a target of its own, so that nothing else in the program
// uses it.
//
// Products are Montgomery products for 2^260. Data stays as it is in memory, x * 2^256; constants (roots, factors) are
// kept as w * 2^260, so data times constant is data again.
#if defined(__x86_64__)
#include "math/field.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized" // GCC 12 says so of its own _mm512_undefined
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop

namespace cuzk::lanes {

#include "math/lanes/ifma_begin.inc"

using v8 = __m512i;

// Limb arrays must become registers: every loop over limbs is unrolled.
#define CUZK_UNROLL _Pragma("GCC unroll 16")

inline constexpr std::uint64_t mask52 = (1ull << 52) - 1;

/// r in five limbs, and -1/r mod 2^52.
inline constexpr std::uint64_t r52[5] = {0xfffff00000001, 0x02fffe5bfefff, 0x9a1d80553bda4, 0x7d483339d8080,
                                         0x073eda753299d};
inline constexpr std::uint64_t r52_inv = 0xffffeffffffff;

/// Limbs are below 2^52 after carry(); the value may be any residue below 2^260.
struct fr8 {
  v8 l[5];
};

/// A constant w * 2^260 mod r, the same in every lane, as it lies in a table.
struct fr_const {
  std::uint64_t l[5];
};

inline v8 all(std::uint64_t x) {
  return _mm512_set1_epi64(static_cast<long long>(x));
}

inline fr8 broadcast(const fr_const& c) {
  return {{all(c.l[0]), all(c.l[1]), all(c.l[2]), all(c.l[3]), all(c.l[4])}};
}

/// Brings limbs into [0, 2^52); the value must not be negative.
inline fr8 carry(fr8 a) {
  const v8 m = all(mask52);
  CUZK_UNROLL
  for (int i = 0; i < 4; ++i) {
    a.l[i + 1] = _mm512_add_epi64(a.l[i + 1], _mm512_srai_epi64(a.l[i], 52));
    a.l[i] = _mm512_and_si512(a.l[i], m);
  }
  return a;
}

inline fr8 add(const fr8& a, const fr8& b) {
  fr8 out;
  CUZK_UNROLL
  for (int i = 0; i < 5; ++i)
    out.l[i] = _mm512_add_epi64(a.l[i], b.l[i]);
  return carry(out);
}

/// a - b + 2 r, for b below 2 r.
inline fr8 sub(const fr8& a, const fr8& b) {
  fr8 out;
  CUZK_UNROLL
  for (int i = 0; i < 5; ++i)
    out.l[i] = _mm512_add_epi64(_mm512_sub_epi64(a.l[i], b.l[i]), all(2 * r52[i]));
  return carry(out);
}

/// A modulus in limbs of 52 bits, and -1 / modulus mod 2^52.
template <class V>
struct lane_modulus;
template <>
struct lane_modulus<fr8> {
  static constexpr int limbs = 5;
  static constexpr const std::uint64_t (&value)[5] = r52;
  static constexpr std::uint64_t inverse = r52_inv;
};

/// N Montgomery products side by side: out[k] = a[k] * b[k] / 2^(52 limbs), limbs below 2^52. One product is a chain of
/// additions with gaps (Fp: about 200 cycles with 132 cycles of work for the multipliers); the others fill them. Fp on
/// Zen 5: 63 ns one after another, 52 ns independent ones as the processor overlaps them, 39 ns two at a time.
template <class V, int N>
[[gnu::always_inline]] inline void products(V (&out)[N], const V (&a)[N], const V (&b)[N]) {
  using modulus = lane_modulus<V>;
  constexpr int limbs = modulus::limbs;
  const v8 zero = _mm512_setzero_si512();
  v8 t[N][limbs], m[N];
  // Element e of the loops is limb e / N of product e % N: the products take turns.
  CUZK_UNROLL
  for (int e = 0; e < limbs * N; ++e)
    t[e % N][e / N] = zero;
  CUZK_UNROLL
  for (int i = 0; i < limbs; ++i) {
    CUZK_UNROLL
    for (int e = 0; e < limbs * N; ++e)
      t[e % N][e / N] = _mm512_madd52lo_epu64(t[e % N][e / N], a[e % N].l[e / N], b[e % N].l[i]);
    CUZK_UNROLL
    for (int k = 0; k < N; ++k)
      m[k] = _mm512_madd52lo_epu64(zero, t[k][0], all(modulus::inverse));
    CUZK_UNROLL
    for (int e = 0; e < limbs * N; ++e)
      t[e % N][e / N] = _mm512_madd52lo_epu64(t[e % N][e / N], m[e % N], all(modulus::value[e / N]));
    CUZK_UNROLL
    for (int k = 0; k < N; ++k)
      t[k][0] = _mm512_add_epi64(t[k][1], _mm512_srli_epi64(t[k][0], 52));
    CUZK_UNROLL
    for (int e = N; e < limbs * N; ++e)
      t[e % N][e / N] = e / N < limbs - 1 ? t[e % N][e / N + 1] : zero;
    CUZK_UNROLL
    for (int e = 0; e < limbs * N; ++e)
      t[e % N][e / N] = _mm512_madd52hi_epu64(t[e % N][e / N], a[e % N].l[e / N], b[e % N].l[i]);
    CUZK_UNROLL
    for (int e = 0; e < limbs * N; ++e)
      t[e % N][e / N] = _mm512_madd52hi_epu64(t[e % N][e / N], m[e % N], all(modulus::value[e / N]));
  }
  CUZK_UNROLL
  for (int k = 0; k < N; ++k) {
    CUZK_UNROLL
    for (int j = 0; j < limbs; ++j)
      out[k].l[j] = t[k][j];
    out[k] = carry(out[k]);
  }
}

/// a * b / 2^260, below 2 r when b is below r and a below 2^260.
inline fr8 mul(const fr8& a, const fr8& b) {
  fr8 out[1];
  products<fr8, 1>(out, {a}, {b});
  return out[0];
}

/// A value below 2 r to [0, r).
inline fr8 reduce(const fr8& a) {
  fr8 d;
  CUZK_UNROLL
  for (int i = 0; i < 5; ++i)
    d.l[i] = _mm512_sub_epi64(a.l[i], all(r52[i]));
  d = carry(d);
  const __mmask8 below = _mm512_movepi64_mask(d.l[4]); // negative: a was below r
  CUZK_UNROLL
  for (int i = 0; i < 5; ++i)
    d.l[i] = _mm512_mask_mov_epi64(d.l[i], below, a.l[i]);
  return d;
}

/// Four 64-bit words a lane to five limbs, and back.
inline fr8 split(const v8 (&w)[4]) {
  const v8 m = all(mask52);
  return {{_mm512_and_si512(w[0], m),
           _mm512_and_si512(_mm512_or_si512(_mm512_srli_epi64(w[0], 52), _mm512_slli_epi64(w[1], 12)), m),
           _mm512_and_si512(_mm512_or_si512(_mm512_srli_epi64(w[1], 40), _mm512_slli_epi64(w[2], 24)), m),
           _mm512_and_si512(_mm512_or_si512(_mm512_srli_epi64(w[2], 28), _mm512_slli_epi64(w[3], 36)), m),
           _mm512_srli_epi64(w[3], 16)}};
}

inline void join(v8 (&w)[4], const fr8& a) {
  w[0] = _mm512_or_si512(a.l[0], _mm512_slli_epi64(a.l[1], 52));
  w[1] = _mm512_or_si512(_mm512_srli_epi64(a.l[1], 12), _mm512_slli_epi64(a.l[2], 40));
  w[2] = _mm512_or_si512(_mm512_srli_epi64(a.l[2], 24), _mm512_slli_epi64(a.l[3], 28));
  w[3] = _mm512_or_si512(_mm512_srli_epi64(a.l[3], 36), _mm512_slli_epi64(a.l[4], 16));
}

/// Eight neighbours in memory (256 bytes) to words by lane, and back: a 4 x 4 transposition of pairs.
inline void load_words(v8 (&w)[4], const fr* at) {
  const auto* p = reinterpret_cast<const std::uint64_t*>(at);
  const v8 a = _mm512_loadu_si512(p), b = _mm512_loadu_si512(p + 8), c = _mm512_loadu_si512(p + 16),
           d = _mm512_loadu_si512(p + 24);
  // a = x0 x1 as (w0 w1 w2 w3 | w0 w1 w2 w3), and so on.
  const v8 even = _mm512_setr_epi64(0, 4, 8, 12, 1, 5, 9, 13), odd = _mm512_setr_epi64(2, 6, 10, 14, 3, 7, 11, 15);
  const v8 ab01 = _mm512_permutex2var_epi64(a, even, b), ab23 = _mm512_permutex2var_epi64(a, odd, b);
  const v8 cd01 = _mm512_permutex2var_epi64(c, even, d), cd23 = _mm512_permutex2var_epi64(c, odd, d);
  w[0] = _mm512_shuffle_i64x2(ab01, cd01, 0x44);
  w[1] = _mm512_shuffle_i64x2(ab01, cd01, 0xee);
  w[2] = _mm512_shuffle_i64x2(ab23, cd23, 0x44);
  w[3] = _mm512_shuffle_i64x2(ab23, cd23, 0xee);
}

inline void store_words(fr* at, const v8 (&w)[4]) {
  auto* p = reinterpret_cast<std::uint64_t*>(at);
  const v8 ab01 = _mm512_shuffle_i64x2(w[0], w[1], 0x44), cd01 = _mm512_shuffle_i64x2(w[0], w[1], 0xee);
  const v8 ab23 = _mm512_shuffle_i64x2(w[2], w[3], 0x44), cd23 = _mm512_shuffle_i64x2(w[2], w[3], 0xee);
  const v8 first = _mm512_setr_epi64(0, 4, 8, 12, 1, 5, 9, 13), second = _mm512_setr_epi64(2, 6, 10, 14, 3, 7, 11, 15);
  _mm512_storeu_si512(p, _mm512_permutex2var_epi64(ab01, first, ab23));
  _mm512_storeu_si512(p + 8, _mm512_permutex2var_epi64(ab01, second, ab23));
  _mm512_storeu_si512(p + 16, _mm512_permutex2var_epi64(cd01, first, cd23));
  _mm512_storeu_si512(p + 24, _mm512_permutex2var_epi64(cd01, second, cd23));
}

inline fr8 load(const fr* at) {
  v8 w[4];
  load_words(w, at);
  return split(w);
}

/// Stores a value in [0, r).
inline void store(fr* at, const fr8& a) {
  v8 w[4];
  join(w, a);
  store_words(at, w);
}

#include "math/lanes/ifma_end.inc"

} // namespace cuzk::lanes
#endif
