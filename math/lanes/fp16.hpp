#pragma once
// Sixteen elements of Fp or Fp2 at once: two vectors of eight, whose products run side by side. The same names for both
// fields, as the addition of points needs them.
//
// Three forms of a value: settled (limbs in [0, 2^52), value below p + p / 2^11), lazy (limbs in [0, 2^52), value below
// 8 p) and loose (limbs of either sign, at most 2^58). Products take settled and lazy ones.
#if defined(__x86_64__)
#include "math/lanes/fp8.hpp"

namespace cuzk::lanes {

#include "math/lanes/ifma_begin.inc"

struct fp16 {
  fp8 h[2];
};
/// Fp2 = Fp[u] / (u^2 + 1).
struct fp2_16 {
  fp16 c0, c1;
};
using mask16 = std::uint32_t; ///< bit k: lane k

inline __mmask8 half_of(mask16 mask, int h) {
  return static_cast<__mmask8>(mask >> (8 * h));
}
inline mask16 mask_of(__mmask8 low, __mmask8 high) {
  return static_cast<mask16>(low) | static_cast<mask16>(high) << 8;
}

// -- limb by limb: loose results
// ---------------------------------------------------------------------------------------

inline fp16 loose_sub(const fp16& a, const fp16& b) {
  fp16 out;
  CUZK_UNROLL
  for (int e = 0; e < 16; ++e)
    out.h[e / 8].l[e % 8] = _mm512_sub_epi64(a.h[e / 8].l[e % 8], b.h[e / 8].l[e % 8]);
  return out;
}
inline fp16 loose_add(const fp16& a, const fp16& b) {
  fp16 out;
  CUZK_UNROLL
  for (int e = 0; e < 16; ++e)
    out.h[e / 8].l[e % 8] = _mm512_add_epi64(a.h[e / 8].l[e % 8], b.h[e / 8].l[e % 8]);
  return out;
}
/// a + K p.
template <int K>
inline fp16 lifted(const fp16& a) {
  fp16 out;
  CUZK_UNROLL
  for (int e = 0; e < 16; ++e)
    out.h[e / 8].l[e % 8] = _mm512_add_epi64(a.h[e / 8].l[e % 8], all(K * p52[e % 8]));
  return out;
}
/// -a in the lanes of the mask.
inline fp16 negated_where(mask16 mask, const fp16& a) {
  const v8 zero = _mm512_setzero_si512();
  fp16 out;
  CUZK_UNROLL
  for (int e = 0; e < 16; ++e)
    out.h[e / 8].l[e % 8] = _mm512_mask_sub_epi64(a.h[e / 8].l[e % 8], half_of(mask, e / 8), zero, a.h[e / 8].l[e % 8]);
  return out;
}
inline fp16 blend(mask16 take_b, const fp16& a, const fp16& b) {
  return {{blend(half_of(take_b, 0), a.h[0], b.h[0]), blend(half_of(take_b, 1), a.h[1], b.h[1])}};
}

// -- back to limbs below 2^52
// ------------------------------------------------------------------------------------------

/// Loose to lazy; the value must not be negative.
inline fp16 carried(const fp16& a) {
  return {{carry(a.h[0]), carry(a.h[1])}};
}

/// k * p for k in [0, 8), a limb a row.
struct multiples_of_p {
  alignas(64) std::uint64_t limb[8][8];
};
constexpr multiples_of_p make_multiples() {
  multiples_of_p out{};
  for (std::uint64_t k = 0; k < 8; ++k) {
    std::uint64_t over = 0;
    for (int i = 0; i < 8; ++i) {
      const std::uint64_t v = k * p52[i] + over;
      out.limb[i][k] = i < 7 ? v & mask52 : v;
      over = v >> 52;
    }
  }
  return out;
}
inline constexpr multiples_of_p p_times = make_multiples();

/// Loose to settled; the value must lie in [0, 8 p). The multiple of p to take away is read off the top limb: p is
/// 106513.12 * 2^364, the divisor 106516 is as much too large as the missing carries can matter.
inline fp8 settled(const fp8& a) {
  constexpr std::uint64_t divisor = (std::uint64_t{1} << 52) / 106516;
  const v8 zero = _mm512_setzero_si512();
  const v8 top = _mm512_max_epi64(zero, _mm512_add_epi64(a.l[7], _mm512_srai_epi64(a.l[6], 52)));
  const v8 times = _mm512_madd52hi_epu64(zero, top, all(divisor));
  fp8 out;
  CUZK_UNROLL
  for (int i = 0; i < 8; ++i)
    out.l[i] = _mm512_sub_epi64(a.l[i], _mm512_permutexvar_epi64(times, _mm512_load_si512(p_times.limb[i])));
  return carry(out);
}
inline fp16 settled(const fp16& a) {
  return {{settled(a.h[0]), settled(a.h[1])}};
}
/// Settled to the one form below p.
inline fp16 canonical(const fp16& a) {
  return {{reduce(a.h[0]), reduce(a.h[1])}};
}

// -- products
// -------------------------------------------------------------------------------------------------------

/// Settled for Fp, lazy for Fp2 (each part below 4.1 p). One text each in the program, not one for every call.
[[gnu::noinline]] inline fp16 mul(const fp16& a, const fp16& b) {
  fp16 out;
  products<fp8, 2>(out.h, a.h, b.h);
  return out;
}
inline fp16 square(const fp16& a) {
  return mul(a, a);
}

inline fp2_16 mul(const fp2_16& a, const fp2_16& b) {
  const fp16 t0 = mul(a.c0, b.c0), t1 = mul(a.c1, b.c1);
  const fp16 t2 = mul(carried(loose_add(a.c0, a.c1)), carried(loose_add(b.c0, b.c1)));
  return {carried(lifted<2>(loose_sub(t0, t1))), carried(lifted<3>(loose_sub(loose_sub(t2, t0), t1)))};
}
/// For parts below 4.1 p.
inline fp2_16 square(const fp2_16& a) {
  const fp16 t = mul(a.c0, a.c1);
  return {mul(carried(loose_add(a.c0, a.c1)), carried(lifted<5>(loose_sub(a.c0, a.c1)))), carried(loose_add(t, t))};
}

// -- the same names for Fp2
// ----------------------------------------------------------------------------------------------

inline fp2_16 loose_sub(const fp2_16& a, const fp2_16& b) {
  return {loose_sub(a.c0, b.c0), loose_sub(a.c1, b.c1)};
}
inline fp2_16 loose_add(const fp2_16& a, const fp2_16& b) {
  return {loose_add(a.c0, b.c0), loose_add(a.c1, b.c1)};
}
template <int K>
inline fp2_16 lifted(const fp2_16& a) {
  return {lifted<K>(a.c0), lifted<K>(a.c1)};
}
inline fp2_16 negated_where(mask16 mask, const fp2_16& a) {
  return {negated_where(mask, a.c0), negated_where(mask, a.c1)};
}
inline fp2_16 blend(mask16 take_b, const fp2_16& a, const fp2_16& b) {
  return {blend(take_b, a.c0, b.c0), blend(take_b, a.c1, b.c1)};
}
inline fp2_16 carried(const fp2_16& a) {
  return {carried(a.c0), carried(a.c1)};
}
inline fp2_16 settled(const fp2_16& a) {
  return {settled(a.c0), settled(a.c1)};
}
inline fp2_16 canonical(const fp2_16& a) {
  return {canonical(a.c0), canonical(a.c1)};
}

// -- questions
// ------------------------------------------------------------------------------------------------------

inline mask16 is_zero(const fp16& a) {
  return mask_of(is_zero(a.h[0]), is_zero(a.h[1]));
}
inline mask16 is_zero(const fp2_16& a) {
  return is_zero(a.c0) & is_zero(a.c1);
}
/// For canonical ones.
inline mask16 equal(const fp16& a, const fp16& b) {
  return mask_of(equal(a.h[0], b.h[0]), equal(a.h[1], b.h[1]));
}
inline mask16 equal(const fp2_16& a, const fp2_16& b) {
  return equal(a.c0, b.c0) & equal(a.c1, b.c1);
}

/// Holds for every multiple of p below 8 p, and for one other value in 2^49: -a / p mod 2^52 is then minus the
/// multiple.
inline __mmask8 perhaps_multiple(const fp8& a) {
  const v8 quotient = _mm512_madd52lo_epu64(_mm512_setzero_si512(), a.l[0], all(p52_inv));
  return static_cast<__mmask8>(_mm512_cmpgt_epu64_mask(quotient, all(mask52 - 8)) |
                               _mm512_testn_epi64_mask(quotient, quotient));
}
inline mask16 perhaps_multiple(const fp16& a) {
  return mask_of(perhaps_multiple(a.h[0]), perhaps_multiple(a.h[1]));
}
inline mask16 perhaps_multiple(const fp2_16& a) {
  return perhaps_multiple(a.c0) & perhaps_multiple(a.c1);
}
/// Holds for zero and for one other value in 2^52.
inline mask16 perhaps_zero(const fp16& a) {
  return mask_of(_mm512_testn_epi64_mask(a.h[0].l[0], a.h[0].l[0]), _mm512_testn_epi64_mask(a.h[1].l[0], a.h[1].l[0]));
}
inline mask16 perhaps_zero(const fp2_16& a) {
  return perhaps_zero(a.c0) & perhaps_zero(a.c1);
}

inline void set_one(fp16& a) {
  a = {{broadcast(one52), broadcast(one52)}};
}
inline void set_one(fp2_16& a) {
  set_one(a.c0);
  a.c1 = loose_sub(a.c0, a.c0);
}

#include "math/lanes/ifma_end.inc"

} // namespace cuzk::lanes
#endif
