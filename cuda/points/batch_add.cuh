#pragma once
// Batched affine addition: the one kernel behind buckets, bucket weights and masked sums.
//
// A warp takes rows of 32 additions. Each thread multiplies up to `depth` denominators, the running products going to a
// scratch array, inverts the product once and walks back: five products and a square an addition. Formula: EFD
// g1p/auto-shortw, affine addition, with Montgomery's trick.
#include "cuda/points/gather.cuh"

namespace cuzk::cuda {

/// One addition of a batch, by the places of its points.
struct operands {
  u32 a, b;
  bool negate_a = false, negate_b = false;
};

enum class step { add, dbl, take_a, take_b, cancel };

template <class F>
struct rare {
  step kind;
  F denominator;
};

/// Decides the uncommon cases exactly, out of the way of the common one. The result is apart from the sign of a:
/// -(a + b) is the same case as a + b.
template <class Plan>
__device__ __noinline__ rare<typename Plan::field> rare_step(const Plan& plan, operands o) {
  using F = typename Plan::field;
  const F xa = plan.x(o.a), ya = plan.y(o.a), xb = plan.x(o.b);
  const F yb = negated_if(plan.y(o.b), o.negate_a != o.negate_b);
  if (xb.is_zero() && yb.is_zero())
    return {step::take_a, F::one()};
  if (xa.is_zero() && ya.is_zero())
    return {step::take_b, F::one()};
  const F d = minus(xb, xa);
  if (!d.is_zero())
    return {step::add, d};
  if (ya != yb || ya.is_zero())
    return {step::cancel, F::one()};
  return {step::dbl, plus(ya, ya)};
}

/// What the slope is divided by, and which formula applies. A zero low word sends to the exact test.
template <class Plan, class F>
__device__ __forceinline__ step denominator_of(const Plan& plan, const operands& o, const F& xa, const F& xb, F& d) {
  d = minus(xb, xa);
  if (maybe_zero(xa) || maybe_zero(xb) || maybe_zero(d)) {
    const rare<F> r = rare_step(plan, o);
    d = r.denominator;
    return r.kind;
  }
  return step::add;
}

template <class F>
__device__ __noinline__ F tangent_top(F x) {
  const F xx = squared(x);
  return plus(plus(xx, xx), xx);
}

/// a + b, given 1/denominator (lazy). Reads the coordinates (again). Off the infinities y is never zero: both groups
/// lie on curves of odd order.
template <class Plan, class F>
__device__ __forceinline__ affine<F> finish_addition(const Plan& plan, const operands& o, step kind,
                                                     const F& inverse_of_d) {
  affine<F> s;
  const F xa = plan.x(o.a), xb = plan.x(o.b), ya = plan.y(o.a);
  F top = plan.y(o.b);
  if (kind == step::add || kind == step::dbl) {
    if constexpr (Plan::with_signs)
      top = negated_nonzero_if(top, o.negate_a != o.negate_b);
    top = kind == step::add ? minus(top, ya) : tangent_top(xa);
    const F slope = times_lazy(top, inverse_of_d);
    s.x = minus(minus(squared(slope), xa), xb);
    s.y = minus(reduced(times_lazy(minus(xa, s.x), slope)), ya);
    if constexpr (Plan::with_signs)
      s.y = negated_nonzero_if(s.y, o.negate_a);
  } else {
    s.x = xa;
    s.y = ya;
    if (kind == step::take_b) {
      s.x = xb;
      s.y = top;
    }
    s.y = negated_if(s.y, kind == step::take_b ? o.negate_b : o.negate_a);
    if (kind == step::cancel)
      s = affine<F>::infinity();
  }
  return s;
}

inline constexpr int batch_block = 128;

/// Rows are handed out in rounds of one chunk per warp, each round's chunks smaller than the one before: no warp is
/// left with much when the rest end. Returns false when all rows are taken.
__device__ inline bool take_chunk(u32* ticket, u32 rows, u32 warps, u32 depth, u32& first, u32& n) {
  u32 t = (threadIdx.x & 31) == 0 ? atomicAdd(ticket, 1) : 0;
  t = __shfl_sync(0xffffffff, t, 0);
  const u32 least = max(1u, min(8u, rows / warps));
  for (u32 begin = 0; begin < rows;) {
    const u32 chunk = min(max((rows - begin) / warps * 3 / 4, least), depth);
    if (t < warps) {
      first = begin + t * chunk;
      n = first < rows ? min(chunk, rows - first) : 0;
      return n > 0;
    }
    t -= warps;
    begin += chunk * warps;
  }
  return false;
}

/// The additions of rows [row, row + n) by one warp.
template <class Plan>
struct batch {
  using F = typename Plan::field;
  static constexpr int row_words = 32 * quads<F>; // of the running products
  const Plan& plan;
  uint4* prefix; // this lane's first running product
  u32 size, row, n;

