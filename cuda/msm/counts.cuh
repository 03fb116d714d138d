#pragma once
// How many points a bucket has left, for the lists and for the trees.
#include "math/field_device.cuh"

namespace cuzk::cuda {

using device::u32;

inline constexpr int list_threads = 256; ///< of a block of the kernels that walk over entries or buckets

/// Points left in a bucket of `count` before level `level` (0 is the first).
__host__ __device__ inline u32 points_left(u32 count, int level) {
  return (count >> level) + ((count & ((1u << level) - 1)) != 0);
}

/// Whether no bucket has two points before the level.
__device__ __forceinline__ bool level_is_empty(const u32* largest, int level) {
  return level > 0 && points_left(*largest, level) <= 1;
}

} // namespace cuzk::cuda
