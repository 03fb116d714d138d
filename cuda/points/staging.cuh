#pragma once
// How a coordinate reaches a thread of the addition kernel: straight from memory, or for random reads of G1 points
// through shared memory, neighbouring lanes fetching the 16-byte words of one record (a third of the memory requests).
#include "cuda/points/layout.cuh"

namespace cuzk::cuda {

template <class Plan>
struct direct_reader {
  using F = typename Plan::field;
  const Plan& plan;
  u32 a, b;
  __device__ F xa() const { return plan.x(a); }
  __device__ F xb() const { return plan.x(b); }
  __device__ F ya() const { return plan.y(a); }
  __device__ F yb() const { return plan.y(b); }
};

/// Words of one coordinate of a row of 32 points: a lane's three words lie together, which has no bank conflicts.
inline constexpr int coordinate_words = 32 * 3;
/// Words of a row: x and y of the first operands, x and y of the second.
inline constexpr int stage_words = 4 * coordinate_words;

template <class F>
struct staged_reader {
  const uint4* row;
  __device__ F at(int coordinate) const {
    return load<F>(row + coordinate * coordinate_words + (threadIdx.x & 31) * quads<F>);
  }
  __device__ F xa() const { return at(0); }
  __device__ F ya() const { return at(1); }
  __device__ F xb() const { return at(2); }
  __device__ F yb() const { return at(3); }
};

__device__ __forceinline__ void copy_async(uint4* shared, const uint4* global) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<u32>(__cvta_generic_to_shared(shared))),
               "l"(global)
               : "memory");
}
__device__ __forceinline__ void end_group() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
/// After these every lane sees what all lanes of the warp have fetched.
__device__ __forceinline__ void wait_for_all_but_newest() {
  asm volatile("cp.async.wait_group 1;" ::: "memory");
  __syncwarp();
}
__device__ __forceinline__ void wait_for_all() {
  asm volatile("cp.async.wait_group 0;" ::: "memory");
}

/// Fetches x of every lane's points a and b: eight records of three words at a time.
template <class Plan>
__device__ __forceinline__ void stage_x(const Plan& plan, uint4* row, u32 a, u32 b) {
  const u32 lane = threadIdx.x & 31, first = lane / 3, part = lane % 3;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const u32 record = (k * 8 + first) & 31;
    const u32 ia = __shfl_sync(0xffffffff, a, record), ib = __shfl_sync(0xffffffff, b, record);
    if (lane < 24) {
      uint4* to = row + record * 3 + part;
      copy_async(to, plan.record(ia) + part);
      copy_async(to + 2 * coordinate_words, plan.record(ib) + part);
    }
  }
  end_group();
}

/// Fetches both coordinates: five records of six words at a time.
template <class Plan>
__device__ __forceinline__ void stage_point(const Plan& plan, uint4* row, u32 a, u32 b) {
  const u32 lane = threadIdx.x & 31, first = lane / 6, part = lane % 6;
  uint4* const column = row + (part < 3 ? part : coordinate_words + part - 3);
#pragma unroll
  for (int k = 0; k < 7; ++k) {
    const u32 record = k * 5 + first;
    const u32 ia = __shfl_sync(0xffffffff, a, record & 31), ib = __shfl_sync(0xffffffff, b, record & 31);
    if (lane < 30 && record < 32) {
      copy_async(column + record * 3, plan.record(ia) + part);
      copy_async(column + record * 3 + 2 * coordinate_words, plan.record(ib) + part);
    }
  }
  end_group();
}

} // namespace cuzk::cuda
