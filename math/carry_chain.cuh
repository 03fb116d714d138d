#pragma once
// Additions and multiply-additions of 32-bit words that hand a carry on, for one GPU thread. Device code only.
// The carry lives in a flag of the processor: every statement is volatile, so that the compiler keeps their order.
#include <cstdint>

namespace cuzk::device {

using u32 = std::uint32_t;

#define CUZK_WORD_OP2(name, ptx)                                                                                       \
  __device__ __forceinline__ u32 name(u32 a, u32 b) {                                                                  \
    u32 r;                                                                                                             \
    asm volatile(ptx " %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));                                                       \
    return r;                                                                                                          \
  }
#define CUZK_WORD_OP3(name, ptx)                                                                                       \
  __device__ __forceinline__ u32 name(u32 a, u32 b, u32 c) {                                                           \
    u32 r;                                                                                                             \
    asm volatile(ptx " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));                                           \
    return r;                                                                                                          \
  }
// _cc writes the carry flag, a leading ..c reads it.
CUZK_WORD_OP2(add_cc, "add.cc.u32")
CUZK_WORD_OP2(addc_cc, "addc.cc.u32")
CUZK_WORD_OP2(addc, "addc.u32")
CUZK_WORD_OP2(sub_cc, "sub.cc.u32")
CUZK_WORD_OP2(subc_cc, "subc.cc.u32")
CUZK_WORD_OP2(subc, "subc.u32")
CUZK_WORD_OP3(mad_lo_cc, "mad.lo.cc.u32")
CUZK_WORD_OP3(madc_lo_cc, "madc.lo.cc.u32")
CUZK_WORD_OP3(madc_hi_cc, "madc.hi.cc.u32")
CUZK_WORD_OP3(madc_hi, "madc.hi.u32")
#undef CUZK_WORD_OP2
#undef CUZK_WORD_OP3

/// -x in a form that ptxas does not move into other instructions.
__device__ __forceinline__ u32 negated_word(u32 x) {
  u32 r;
  asm volatile("{ .reg .u32 t; add.u32 t, %1, 0xffffffff; not.b32 %0, t; }" : "=r"(r) : "r"(x));
  return r;
}

/// a += b when asked, by instructions that do nothing otherwise: half the work of choosing between two results.
template <int N>
__device__ void add_when(bool when, u32* a, const u32* b);
/// a = b - a when asked.
template <int N>
__device__ void subtract_from_when(bool when, u32* a, const u32* b);

template <>
__device__ __forceinline__ void add_when<8>(bool when, u32* a, const u32* b) {
  asm volatile(
    "{ .reg .pred p; setp.ne.u32 p, %16, 0; "
    "@p add.cc.u32 %0, %0, %8; @p addc.cc.u32 %1, %1, %9; @p addc.cc.u32 %2, %2, %10; @p addc.cc.u32 %3, %3, %11; "
    "@p addc.cc.u32 %4, %4, %12; @p addc.cc.u32 %5, %5, %13; @p addc.cc.u32 %6, %6, %14; @p addc.u32 %7, %7, %15; "
    "}"
    : "+r"(a[0]), "+r"(a[1]), "+r"(a[2]), "+r"(a[3]), "+r"(a[4]), "+r"(a[5]), "+r"(a[6]), "+r"(a[7])
    : "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]),
      "r"(static_cast<u32>(when)));
}
template <>
__device__ __forceinline__ void subtract_from_when<8>(bool when, u32* a, const u32* b) {
  asm volatile(
    "{ .reg .pred p; setp.ne.u32 p, %16, 0; "
    "@p sub.cc.u32 %0, %8, %0; @p subc.cc.u32 %1, %9, %1; @p subc.cc.u32 %2, %10, %2; @p subc.cc.u32 %3, %11, %3; "
    "@p subc.cc.u32 %4, %12, %4; @p subc.cc.u32 %5, %13, %5; @p subc.cc.u32 %6, %14, %6; @p subc.u32 %7, %15, %7; "
    "}"
    : "+r"(a[0]), "+r"(a[1]), "+r"(a[2]), "+r"(a[3]), "+r"(a[4]), "+r"(a[5]), "+r"(a[6]), "+r"(a[7])
    : "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]),
      "r"(static_cast<u32>(when)));
}

template <>
__device__ __forceinline__ void add_when<12>(bool when, u32* a, const u32* b) {
  asm volatile(
    "{ .reg .pred p; setp.ne.u32 p, %24, 0; "
    "@p add.cc.u32 %0, %0, %12; @p addc.cc.u32 %1, %1, %13; @p addc.cc.u32 %2, %2, %14; @p addc.cc.u32 %3, %3, %15; "
    "@p addc.cc.u32 %4, %4, %16; @p addc.cc.u32 %5, %5, %17; @p addc.cc.u32 %6, %6, %18; @p addc.cc.u32 %7, %7, %19; "
    "@p addc.cc.u32 %8, %8, %20; @p addc.cc.u32 %9, %9, %21; @p addc.cc.u32 %10, %10, %22; @p addc.u32 %11, %11, %23; "
    "}"
    : "+r"(a[0]), "+r"(a[1]), "+r"(a[2]), "+r"(a[3]), "+r"(a[4]), "+r"(a[5]), "+r"(a[6]), "+r"(a[7]), "+r"(a[8]),
      "+r"(a[9]), "+r"(a[10]), "+r"(a[11])
    : "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]), "r"(b[8]), "r"(b[9]),
      "r"(b[10]), "r"(b[11]), "r"(static_cast<u32>(when)));
}
template <>
__device__ __forceinline__ void subtract_from_when<12>(bool when, u32* a, const u32* b) {
  asm volatile(
    "{ .reg .pred p; setp.ne.u32 p, %24, 0; "
    "@p sub.cc.u32 %0, %12, %0; @p subc.cc.u32 %1, %13, %1; @p subc.cc.u32 %2, %14, %2; @p subc.cc.u32 %3, %15, %3; "
    "@p subc.cc.u32 %4, %16, %4; @p subc.cc.u32 %5, %17, %5; @p subc.cc.u32 %6, %18, %6; @p subc.cc.u32 %7, %19, %7; "
    "@p subc.cc.u32 %8, %20, %8; @p subc.cc.u32 %9, %21, %9; @p subc.cc.u32 %10, %22, %10; @p subc.u32 %11, %23, %11; "
    "}"
    : "+r"(a[0]), "+r"(a[1]), "+r"(a[2]), "+r"(a[3]), "+r"(a[4]), "+r"(a[5]), "+r"(a[6]), "+r"(a[7]), "+r"(a[8]),
      "+r"(a[9]), "+r"(a[10]), "+r"(a[11])
    : "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]), "r"(b[8]), "r"(b[9]),
      "r"(b[10]), "r"(b[11]), "r"(static_cast<u32>(when)));
}

__device__ __forceinline__ void wide_mul(u32& lo, u32& hi, u32 a, u32 b) {
  const std::uint64_t t = static_cast<std::uint64_t>(a) * b;
  lo = static_cast<u32>(t);
  hi = static_cast<u32>(t >> 32);
}

/// acc[0..M) += b * (a[0], a[2], .. a[M-2]) as 64-bit products. The carry out stays in the flag.
template <int M>
__device__ __forceinline__ void mad_row(u32* acc, const u32* a, u32 b) {
  acc[0] = mad_lo_cc(a[0], b, acc[0]);
  acc[1] = madc_hi_cc(a[0], b, acc[1]);
#pragma unroll
  for (int j = 2; j < M; j += 2) {
    acc[j] = madc_lo_cc(a[j], b, acc[j]);
    acc[j + 1] = madc_hi_cc(a[j], b, acc[j + 1]);
  }
}

/// t[0..2N) = a * b, N even. Products that start at an even word and those that start at an odd word have their own
/// partial sum, so that each is one wide multiply-add in a carry chain.
template <int N>
__device__ __forceinline__ void mul_wide(u32* t, const u32* a, const u32* b) {
  u32 even[2 * N] = {}, odd[2 * N] = {};
#pragma unroll
  for (int i = 0; i < N; ++i) {
#pragma unroll
    for (int s = 0; s < 2; ++s) {
      u32* acc = ((i + s) & 1) ? odd : even;
      if (i == 0) {
#pragma unroll
        for (int j = s; j < N; j += 2)
          wide_mul(acc[j], acc[j + 1], a[j], b[0]);
        continue;
      }
      mad_row<N>(acc + i + s, a + s, b[i]);
      const int top = i + s + N;
      if (top < 2 * N)
        acc[top] = addc(acc[top], 0);
    }
  }
  t[0] = even[0];
  t[1] = add_cc(even[1], odd[1]);
#pragma unroll
  for (int j = 2; j < 2 * N - 1; ++j)
    t[j] = addc_cc(even[j], odd[j]);
  t[2 * N - 1] = addc(even[2 * N - 1], odd[2 * N - 1]);
}

/// t[0..2N) = a * a: each mixed product once, doubled, then the squares.
template <int N>
__device__ __forceinline__ void sqr_wide(u32* t, const u32* a) {
  u32 even[2 * N] = {}, odd[2 * N] = {};
#pragma unroll
  for (int i = 0; i < N - 1; ++i) {
#pragma unroll
    for (int s = 1; s <= 2; ++s) {
      u32* acc = (s & 1) ? odd : even; // products at word 2i + s
      int j = i + s;
      if (j >= N)
        continue;
      if (i == 0) {
#pragma unroll
        for (; j < N; j += 2)
          wide_mul(acc[j], acc[j + 1], a[0], a[j]);
        continue;
      }
      acc[i + j] = mad_lo_cc(a[i], a[j], acc[i + j]);
      acc[i + j + 1] = madc_hi_cc(a[i], a[j], acc[i + j + 1]);
#pragma unroll
      for (j += 2; j < N; j += 2) {
        acc[i + j] = madc_lo_cc(a[i], a[j], acc[i + j]);
        acc[i + j + 1] = madc_hi_cc(a[i], a[j], acc[i + j + 1]);
      }
      if (i + j < 2 * N)
        acc[i + j] = addc(acc[i + j], 0);
    }
  }
  t[0] = 0;
  t[1] = odd[1];
  t[2] = add_cc(even[2], odd[2]);
#pragma unroll
  for (int j = 3; j < 2 * N - 1; ++j)
    t[j] = addc_cc(even[j], odd[j]);
  t[2 * N - 1] = addc(even[2 * N - 1], odd[2 * N - 1]);
#pragma unroll
  for (int j = 2 * N - 1; j > 0; --j)
    t[j] = __funnelshift_l(t[j - 1], t[j], 1);
  t[0] = mad_lo_cc(a[0], a[0], t[0]);
  t[1] = madc_hi_cc(a[0], a[0], t[1]);
#pragma unroll
  for (int i = 1; i < N; ++i) {
    t[2 * i] = madc_lo_cc(a[i], a[i], t[2 * i]);
    t[2 * i + 1] = madc_hi_cc(a[i], a[i], t[2 * i + 1]);
  }
}

/// r = |a - b| over N words; true when a < b.
template <int N>
__device__ __forceinline__ bool distance(u32* r, const u32* a, const u32* b) {
  r[0] = sub_cc(a[0], b[0]);
#pragma unroll
  for (int i = 1; i < N; ++i)
    r[i] = subc_cc(a[i], b[i]);
  const u32 mask = subc(0, 0);
  r[0] = sub_cc(r[0] ^ mask, mask);
#pragma unroll
  for (int i = 1; i < N - 1; ++i)
    r[i] = subc_cc(r[i] ^ mask, mask);
  r[N - 1] = subc(r[N - 1] ^ mask, mask);
  return mask != 0;
}

/// t[0..2N) = a * b with one level of Karatsuba: three quarters of the multiplications for about a hundred additions,
/// which have their own pipe.
template <int N>
__device__ __forceinline__ void karatsuba_wide(u32* t, const u32* a, const u32* b) {
  constexpr int H = N / 2;
  u32 mid[N], da[H], db[H];
  mul_wide<H>(t, a, b);
  mul_wide<H>(t + N, a + H, b + H);
  const bool sa = distance<H>(da, a + H, a);
  const bool sb = distance<H>(db, b + H, b);
  mul_wide<H>(mid, da, db);
  // middle = low + high -/+ mid, N + 1 words
  const u32 mask = (sa == sb) ? 0xffffffffu : 0u;
  u32 sum[N + 1];
  sum[0] = add_cc(t[0], t[N]);
#pragma unroll
  for (int i = 1; i < N; ++i)
    sum[i] = addc_cc(t[i], t[N + i]);
  sum[N] = addc(0, 0);
  add_cc(mask, 1); // carry in for the two's complement
#pragma unroll
  for (int i = 0; i < N; ++i)
    sum[i] = addc_cc(sum[i], mid[i] ^ mask);
  sum[N] = addc(sum[N], mask);
  t[H] = add_cc(t[H], sum[0]);
#pragma unroll
  for (int i = 1; i <= N; ++i)
    t[H + i] = addc_cc(t[H + i], sum[i]);
#pragma unroll
  for (int i = H + N + 1; i < 2 * N - 1; ++i)
    t[i] = addc_cc(t[i], 0);
  t[2 * N - 1] = addc(t[2 * N - 1], 0);
}

} // namespace cuzk::device
