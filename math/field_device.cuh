#pragma once
// The arithmetic of math/field.hpp for one GPU thread, on 32-bit words. Device code only; included by field.hpp.
// A "lazy" result lies below twice the modulus; everything else is reduced.
#include "math/carry_chain.cuh"
#include "math/field.hpp"

namespace cuzk::device {

template <class F>
inline constexpr int words = 2 * F::limbs;

template <class F>
__device__ __forceinline__ void split(u32* w, const F& a) {
#pragma unroll
  for (int i = 0; i < F::limbs; ++i) {
    w[2 * i] = static_cast<u32>(a.limb[i]);
    w[2 * i + 1] = static_cast<u32>(a.limb[i] >> 32);
  }
}

template <class F>
__device__ __forceinline__ F join(const u32* w) {
  F r;
#pragma unroll
  for (int i = 0; i < F::limbs; ++i)
    r.limb[i] = w[2 * i] | static_cast<std::uint64_t>(w[2 * i + 1]) << 32;
  return r;
}

/// Word i of `times` times the modulus.
template <class F>
__device__ __forceinline__ constexpr u32 modulus_word(int i, int times = 1) {
  const auto q = F::params::modulus();
  const std::uint64_t low = q.limb[i / 2], below = i > 1 ? q.limb[i / 2 - 1] : 0;
  const std::uint64_t limb = times == 2 ? (low << 1 | below >> 63) : low;
  return static_cast<u32>(limb >> (32 * (i & 1)));
}

/// a - times * modulus if that is not negative, else a. `top` is a carry beyond the words of a.
template <class F>
__device__ __forceinline__ void subtract_once(u32* a, int times = 1, u32 top = 0) {
  constexpr int n = words<F>;
  u32 r[n];
  r[0] = sub_cc(a[0], modulus_word<F>(0, times));
#pragma unroll
  for (int i = 1; i < n; ++i)
    r[i] = subc_cc(a[i], modulus_word<F>(i, times));
  const u32 borrow = subc(top, 0);
#pragma unroll
  for (int i = 0; i < n; ++i)
    a[i] = borrow ? a[i] : r[i];
}

/// A lazy value in [0, modulus).
template <class F>
__device__ __forceinline__ F reduce(const F& a) {
  u32 w[words<F>];
  split(w, a);
  subtract_once<F>(w);
  return join<F>(w);
}

/// a + b for a, b below `times` moduli, again below that. times = 2 is for Fr alone, whose 2r fills 256 bits.
template <class F, int times = 1>
__device__ __forceinline__ F add(const F& a, const F& b) {
  constexpr int n = words<F>;
  u32 x[n], y[n];
  split(x, a);
  split(y, b);
  x[0] = add_cc(x[0], y[0]);
#pragma unroll
  for (int i = 1; i < n; ++i)
    x[i] = addc_cc(x[i], y[i]);
  const u32 top = times == 2 ? addc(0, 0) : 0;
  subtract_once<F>(x, times, top);
  return join<F>(x);
}

/// a - b, for operands and result as in add.
template <class F, int times = 1>
__device__ __forceinline__ F sub(const F& a, const F& b) {
  constexpr int n = words<F>;
  u32 x[n], y[n];
  split(x, a);
  split(y, b);
  x[0] = sub_cc(x[0], y[0]);
#pragma unroll
  for (int i = 1; i < n; ++i)
    x[i] = subc_cc(x[i], y[i]);
  const bool borrow = subc(0, 0) != 0;
#pragma unroll
  for (int i = 0; i < n; ++i)
    y[i] = modulus_word<F>(i, times);
  add_when<n>(borrow, x, y);
  return join<F>(x);
}

/// -a when `flip`, else a; a is not zero (zero becomes the modulus).
template <class F>
__device__ __forceinline__ F negate_nonzero_if(const F& a, bool flip) {
  constexpr int n = words<F>;
  u32 w[n], q[n];
  split(w, a);
#pragma unroll
  for (int i = 0; i < n; ++i)
    q[i] = modulus_word<F>(i);
  subtract_from_when<n>(flip, w, q);
  return join<F>(w);
}

/// -a when `flip`, else a; zero stays zero.
template <class F>
__device__ __forceinline__ F negate_if(const F& a, bool flip) {
  return negate_nonzero_if(a, flip && !a.is_zero());
}

// -- Montgomery reduction -------------------------------------------------------

/// acc = (acc >> 64) + b * (a[0], a[2], ..) + the carry flag; no carry leaves.
template <int M>
__device__ __forceinline__ void shift_mad_row(u32* acc, const u32* a, u32 b) {
#pragma unroll
  for (int j = 0; j < M - 2; j += 2) {
    acc[j] = madc_lo_cc(a[j], b, acc[j + 2]);
    acc[j + 1] = madc_hi_cc(a[j], b, acc[j + 3]);
  }
  acc[M - 2] = madc_lo_cc(a[M - 2], b, 0);
  acc[M - 1] = madc_hi(a[M - 2], b, 0);
}

/// (odd << 32) + even without the lowest word, which is clear, + high.
template <class F>
__device__ __forceinline__ F join_sums(const u32* even, const u32* odd, const u32* high) {
  constexpr int n = words<F>;
  u32 r[n];
  r[0] = add_cc(odd[0], even[1]);
#pragma unroll
  for (int j = 1; j < n - 1; ++j)
    r[j] = addc_cc(odd[j], even[j + 1]);
  r[n - 1] = addc(odd[n - 1], 0);
  r[0] = add_cc(r[0], high[0]);
#pragma unroll
  for (int j = 1; j < n - 1; ++j)
    r[j] = addc_cc(r[j], high[j]);
  r[n - 1] = addc(r[n - 1], high[n - 1]);
  return join<F>(r);
}

/// t / 2^384 mod p, below 2p, for a product t below p 2^384.
__device__ __forceinline__ fp montgomery_lazy(const u32* t, const fp*) {
  constexpr int n = words<fp>;
  constexpr u32 inv = static_cast<u32>(fp_params::inv);
  u32 p[n], even[n], odd[n];
#pragma unroll
  for (int i = 0; i < n; ++i) {
    p[i] = modulus_word<fp>(i);
    even[i] = t[i];
  }
  u32 m = even[0] * inv;
#pragma unroll
  for (int j = 0; j < n; j += 2)
    wide_mul(odd[j], odd[j + 1], p[j + 1], m);
  mad_row<n>(even, p, m);
  odd[n - 1] = addc(odd[n - 1], 0);
#pragma unroll
  for (int i = 1; i < n; ++i) {
    u32* lo = (i & 1) ? odd : even;
    u32* hi = (i & 1) ? even : odd;
    lo[0] = add_cc(lo[0], hi[1]);
    m = lo[0] * inv; // leaves the carry flag alone
    shift_mad_row<n>(hi, p + 1, m);
    mad_row<n>(lo, p, m);
    hi[n - 1] = addc(hi[n - 1], 0);
  }
  return join_sums<fp>(odd, even, t + n);
}

/// t / 2^256 mod r, below 2r, for a product t below 2 r^2.
/// The lowest word of r is 1, so that m = -t0 needs no multiplication and m times that word is only a carry: it is kept
/// for the next row. m is written as ~(t0 - 1): told a negation, ptxas moves the sign into the products and splits each
/// into two.
__device__ __forceinline__ fr montgomery_lazy(const u32* t, const fr*) {
  constexpr int n = words<fr>;
  u32 r[n], even[n], odd[n], x = 0, m = 0;
#pragma unroll
  for (int i = 0; i < n; ++i) {
    r[i] = modulus_word<fr>(i);
    even[i] = t[i];
  }
#pragma unroll
  for (int i = 0; i < n; ++i) {
    // lo holds the sum that starts at word i, hi the one that starts at word i - 1, to be moved down two words
    u32* lo = (i & 1) ? odd : even;
    u32* hi = (i & 1) ? even : odd;
    if (i > 0) {
      add_cc(x, m); // the word that became zero: only its carry is of use
      lo[0] = addc_cc(lo[0], hi[1]);
    }
    x = lo[0];
    m = negated_word(x); // leaves the carry flag alone
    if (i > 0) {
      shift_mad_row<n>(hi, r + 1, m);
    } else {
#pragma unroll
      for (int j = 0; j < n; j += 2)
        wide_mul(hi[j], hi[j + 1], r[j + 1], m);
    }
    mad_row<n - 2>(lo + 2, r + 2, m);
    hi[n - 1] = addc(hi[n - 1], 0);
  }
  add_cc(x, m);
  u32 out[n];
  out[0] = addc_cc(even[0], odd[1]);
#pragma unroll
  for (int j = 1; j < n - 1; ++j)
    out[j] = addc_cc(even[j], odd[j + 1]);
  out[n - 1] = addc(even[n - 1], 0);
  out[0] = add_cc(out[0], t[n]);
#pragma unroll
  for (int j = 1; j < n - 1; ++j)
    out[j] = addc_cc(out[j], t[n + j]);
  out[n - 1] = addc(out[n - 1], t[2 * n - 1]);
  return join<fr>(out);
}

// -- products -------------------------------------------------------------------

/// a b, lazy, inlined. Fp: factors with a b < 9 p^2. Fr: one factor below 2r, the other reduced.
__device__ __forceinline__ fp mul_lazy(const fp& a, const fp& b) {
  u32 x[12], y[12], t[24];
  split(x, a);
  split(y, b);
  karatsuba_wide<12>(t, x, y);
  return montgomery_lazy(t, static_cast<const fp*>(nullptr));
}

__device__ __forceinline__ fr mul_lazy(const fr& a, const fr& b) {
  u32 x[8], y[8], t[16];
  split(x, a);
  split(y, b);
  mul_wide<8>(t, x, y);
  return montgomery_lazy(t, static_cast<const fr*>(nullptr));
}

/// The same as one copy of the code: a loop with many inlined products outgrows the instruction cache.
static __device__ __noinline__ fp mul_call(fp a, fp b) {
  return mul_lazy(a, b);
}
static __device__ __noinline__ fr mul_call(fr a, fr b) {
  return mul_lazy(a, b);
}

template <class F>
__device__ __forceinline__ F mul(const F& a, const F& b) {
  return reduce(mul_call(a, b));
}

/// a^2, lazy, inlined.
template <class F>
__device__ __forceinline__ F sqr_lazy(const F& a) {
  constexpr int n = words<F>;
  u32 x[n], t[2 * n];
  split(x, a);
  sqr_wide<n>(t, x);
  return montgomery_lazy(t, static_cast<const F*>(nullptr));
}

static __device__ __noinline__ fp sqr_call(fp a) {
  return reduce(sqr_lazy(a));
}
static __device__ __noinline__ fr sqr_call(fr a) {
  return reduce(sqr_lazy(a));
}

// What the operators of math/field.hpp call.
template <class F>
__device__ __forceinline__ F plus(const F& a, const F& b) {
  return add(a, b);
}
template <class F>
__device__ __forceinline__ F minus(const F& a, const F& b) {
  return sub(a, b);
}
template <class F>
__device__ __forceinline__ F times(const F& a, const F& b) {
  return mul(a, b);
}

/// The canonical integer of a reduced or lazy element.
template <class F>
__device__ __forceinline__ F to_plain(const F& a) {
  constexpr int n = words<F>;
  u32 t[2 * n] = {};
  split(t, a);
  return reduce(montgomery_lazy(t, static_cast<const F*>(nullptr)));
}

} // namespace cuzk::device
