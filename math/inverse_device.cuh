#pragma once
// Inversion in Fp for one GPU thread, without branches that differ between threads. Device code only.
//
// Bernstein and Yang's division steps ("Fast constant-time gcd computation and modular inversion", 2019) in the variant
// whose delta starts at one half (879 steps are enough for 381 bits), 28 to a batch, on limbs of 30 bits. The two
// columns of a transition matrix travel in one word, 14 steps at a time. f and g are divided by 2^28 in every batch, d
// and e by 2^30: this bounds d and e by 4p/3 without any correction, and the surplus 2^64 of 32 batches is part of e's
// start.
#include "math/field_device.cuh"

namespace cuzk::device {

inline constexpr int gcd_limbs = 13;
inline constexpr int gcd_mask = (1 << 30) - 1;

struct gcd_matrix {
  int u, v, q, r; // f' = (u f + v g) / 2^k, g' = (q f + r g) / 2^k
};

/// Fourteen division steps on the low bits of f and g; `t` is delta - 1/2.
__device__ __forceinline__ gcd_matrix steps14(int& t, u32& f, u32& g) {
  u32 top = 1, bottom = 1u << 16; // low half: factor of f, high half: of g
#pragma unroll
  for (int i = 0; i < 14; ++i) {
    const u32 odd = g & 1;
    const bool swap = odd && t >= 0;
    const u32 k = swap ? 0xffffffffu : odd;
    const u32 next_g = f * k + g, next_bottom = top * k + bottom;
    f = swap ? g : f;
    top = (swap ? bottom : top) * 2;
    g = next_g >> 1;
    bottom = next_bottom;
    t = (swap ? ~t : t) + 1;
  }
  gcd_matrix m;
  m.u = static_cast<short>(top);
  m.v = static_cast<int>(top - static_cast<u32>(m.u)) >> 16;
  m.q = static_cast<short>(bottom);
  m.r = static_cast<int>(bottom - static_cast<u32>(m.q)) >> 16;
  return m;
}

/// Twenty-eight division steps.
__device__ __forceinline__ gcd_matrix steps28(int& t, u32 f, u32 g) {
  const gcd_matrix m = steps14(t, f, g), n = steps14(t, f, g);
  return {n.u * m.u + n.v * m.q, n.u * m.v + n.v * m.r, n.q * m.u + n.r * m.q, n.q * m.v + n.r * m.r};
}

/// a * b + c. Spelled out, or the compiler sees that the limbs are never negative and widens them as unsigned, at twice
/// the multiplications.
__device__ __forceinline__ std::int64_t mad64(int a, int b, std::int64_t c) {
  std::int64_t r;
  asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(r) : "r"(a), "r"(b), "l"(c));
  return r;
}

/// f, g = M (f, g) / 2^28
__device__ __forceinline__ void apply_to_fg(const gcd_matrix& m, int* f, int* g) {
  std::int64_t cf = 0, cg = 0;
#pragma unroll
  for (int i = 0; i < gcd_limbs; ++i) {
    cf = mad64(4 * m.u, f[i], mad64(4 * m.v, g[i], cf));
    cg = mad64(4 * m.q, f[i], mad64(4 * m.r, g[i], cg));
    if (i > 0) {
      f[i - 1] = static_cast<int>(cf) & gcd_mask;
      g[i - 1] = static_cast<int>(cg) & gcd_mask;
    }
    cf >>= 30;
    cg >>= 30;
  }
  f[gcd_limbs - 1] = static_cast<int>(cf);
  g[gcd_limbs - 1] = static_cast<int>(cg);
}

/// d, e = M (d, e) / 2^30 mod p
__device__ __forceinline__ void apply_to_de(const gcd_matrix& m, int* d, int* e, const int* p) {
  constexpr u32 minus_p_inverse = 0x3ffcfffd; // mod 2^30
  std::int64_t cd = mad64(m.u, d[0], mad64(m.v, e[0], 0));
  std::int64_t ce = mad64(m.q, d[0], mad64(m.r, e[0], 0));
  const int md = (static_cast<u32>(cd) * minus_p_inverse) & gcd_mask;
  const int me = (static_cast<u32>(ce) * minus_p_inverse) & gcd_mask;
  cd = mad64(md, p[0], cd) >> 30;
  ce = mad64(me, p[0], ce) >> 30;
#pragma unroll
  for (int i = 1; i < gcd_limbs; ++i) {
    cd = mad64(m.u, d[i], mad64(m.v, e[i], mad64(md, p[i], cd)));
    ce = mad64(m.q, d[i], mad64(m.r, e[i], mad64(me, p[i], ce)));
    d[i - 1] = static_cast<int>(cd) & gcd_mask;
    e[i - 1] = static_cast<int>(ce) & gcd_mask;
    cd >>= 30;
    ce >>= 30;
  }
  d[gcd_limbs - 1] = static_cast<int>(cd);
  e[gcd_limbs - 1] = static_cast<int>(ce);
}

/// 1/a in Montgomery form, zero for zero; a reduced. About 36 products' time.
static __device__ __noinline__ fp inverse(fp a) {
  const int p[gcd_limbs] = {0x3fffaaab, 0x27fbffff, 0x153ffffb, 0x2affffac, 0x30f6241e, 0x034a83da, 0x112bf673,
                            0x12e13ce1, 0x2cd76477, 0x1ed90d2e, 0x29a4b1ba, 0x3a8e5ff9, 0x001a0111};
  int f[gcd_limbs], g[gcd_limbs], d[gcd_limbs] = {};
  int e[gcd_limbs] = {0x0b89af51, 0x28a96fd3, 0x3ba7ca31, 0x1c7c4ebe, 0x246160ec, 0x119640c9, 0x1a84d710,
                      0x128620c4, 0x1f53480a, 0x1641eb64, 0x0726698e, 0x01d75d14, 0x00087462}; // 2^768 2^64 mod p
  u32 w[13] = {};
  split(w, a);
#pragma unroll
  for (int i = 0; i < gcd_limbs; ++i) {
    g[i] = __funnelshift_r(w[30 * i / 32], 30 * i / 32 < 12 ? w[30 * i / 32 + 1] : 0, 30 * i % 32) & gcd_mask;
    f[i] = p[i];
  }
  int t = 0;
#pragma unroll 1
  for (int batch = 0; batch < 32; ++batch) {
    const gcd_matrix m = steps28(t, f[0], g[0]);
    apply_to_fg(m, f, g);
    apply_to_de(m, d, e, p);
  }
  // f is 1 or -1 and d = +-1/a within 4p/3: add 2p and reduce.
  const int sign = f[gcd_limbs - 1] >> 31;
  std::int64_t c = 0;
  u32 l[gcd_limbs + 1];
#pragma unroll
  for (int i = 0; i < gcd_limbs; ++i) {
    c += static_cast<std::int64_t>((d[i] ^ sign) - sign) + 2 * std::int64_t(p[i]);
    l[i] = static_cast<u32>(c) & gcd_mask;
    c >>= 30;
  }
  l[gcd_limbs] = 0;
#pragma unroll
  for (int i = 0; i < 12; ++i) {
    const int k = 32 * i / 30, s = 32 * i % 30;
    w[i] = l[k] >> s | l[k + 1] << (30 - s);
  }
#pragma unroll
  for (int i = 0; i < 3; ++i)
    subtract_once<fp>(w);
  return join<fp>(w);
}

} // namespace cuzk::device
