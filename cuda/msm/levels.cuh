#pragma once
// The trees that sum buckets, and their plans for the addition kernel.
#include "cuda/msm/counts.cuh"
#include "cuda/msm/lists.hpp"
#include "cuda/points/adder.cuh"

namespace cuzk::cuda {

/// The buckets of a group of windows while they are summed.
template <class F>
struct tree {
  plane_view<F> points; // what is left of the buckets, each from place[b] on
  plane_view<F> sums;   // finished buckets
  const u32* count;     // points of a bucket at the start
  const u32* place;
  const u32* next_slot; // first slot of a bucket in the next level
  u32* next_bucket_of;  // bucket of a slot of the next level

  /// Puts point r of the `left` that bucket b will have.
  __device__ void put(u32 b, u32 r, u32 left, const affine<F>& p) const {
    if (left == 1) {
      sums.put(b, p);
      return;
    }
    points.put(place[b] + r, p);
    if (r < left / 2)
      next_bucket_of[next_slot[b] + r] = b;
  }
};

/// Adds neighbours of a bucket's list, read from the table.
template <class F>
struct plan_first_level {
  using field = F;
  static constexpr bool with_signs = true, gathers = true;
  tree<F> t;
  table_view<F> table;
  const uint2* pairs;
  const u32* bucket_of;
  const u32* slots;
  u32 buckets;
  __device__ u32 size() const { return slots[buckets]; }
  __device__ operands at(u32 j) const {
    const uint2 p = pairs[j];
    return {p.x & 0x7fffffff, p.y & 0x7fffffff, (p.x >> 31) != 0, (p.y >> 31) != 0};
  }
  __device__ F x(u32 i) const { return table.x(i); }
  __device__ F y(u32 i) const { return table.y(i); }
  __device__ void put(u32 j, const affine<F>& p) const {
    const u32 b = bucket_of[j];
    t.put(b, j - slots[b], (t.count[b] + 1) / 2, p);
  }
};

/// Adds the upper half of what is left of a bucket to its lower half, in place.
template <class F>
struct plan_level {
  using field = F;
  static constexpr bool with_signs = false, gathers = false;
  tree<F> t;
  const u32* largest;
  const u32* bucket_of;
  const u32* slots;
  u32 buckets;
  int level;
  __device__ u32 size() const { return level_is_empty(largest, level) ? 0 : slots[buckets]; }
  __device__ operands at(u32 j) const {
    const u32 b = bucket_of[j], a = t.place[b] + j - slots[b];
    return {a, a + points_left(t.count[b], level + 1)};
  }
  __device__ F x(u32 i) const { return t.points.x(i); }
  __device__ F y(u32 i) const { return t.points.y(i); }
  __device__ void put(u32 j, const affine<F>& p) const {
    const u32 b = bucket_of[j];
    t.put(b, j - slots[b], points_left(t.count[b], level + 1), p);
  }
};

/// Removes bit `bit` of the index: out[j] is the sum of the two points of `in` whose index without that bit is j.
template <class F>
struct folding {
  plane_view<F> in, out;
  u32 n; // of out
  int bit;
};

/// Two foldings in one launch, the rows of the buckets and their columns.
template <class F>
struct plan_fold {
  using field = F;
  static constexpr bool with_signs = false, gathers = false;
  static constexpr u32 of_second = 0x80000000;
  folding<F> first, second;
  __device__ u32 size() const { return first.n + second.n; }
  __device__ operands at(u32 j) const {
    const bool is_second = j >= first.n;
    j -= is_second ? first.n : 0;
    const int bit = is_second ? second.bit : first.bit;
    const u32 low = (1u << bit) - 1, a = (((j & ~low) << 1) | (j & low)) | (is_second ? of_second : 0);
    return {a, a + (1u << bit)};
  }
  __device__ plane_view<F> source(u32 i) const { return i & of_second ? second.in : first.in; }
  __device__ F x(u32 i) const { return source(i).x(i & ~of_second); }
  __device__ F y(u32 i) const { return source(i).y(i & ~of_second); }
  __device__ void put(u32 j, const affine<F>& p) const {
    if (j < first.n)
      first.out.put(j, p);
    else
      second.out.put(j - first.n, p);
  }
};

/// Copies the points of odd buckets that have no partner in the first level. One thread a point.
template <class F>
__global__ void __launch_bounds__(list_threads)
  copy_odd(table_view<F> table, const odd_point* odd, const u32* slots, tree<F> t, u32 buckets) {
  const u32 n = t.place[buckets] - slots[buckets];
  for (u32 i = blockIdx.x * list_threads + threadIdx.x; i < n; i += gridDim.x * list_threads) {
    const odd_point o = odd[i];
    const u32 at = o.value & 0x7fffffff, left = t.count[o.bucket];
    const affine<F> p{table.x(at), negated_if(table.y(at), o.value >> 31 != 0)};
    if (left == 1)
      t.sums.put(o.bucket, p);
    else
      t.points.put(t.place[o.bucket] + left / 2, p);
  }
}

// -- weighted sums of short vectors -------------------------------------------------

inline constexpr int weigh_threads = 128;

template <class F>
__device__ __noinline__ void add_to(jacobian<F>& a, const jacobian<F>& b) {
  a = a + b;
}
template <class F>
__device__ __noinline__ void double_in_place(jacobian<F>& a) {
  a = a.doubled();
}

/// Sum of the values of all threads of the block, in thread 0.
template <class F>
__device__ void sum_of_block(jacobian<F>& p, jacobian<F>* shared) {
  shared[threadIdx.x] = p;
  for (u32 s = weigh_threads / 2; s > 0; s /= 2) {
    __syncthreads();
    if (threadIdx.x < s)
      add_to(shared[threadIdx.x], shared[threadIdx.x + s]);
  }
  __syncthreads();
  p = shared[0];
  __syncthreads();
}

/// Vectors of points, one after another.
template <class F>
struct vectors {
  plane_view<F> points;
  u32 count, length;
};

/// One block per vector V of the two sets: out[2 block] = sum of i V_i, out[2 block + 1] = sum of V_i. 128 threads,
/// each a run of neighbours; thread 0 holds the results.
template <class F>
__global__ void __launch_bounds__(weigh_threads) weigh(vectors<F> rows, vectors<F> columns, jacobian<F>* out) {
  extern __shared__ uint4 memory[];
  auto* shared = reinterpret_cast<jacobian<F>*>(memory);
  const bool is_row = blockIdx.x < rows.count;
  const plane_view<F> in = is_row ? rows.points : columns.points;
  const u32 length = is_row ? rows.length : columns.length, vector = blockIdx.x - (is_row ? 0 : rows.count);
  const u32 each = (length + weigh_threads - 1) / weigh_threads;
  const u32 first = threadIdx.x * each;
  jacobian<F> sum = jacobian<F>::infinity(), weighted = sum;
  for (u32 i = each; i-- > 0;) {
    if (first + i < length) {
      const u32 at = vector * length + first + i;
      add_to(sum, jacobian<F>::from({in.x(at), in.y(at)}));
    }
    if (i > 0)
      add_to(weighted, sum);
  }
  jacobian<F> scaled = jacobian<F>::infinity();
  for (int bit = 31 - __clz(length); bit >= 0; --bit) {
    double_in_place(scaled);
    if (first >> bit & 1)
      add_to(scaled, sum);
  }
  add_to(weighted, scaled);
  sum_of_block(weighted, shared);
  sum_of_block(sum, shared);
  if (threadIdx.x == 0) {
    out[2 * blockIdx.x] = weighted;
    out[2 * blockIdx.x + 1] = sum;
  }
}

} // namespace cuzk::cuda