  __device__ u32 slot_of(u32 i) const { return (row + min(i, n - 1)) * 32 + (threadIdx.x & 31); }
  __device__ operands operands_of(u32 i) const { return plan.at(min(slot_of(i), size - 1)); }

  /// Product of all denominators.
  __device__ __forceinline__ F forward() const {
    F product = F::one();
    operands next[2] = {operands_of(0), operands_of(1)};
    for (u32 i = 0; i < n; i += 2) { // two rows of loads in flight
      F xa[2], xb[2], d[2];
      operands o[2];
#pragma unroll
      for (int k = 0; k < 2; ++k) {
        o[k] = next[k];
        next[k] = operands_of(i + 2 + k);
        xa[k] = first_x(plan, o[k].a);
        xb[k] = first_x(plan, o[k].b);
      }
#pragma unroll
      for (int k = 0; k < 2; ++k) {
        denominator_of(plan, o[k], xa[k], xb[k], d[k]);
        if (slot_of(i + k) >= size)
          d[k] = F::one();
        if (i + k < n) {
          store(prefix + (i + k) * row_words, product, 32);
          product = times_lazy(d[k], product);
        }
      }
    }
    return product;
  }

  /// Walks back from the inverse of the product and writes the sums.
  __device__ __forceinline__ void backward(F inv) const {
    operands ahead = operands_of(n - 1);
    for (u32 i = n; i-- > 0;) {
      const u32 slot = slot_of(i);
      const operands o = ahead;
      ahead = operands_of(max(i, 1u) - 1);
      F d;
      F before = load<F>(prefix + i * row_words, 32);
      const step kind = denominator_of(plan, o, first_x(plan, o.a), first_x(plan, o.b), d);
      if (slot >= size)
        d = F::one();
      before = times_lazy(before, inv);
      inv = times_lazy(d, inv);
      asm volatile("" ::: "memory"); // x is read again: fewer registers live across the products
      const affine<F> sum = finish_addition(plan, o, kind, before);
      if (slot < size)
        plan.put(slot, sum);
    }
  }
};

/// Does every addition a plan lists.
/// A plan has: field; with_signs; gathers; u32 size(); operands at(u32 slot); F x(u32 place), y(u32 place);
/// put(u32 slot, affine<F>); where it gathers, record(u32 place). A slot may be written where it was read from, nowhere
/// else where a slot of the same launch reads.
/// Launch: 128 threads, MinBlocks blocks a multiprocessor; shared memory batch_shared_bytes<Plan>. `scratch` holds
/// depth * sizeof(F) bytes for every thread of the grid; `*ticket` is zero at the start.
template <class Plan, int MinBlocks>
__global__ void __launch_bounds__(batch_block, MinBlocks)
  batch_add(const __grid_constant__ Plan plan, uint4* scratch, u32 depth, u32* ticket) {
  using F = typename Plan::field;
  const u32 size = plan.size();
  const u32 warp = (blockIdx.x * batch_block + threadIdx.x) >> 5;
  const u32 warps = gridDim.x * (batch_block / 32);
  const u32 rows = (size + 31) / 32;
  uint4* prefix = scratch + std::size_t(warp) * depth * batch<Plan>::row_words + (threadIdx.x & 31);
  // Warps split their first chunk in different places, so that the memory and the arithmetic phases of warps that share
  // a scheduler do not coincide.
  u32 quarters = blockIdx.x / max(gridDim.x / MinBlocks, 1u) % 4 + 1;
  for (u32 row, chunk; take_chunk(ticket, rows, warps, depth, row, chunk);) {
    for (u32 end = row + chunk; row < end; quarters = 4) {
      u32 n = chunk < 32 ? chunk : (chunk * quarters + 3) / 4;
      n = min(n, end - row);
      const batch<Plan> work{plan, prefix, size, row, n};
      const F inv = inverted(reduced(work.forward()));
      work.backward(inv);
      row += n;
    }
  }
}

} // namespace cuzk::cuda
