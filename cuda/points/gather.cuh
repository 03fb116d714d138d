#pragma once
// Reading x of points that lie anywhere in a table: neighbouring lanes read together, so that a request to the second
// cache brings two sectors. What limits random reads is the number of such requests.
#include "cuda/points/layout.cuh"

namespace cuzk::cuda {

/// x of point i of a G1 table, for all 32 lanes at once. Lanes 2k and 2k + 1 fetch the outer two 16-byte words of the
/// even lane's x, then those of the odd lane's, each its own middle word, and swap what belongs to the other.
/// Measured on an H200 (2026-12): 3.53 G additions/s of random pairs against 3.38 with a lane reading its own.
__device__ __forceinline__ fp paired_x(const table_view<fp>& table, u32 i) {
  constexpr u32 all = 0xffffffff;
  const bool odd = threadIdx.x & 1;
  const u32 other = __shfl_xor_sync(all, i, 1);
  const int outer = odd ? 2 : 0;
  const uint4 even_word = table.record(odd ? other : i)[outer], odd_word = table.record(odd ? i : other)[outer];
  const uint4 middle = table.record(i)[1];
  uint4 swap = odd ? even_word : odd_word;
  swap.x = __shfl_xor_sync(all, swap.x, 1);
  swap.y = __shfl_xor_sync(all, swap.y, 1);
  swap.z = __shfl_xor_sync(all, swap.z, 1);
  swap.w = __shfl_xor_sync(all, swap.w, 1);
  const uint4 words[3] = {odd ? swap : even_word, middle, odd ? odd_word : swap};
  return load<fp>(words);
}

/// x of a place of a plan when nothing of the point has been read yet.
template <class Plan>
__device__ __forceinline__ typename Plan::field first_x(const Plan& plan, u32 place) {
  if constexpr (Plan::gathers && quads<typename Plan::field> == 3)
    return paired_x(plan.table, place);
  else
    return plan.x(place);
}

} // namespace cuzk::cuda
