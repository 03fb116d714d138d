#pragma once
// Kernels of lists.cu, which alone includes this. One thread an element, any grid, 256 threads a block, unless said.
#include "cuda/msm/counts.cuh"
#include "cuda/msm/lists.hpp"

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

namespace cuzk::cuda {

inline constexpr int scan_items = 8;
inline constexpr int scan_tile = list_threads * scan_items; ///< buckets a block scans

/// What a launch of split_scalars writes.
struct digit_output {
  msm_windows windows;
  u32 bias[8];    // sum of 2^(offset + width - 1): makes every digit a plain field of bits
  int first, end; // windows
  std::size_t stride;
  bool joint; // keys count buckets of the whole group
  u32 group_buckets;
  u32 *keys, *values;
};

/// k > r/2 becomes r - k; true when it did.
__device__ __forceinline__ bool fold_sign(u32* k) {
  using namespace device;
  const u32 half[8] = {0x80000000, 0x7fffffff, 0x7fff2dff, 0xa9ded201, 0x04d0ec02, 0x199cec04, 0x94cebea4, 0x39f6d3a9};
  sub_cc(half[0], k[0]);
#pragma unroll
  for (int j = 1; j < 8; ++j)
    subc_cc(half[j], k[j]);
  const bool negative = subc(0, 0) != 0;
  u32 t[8];
  t[0] = sub_cc(modulus_word<fr>(0), k[0]);
#pragma unroll
  for (int j = 1; j < 8; ++j)
    t[j] = subc_cc(modulus_word<fr>(j), k[j]);
#pragma unroll
  for (int j = 0; j < 8; ++j)
    k[j] = negative ? t[j] : k[j];
  return negative;
}

/// Writes (bucket, index | sign << 31) of every digit of windows [first, end). A zero digit gets the bucket after the
/// last.
__global__ void __launch_bounds__(list_threads) split_scalars(const fr* scalars, u32 n, digit_output out) {
  using namespace device;
  for (u32 i = blockIdx.x * list_threads + threadIdx.x; i < n; i += gridDim.x * list_threads) {
    u32 k[8];
    split(k, to_plain(scalars[i]));
    const bool negative = fold_sign(k);
    k[0] = add_cc(k[0], out.bias[0]);
#pragma unroll
    for (int j = 1; j < 8; ++j)
      k[j] = addc_cc(k[j], out.bias[j]);
    const u32 first_bucket = out.windows.first_bucket[out.first];
    for (int w = 0; w < out.end; ++w) {
      const int width = out.windows.width[w];
      if (w >= out.first) {
        const u32 limit = 1u << (width - 1), digit = k[0] & (2 * limit - 1);
        const bool minus = digit < limit;
        const u32 size = minus ? limit - digit : digit - limit;
        const u32 base = out.joint ? out.windows.first_bucket[w] - first_bucket : 0;
        const std::size_t at = (w - out.first) * out.stride + i;
        out.keys[at] = size == 0 ? (out.joint ? out.group_buckets : limit) : base + size - 1;
        out.values[at] = i | static_cast<u32>(minus != negative) << 31;
      }
#pragma unroll
      for (int j = 0; j < 7; ++j)
        k[j] = __funnelshift_r(k[j], k[j + 1], width);
      k[7] >>= width;
    }
  }
}

/// begin[b], end[b]: where bucket b lies in the sorted keys. Keys from `buckets` on are zero digits. A thread looks at
/// four neighbours; the keys are aligned to 16 bytes where their number is a multiple of four.
__global__ void __launch_bounds__(list_threads)
  find_buckets(const u32* keys, std::size_t n, u32 buckets, u32* begin, u32* end) {
  const std::size_t step = std::size_t(gridDim.x) * list_threads * 4;
  const bool aligned = reinterpret_cast<std::size_t>(keys) % 16 == 0;
  for (std::size_t i = (blockIdx.x * std::size_t(list_threads) + threadIdx.x) * 4; i < n; i += step) {
    u32 key[6]; // the one before, four, the one after
    key[0] = i == 0 ? 0xffffffff : keys[i - 1];
    key[5] = i + 4 < n ? keys[i + 4] : 0xffffffff;
    if (aligned && i + 4 <= n) {
      const uint4 four = *reinterpret_cast<const uint4*>(keys + i);
      key[1] = four.x, key[2] = four.y, key[3] = four.z, key[4] = four.w;
    } else {
      for (int k = 0; k < 4; ++k)
        key[1 + k] = i + k < n ? keys[i + k] : 0xffffffff;
    }
#pragma unroll
    for (int k = 1; k <= 4; ++k) {
      if (key[k] >= buckets)
        continue;
      if (key[k - 1] != key[k])
        begin[key[k]] = static_cast<u32>(i + k - 1);
      if (key[k + 1] != key[k])
        end[key[k]] = static_cast<u32>(i + k);
    }
  }
}

/// Lists the additions of the first level, pairs of neighbours in a bucket; the last of an odd bucket has no partner
/// and goes to the list of those.
__global__ void __launch_bounds__(list_threads) list_pairs(sorted_part part, msm_arrays a) {
  const std::size_t step = std::size_t(gridDim.x) * list_threads;
  for (std::size_t i = blockIdx.x * std::size_t(list_threads) + threadIdx.x; i < part.entries; i += step) {
    const u32 key = part.keys[i];
    if (key >= part.buckets)
      return;
    const u32 b = part.first_bucket + key, r = static_cast<u32>(i) - a.begin[b];
    const u32 value = part.values[i];
    if ((r | 1) >= a.count[b]) {
      a.odd[a.place[b] - a.slots[0][b]] = {b, value}; // that many odd buckets lie before it
      continue;
    }
    const u32 slot = a.slots[0][b] + r / 2;
    a.pairs[2 * std::size_t(slot) + (r & 1)] = value;
    if ((r & 1) == 0)
      a.bucket_of[0][slot] = b;
  }
}

// -- prefix sums over buckets, in three launches ----------------------------------

/// What is summed: how many additions of `level`, or (level < 0) how many places a bucket has in the tree.
__device__ __forceinline__ u32 scanned(u32 count, int level) {
  return level < 0 ? (count + 1) / 2 : points_left(count, level) / 2;
}

/// Turns ends into counts and finds the largest.
__global__ void __launch_bounds__(list_threads) count_buckets(const u32* begin, u32* count, u32 n, u32* largest) {
  using reduce = cub::BlockReduce<u32, list_threads>;
  __shared__ typename reduce::TempStorage temp;
  u32 most = 0;
  for (u32 b = blockIdx.x * list_threads + threadIdx.x; b < n; b += gridDim.x * list_threads) {
    const u32 c = count[b] - begin[b];
    count[b] = c;
    most = max(most, c);
  }
  most = reduce(temp).Reduce(most, [](u32 a, u32 b) { return max(a, b); });
  if (threadIdx.x == 0 && most > 0)
    atomicMax(largest, most);
}

/// Sum of each tile of scan_tile buckets.
__global__ void __launch_bounds__(list_threads)
  scan_sums(const u32* count, u32 n, int level, const u32* largest, u32* partial) {
  if (level_is_empty(largest, level))
    return;
  using reduce = cub::BlockReduce<u32, list_threads>;
  __shared__ typename reduce::TempStorage temp;
  u32 sum = 0;
  for (int k = 0; k < scan_items; ++k) {
    const u32 b = blockIdx.x * scan_tile + k * list_threads + threadIdx.x;
    sum += b < n ? scanned(count[b], level) : 0;
  }
  sum = reduce(temp).Sum(sum);
  if (threadIdx.x == 0)
    partial[blockIdx.x] = sum;
}

/// One block: exclusive prefix sums of the tiles, in place.
__global__ void __launch_bounds__(1024) scan_partials(u32* partial, u32 tiles, int level, const u32* largest) {
  if (level_is_empty(largest, level))
    return;
  using scan = cub::BlockScan<u32, 1024>;
  __shared__ typename scan::TempStorage temp;
  u32 before = 0;
  for (u32 first = 0; first < tiles; first += 1024) {
    const u32 i = first + threadIdx.x;
    u32 value = i < tiles ? partial[i] : 0, total = 0;
    scan(temp).ExclusiveSum(value, value, total);
    if (i < tiles)
      partial[i] = before + value;
    before += total;
    __syncthreads();
  }
}

__device__ __forceinline__ void load_counts(const u32* count, u32 first, u32 n, bool whole, u32* v) {
  if (whole) {
    const auto* from = reinterpret_cast<const uint4*>(count + first);
    const uint4 a = from[0], b = from[1];
    v[0] = a.x, v[1] = a.y, v[2] = a.z, v[3] = a.w, v[4] = b.x, v[5] = b.y, v[6] = b.z, v[7] = b.w;
    return;
  }
#pragma unroll
  for (int k = 0; k < scan_items; ++k)
    v[k] = first + k < n ? count[first + k] : 0;
}

/// out[b] = sum of all before b; out[n] = sum of all.
__global__ void __launch_bounds__(list_threads)
  scan_write(const u32* count, u32 n, int level, const u32* largest, const u32* partial, u32* out) {
  if (level_is_empty(largest, level))
    return;
  using scan = cub::BlockScan<u32, list_threads>;
  __shared__ typename scan::TempStorage temp;
  const u32 first = blockIdx.x * scan_tile + threadIdx.x * scan_items; // 32 bytes a thread
  u32 v[scan_items];
  const bool whole = first + scan_items <= n;
  load_counts(count, first, n, whole, v);
#pragma unroll
  for (int k = 0; k < scan_items; ++k)
    v[k] = first + k < n ? scanned(v[k], level) : 0;
  scan(temp).ExclusiveSum(v, v);
  const u32 before = partial[blockIdx.x];
  if (whole) {
    auto* to = reinterpret_cast<uint4*>(out + first);
    to[0] = make_uint4(before + v[0], before + v[1], before + v[2], before + v[3]);
    to[1] = make_uint4(before + v[4], before + v[5], before + v[6], before + v[7]);
  }
  for (int k = whole ? scan_items : 0; k < scan_items; ++k)
    if (first + k <= n)
      out[first + k] = before + v[k];
}

} // namespace cuzk::cuda
