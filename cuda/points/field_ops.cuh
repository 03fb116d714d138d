#pragma once
// What point kernels ask of a coordinate field, for Fp and Fp2, and coordinates as 16-byte words.
#include "math/curve.hpp"
#include "math/inverse_device.cuh"

namespace cuzk::cuda {

using device::u32;

/// 16-byte words of a coordinate.
template <class F>
inline constexpr int quads = static_cast<int>(sizeof(F) / 16);

/// A coordinate from words `stride` words apart.
template <class F>
__device__ __forceinline__ F load(const uint4* q, std::size_t stride = 1) {
  union {
    uint4 word[quads<F>];
    u32 w[4 * quads<F>];
  } u;
#pragma unroll
  for (int i = 0; i < quads<F>; ++i)
    u.word[i] = q[i * stride];
  F out;
  if constexpr (quads<F> == 3) {
    out = device::join<fp>(u.w);
  } else {
    out.c0 = device::join<fp>(u.w);
    out.c1 = device::join<fp>(u.w + 12);
  }
  return out;
}

/// 16-byte word i of a coordinate.
__device__ __forceinline__ uint4 word_of(const fp& a, int i) {
  return make_uint4(static_cast<u32>(a.limb[2 * i]), static_cast<u32>(a.limb[2 * i] >> 32),
                    static_cast<u32>(a.limb[2 * i + 1]), static_cast<u32>(a.limb[2 * i + 1] >> 32));
}
__device__ __forceinline__ uint4 word_of(const fp2& a, int i) {
  return i < 3 ? word_of(a.c0, i) : word_of(a.c1, i - 3);
}

template <class F>
__device__ __forceinline__ void store(uint4* q, const F& a, std::size_t stride = 1) {
#pragma unroll
  for (int i = 0; i < quads<F>; ++i)
    q[i * stride] = word_of(a, i);
}

/// False for most values that are not zero; true for zero.
__device__ __forceinline__ bool maybe_zero(const fp& a) {
  return static_cast<u32>(a.limb[0]) == 0;
}
__device__ __forceinline__ bool maybe_zero(const fp2& a) {
  return static_cast<u32>(a.c0.limb[0]) == 0;
}

__device__ __forceinline__ fp plus(const fp& a, const fp& b) {
  return device::add(a, b);
}
__device__ __forceinline__ fp minus(const fp& a, const fp& b) {
  return device::sub(a, b);
}
__device__ __forceinline__ fp negated_if(const fp& a, bool flip) {
  return device::negate_if(a, flip);
}
/// For coordinates that are not zero.
__device__ __forceinline__ fp negated_nonzero_if(const fp& a, bool flip) {
  return device::negate_nonzero_if(a, flip);
}
/// Factors below 2p with a b < 9 p^2, result below 2p.
__device__ __forceinline__ fp times_lazy(const fp& a, const fp& b) {
  return device::mul_call(a, b);
}
__device__ __forceinline__ fp reduced(const fp& a) {
  return device::reduce(a);
}
__device__ __forceinline__ fp squared(const fp& a) {
  return device::sqr_call(a);
}
__device__ __forceinline__ fp inverted(const fp& a) {
  return device::inverse(a);
}

__device__ __forceinline__ fp2 plus(const fp2& a, const fp2& b) {
  return {plus(a.c0, b.c0), plus(a.c1, b.c1)};
}
__device__ __forceinline__ fp2 minus(const fp2& a, const fp2& b) {
  return {minus(a.c0, b.c0), minus(a.c1, b.c1)};
}
__device__ __forceinline__ fp2 negated_if(const fp2& a, bool flip) {
  return {negated_if(a.c0, flip), negated_if(a.c1, flip)};
}
__device__ __forceinline__ fp2 negated_nonzero_if(const fp2& a, bool flip) {
  return negated_if(a, flip);
}
__device__ __forceinline__ fp2 times_lazy(const fp2& a, const fp2& b) {
  const fp cross = device::mul(plus(a.c0, a.c1), plus(b.c0, b.c1));
  const fp low = device::mul(a.c0, b.c0), high = device::mul(a.c1, b.c1);
  return {minus(low, high), minus(minus(cross, low), high)};
}
__device__ __forceinline__ fp2 reduced(const fp2& a) {
  return a;
}
__device__ __forceinline__ fp2 squared(const fp2& a) {
  const fp t = device::mul(a.c0, a.c1);
  return {device::mul(plus(a.c0, a.c1), minus(a.c0, a.c1)), plus(t, t)};
}
__device__ __forceinline__ fp2 inverted(const fp2& a) {
  const fp n = inverted(plus(squared(a.c0), squared(a.c1)));
  return {device::mul(a.c0, n), negated_if(device::mul(a.c1, n), true)};
}

} // namespace cuzk::cuda
