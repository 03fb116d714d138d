#pragma once
// Eight elements of Fp or Fp2 at once: radix 2^52, eight limbs a lane, AVX-512 IFMA, Montgomery form x * 2^416.
// Only for code that runs after the processor was asked; compiled with a target of its own.
#if defined(__x86_64__)
#include "math/lanes/fr8.hpp"

namespace cuzk::lanes {

#include "math/lanes/ifma_begin.inc"

/// p in eight limbs, and -1/p mod 2^52.
inline constexpr std::uint64_t p52[8] = {0xeffffffffaaab, 0xfeb153ffffb9f, 0x6b0f6241eabff, 0x12bf6730d2a0f,
                                         0x764774b84f385, 0x1ba7b6434bacd, 0x1ea397fe69a4b, 0x000000001a011};
inline constexpr std::uint64_t p52_inv = 0x3fffcfffcfffd;
/// 2^416 mod p: one.
inline constexpr std::uint64_t one52[8] = {0x6480ea8e9b9af, 0x65766c8fe444f, 0x8b540fea96f7d, 0x3b2ee82efd422,
                                           0xa6723e5f0ade5, 0xff6eb6fdd4230, 0xe06ef23c24a25, 0x0000000014c8e};
/// 2^448 mod p: takes x * 2^384 to x * 2^416.
inline constexpr std::uint64_t from_mont52[8] = {0x7fde37dba9366, 0x4e27525bc342b, 0x1f5b1e9778489, 0xb872b2b91b9dc,
                                                 0xb206f497dfcaf, 0x4137cc89a9b0b, 0xd9d20d7e39959, 0x000000000411c};
/// 2^832 mod p: takes a plain x to x * 2^416.
inline constexpr std::uint64_t from_plain52[8] = {0xa5bf4cb89af51, 0x3afbba7ca31a2, 0x2646160ec71f1, 0xa84d710465903,
                                                  0x3480a4a188311, 0x98e5907ad91f5, 0x2075d74507266, 0x0000000008746};
/// 4 * 2^416 mod p: b of the curve.
inline constexpr std::uint64_t four52[8] = {0xc203aa3a7e6bb, 0x99c5b63f91e5d, 0xec2218e49b9f5, 0xb47d6b297d25b,
                                            0x36f29b533dd05, 0xaac3b92d6d85a, 0x25d100f5559b6, 0x0000000005208};

/// Limbs in [0, 2^52). Unless said otherwise the value is in [0, p).
struct fp8 {
  v8 l[8];
};

inline fp8 broadcast(const std::uint64_t (&c)[8]) {
  fp8 out;
  CUZK_UNROLL
  for (int i = 0; i < 8; ++i)
    out.l[i] = all(c[i]);
  return out;
}

/// Moves carries up; the top limb keeps the sign.
inline fp8 carry(fp8 a) {
  const v8 m = all(mask52);
  CUZK_UNROLL
  for (int i = 0; i < 7; ++i) {
    a.l[i + 1] = _mm512_add_epi64(a.l[i + 1], _mm512_srai_epi64(a.l[i], 52));
    a.l[i] = _mm512_and_si512(a.l[i], m);
  }
  return a;
}

inline fp8 blend(__mmask8 take_b, const fp8& a, const fp8& b) {
  fp8 out;
  CUZK_UNROLL
  for (int i = 0; i < 8; ++i)
    out.l[i] = _mm512_mask_mov_epi64(a.l[i], take_b, b.l[i]);
  return out;
}

/// A value in [0, 2p) to [0, p).
inline fp8 reduce(const fp8& a) {
  fp8 d;
  CUZK_UNROLL
  for (int i = 0; i < 8; ++i)
    d.l[i] = _mm512_sub_epi64(a.l[i], all(p52[i]));
  d = carry(d);
  return blend(_mm512_movepi64_mask(d.l[7]), d, a);
}

template <>
struct lane_modulus<fp8> {
  static constexpr int limbs = 8;
  static constexpr const std::uint64_t (&value)[8] = p52;
  static constexpr std::uint64_t inverse = p52_inv;
};

/// a * b / 2^416. For operands below 16 p the result is below p + 2^354.
inline fp8 mul(const fp8& a, const fp8& b) {
  fp8 out[1];
  products<fp8, 1>(out, {a}, {b});
  return out[0];
}

inline __mmask8 is_zero(const fp8& a) {
  v8 any = a.l[0];
  CUZK_UNROLL
  for (int i = 1; i < 8; ++i)
    any = _mm512_or_si512(any, a.l[i]);
  return _mm512_testn_epi64_mask(any, any);
}

inline __mmask8 equal(const fp8& a, const fp8& b) {
  v8 any = _mm512_xor_si512(a.l[0], b.l[0]);
  CUZK_UNROLL
  for (int i = 1; i < 8; ++i)
    any = _mm512_or_si512(any, _mm512_xor_si512(a.l[i], b.l[i]));
  return _mm512_testn_epi64_mask(any, any);
}

/// Six 64-bit words a lane to eight limbs, and back.
inline fp8 split(const v8 (&w)[6]) {
  const v8 m = all(mask52);
  const auto two = [&](int i, int down) {
    const v8 both = _mm512_or_si512(_mm512_srli_epi64(w[i], static_cast<unsigned>(down)),
                                    _mm512_slli_epi64(w[i + 1], static_cast<unsigned>(64 - down)));
    return _mm512_and_si512(both, m);
  };
  return {{_mm512_and_si512(w[0], m), two(0, 52), two(1, 40), two(2, 28), two(3, 16),
           _mm512_and_si512(_mm512_srli_epi64(w[4], 4), m), two(4, 56), _mm512_srli_epi64(w[5], 44)}};
}

inline void join(v8 (&w)[6], const fp8& a) {
  w[0] = _mm512_or_si512(a.l[0], _mm512_slli_epi64(a.l[1], 52));
  w[1] = _mm512_or_si512(_mm512_srli_epi64(a.l[1], 12), _mm512_slli_epi64(a.l[2], 40));
  w[2] = _mm512_or_si512(_mm512_srli_epi64(a.l[2], 24), _mm512_slli_epi64(a.l[3], 28));
  w[3] = _mm512_or_si512(_mm512_srli_epi64(a.l[3], 36), _mm512_slli_epi64(a.l[4], 16));
  w[4] = _mm512_or_si512(_mm512_or_si512(_mm512_srli_epi64(a.l[4], 48), _mm512_slli_epi64(a.l[5], 4)),
                         _mm512_slli_epi64(a.l[6], 56));
  w[5] = _mm512_or_si512(_mm512_srli_epi64(a.l[6], 8), _mm512_slli_epi64(a.l[7], 44));
}

/// Turns eight rows of eight words round.
inline void transpose(v8 (&r)[8]) {
  v8 t[8], u[8];
  CUZK_UNROLL
  for (int i = 0; i < 8; i += 2) {
    t[i] = _mm512_unpacklo_epi64(r[i], r[i + 1]);
    t[i + 1] = _mm512_unpackhi_epi64(r[i], r[i + 1]);
  }
  CUZK_UNROLL
  for (int i = 0; i < 2; ++i) {
    u[i] = _mm512_shuffle_i64x2(t[i], t[i + 2], 0x88);
    u[i + 2] = _mm512_shuffle_i64x2(t[i], t[i + 2], 0xdd);
    u[i + 4] = _mm512_shuffle_i64x2(t[i + 4], t[i + 6], 0x88);
    u[i + 6] = _mm512_shuffle_i64x2(t[i + 4], t[i + 6], 0xdd);
  }
  CUZK_UNROLL
  for (int i = 0; i < 4; ++i) {
    r[i] = _mm512_shuffle_i64x2(u[i], u[i + 4], 0x88);
    r[i + 4] = _mm512_shuffle_i64x2(u[i], u[i + 4], 0xdd);
  }
}

#include "math/lanes/ifma_end.inc"

} // namespace cuzk::lanes
#endif
