#pragma once
// How points lie in device memory: a table for random reads, planes for streams.
#include "cuda/points/field_ops.cuh"

namespace cuzk::cuda {

/// 16-byte words of a point.
template <class F>
inline constexpr int point_quads = 2 * quads<F>;

/// Points one after another, as math/curve.hpp lays them out: what random reads want.
template <class F>
struct table_view {
  const affine<F>* base;
  __device__ const uint4* record(u32 i) const { return reinterpret_cast<const uint4*>(base + i); }
  __device__ F x(u32 i) const { return load<F>(record(i)); }
  __device__ F y(u32 i) const { return load<F>(record(i) + quads<F>); }
};

/// Points as arrays of 32-byte sectors, `stride` points long: what a warp that walks through nearly consecutive points
/// wants, without waste where there are gaps.
template <class F>
struct plane_view {
  uint4* base;
  std::size_t stride;
  __device__ uint4* word(u32 i, int w) const { return base + (w / 2 * stride + i) * 2 + w % 2; }
  __device__ F x(u32 i) const { return coordinate(i, 0); }
  __device__ F y(u32 i) const { return coordinate(i, quads<F>); }
  __device__ void put(u32 i, const affine<F>& p) const {
#pragma unroll
    for (int w = 0; w < quads<F>; ++w)
      *word(i, w) = word_of(p.x, w);
#pragma unroll
    for (int w = 0; w < quads<F>; ++w)
      *word(i, quads<F> + w) = word_of(p.y, w);
  }

private:
  __device__ F coordinate(u32 i, int first) const {
    uint4 w[quads<F>];
#pragma unroll
    for (int k = 0; k < quads<F>; ++k)
      w[k] = *word(i, first + k);
    return load<F>(w);
  }
};

/// Bytes of planes for n points.
template <class F>
constexpr std::size_t plane_bytes(std::size_t n) {
  return n * sizeof(affine<F>);
}

} // namespace cuzk::cuda
