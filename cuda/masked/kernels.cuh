#pragma once
// Lists of the points of a mask, the plans that add them up, and the end in one block.
#include "cuda/msm/counts.cuh"
#include "cuda/points/adder.cuh"

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

namespace cuzk::cuda {

inline constexpr u32 mask_tile_words = list_threads; ///< 32-bit words a block looks at, one a thread: 8192 bits

/// Bits set in each tile of the mask.
static __global__ void __launch_bounds__(list_threads) count_mask(const u32* mask, u32 words, u32* partial) {
  using reduce = cub::BlockReduce<u32, list_threads>;
  __shared__ typename reduce::TempStorage temp;
  const u32 w = blockIdx.x * mask_tile_words + threadIdx.x;
  const u32 sum = reduce(temp).Sum(w < words ? __popc(mask[w]) : 0);
  if (threadIdx.x == 0)
    partial[blockIdx.x] = sum;
}

/// One block of 1024: exclusive prefix sums of the tiles, in place, and the sum of all.
static __global__ void __launch_bounds__(1024) scan_mask(u32* partial, u32 tiles, u32* total) {
  using scan = cub::BlockScan<u32, 1024>;
  __shared__ typename scan::TempStorage temp;
  u32 before = 0;
  for (u32 first = 0; first < tiles; first += 1024) {
    const u32 i = first + threadIdx.x;
    u32 value = i < tiles ? partial[i] : 0, sum = 0;
    scan(temp).ExclusiveSum(value, value, sum);
    if (i < tiles)
      partial[i] = before + value;
    before += sum;
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *total = before;
}

/// Writes the places of the set bits, in order.
static __global__ void __launch_bounds__(list_threads)
  list_mask(const u32* mask, u32 words, const u32* partial, u32* list) {
  using scan = cub::BlockScan<u32, list_threads>;
  __shared__ typename scan::TempStorage temp;
  const u32 w = blockIdx.x * mask_tile_words + threadIdx.x;
  u32 bits = w < words ? mask[w] : 0, at = 0;
  scan(temp).ExclusiveSum(static_cast<u32>(__popc(bits)), at);
  at += partial[blockIdx.x];
  for (; bits != 0; bits &= bits - 1)
    list[at++] = 32 * w + __ffs(bits) - 1;
}

/// Adds neighbours of the list.
template <class F>
struct plan_listed {
  using field = F;
  static constexpr bool with_signs = false, gathers = true;
  table_view<F> table;
  plane_view<F> out;
  const u32* list;
  const u32* total;
  __device__ u32 size() const { return *total / 2; }
  __device__ operands at(u32 j) const {
    const uint2 p = reinterpret_cast<const uint2*>(list)[j];
    return {p.x, p.y};
  }
  __device__ F x(u32 i) const { return table.x(i); }
  __device__ F y(u32 i) const { return table.y(i); }
  __device__ void put(u32 j, const affine<F>& p) const { out.put(j, p); }
};

/// Adds the upper half of what is left before `level` to the lower half, in place.
template <class F>
struct plan_halve {
  using field = F;
  static constexpr bool with_signs = false, gathers = false;
  plane_view<F> points;
  const u32* total;
  int level;
  __device__ u32 size() const { return points_left(*total, level) / 2; }
  __device__ operands at(u32 j) const { return {j, j + points_left(*total, level + 1)}; }
  __device__ F x(u32 i) const { return points.x(i); }
  __device__ F y(u32 i) const { return points.y(i); }
  __device__ void put(u32 j, const affine<F>& p) const { points.put(j, p); }
};

/// The last of an odd list has no partner. One thread.
template <class F>
__global__ void copy_last(plan_listed<F> plan) {
  const u32 n = *plan.total;
  if (n & 1)
    plan.out.put(n / 2, {plan.x(plan.list[n - 1]), plan.y(plan.list[n - 1])});
}

inline constexpr int end_threads = 128;

template <class F>
__device__ __noinline__ void accumulate(jacobian<F>& a, const jacobian<F>& b) {
  a = a + b;
}

/// One block: the sum of what is left before `level`.
template <class F>
__global__ void __launch_bounds__(end_threads) sum_rest(plan_halve<F> plan, jacobian<F>* out) {
  extern __shared__ uint4 memory[];
  auto* shared = reinterpret_cast<jacobian<F>*>(memory);
  const u32 left = points_left(*plan.total, plan.level);
  jacobian<F> sum = jacobian<F>::infinity();
  for (u32 i = threadIdx.x; i < left; i += end_threads)
    accumulate(sum, jacobian<F>::from({plan.x(i), plan.y(i)}));
  shared[threadIdx.x] = sum;
  for (u32 s = end_threads / 2; s > 0; s /= 2) {
    __syncthreads();
    if (threadIdx.x < s)
      accumulate(shared[threadIdx.x], shared[threadIdx.x + s]);
  }
  if (threadIdx.x == 0)
    *out = shared[0];
}

} // namespace cuzk::cuda
