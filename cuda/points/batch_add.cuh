#pragma once
// Batched affine addition: the one kernel behind buckets, bucket weights and masked sums.
//
// A warp takes rows of 32 additions. Each thread multiplies up to `depth` denominators, the running products going to a
// scratch array, inverts the product once and walks back: five products and a square an addition. Formula: EFD
// g1p/auto-shortw, affine addition, with Montgomery's trick.
#include "cuda/points/staging.cuh"

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

/// a + b, given 1/denominator (lazy). `at` reads the coordinates (again).
template <bool with_signs, class Reader, class F>
__device__ __forceinline__ affine<F> finish_addition(const Reader& at, const operands& o, step kind,
                                                     const F& inverse_of_d) {
  affine<F> s;
  const F xa = at.xa(), xb = at.xb(), ya = at.ya();
  F top = at.yb();
  if constexpr (with_signs)
    top = negated_if(top, o.negate_a != o.negate_b);
  if (kind == step::add || kind == step::dbl) {
    top = kind == step::add ? minus(top, ya) : tangent_top(xa);
    const F slope = times_lazy(top, inverse_of_d);
    s.x = minus(minus(squared(slope), xa), xb);
    s.y = minus(reduced(times_lazy(minus(xa, s.x), slope)), ya);
  } else {
    s.x = kind == step::take_b ? xb : xa;
    s.y = kind == step::take_b ? top : ya;
    if (kind == step::cancel)
      s = affine<F>::infinity();
  }
  if constexpr (with_signs)
    s.y = negated_if(s.y, o.negate_a);
  return s;
}

inline constexpr int batch_block = 128;

/// Rows are handed out in rounds of one chunk per warp, each round's chunks smaller than the one before: no warp is
/// left with much when the rest end. Returns false when all rows are taken.
__device__ inline bool take_chunk(u32* ticket, u32 rows, u32 warps, u32 depth, u32& first, u32& n) {
  u32 t = (threadIdx.x & 31) == 0 ? atomicAdd(ticket, 1) : 0;
  t = __shfl_sync(0xffffffff, t, 0);
  const u32 least = max(1u, min(16u, rows / warps));
  for (u32 begin = 0; begin < rows;) {
    const u32 chunk = min(max((rows - begin) / (2 * warps), least), depth);
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
  uint4* stage;  // this warp's shared memory, where the plan gathers
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
        xa[k] = plan.x(o[k].a);
        xb[k] = plan.x(o[k].b);
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
      if (slot >= size)
        continue;
      const direct_reader<Plan> at{plan, o.a, o.b};
      F d;
      F before = load<F>(prefix + i * row_words, 32);
      const step kind = denominator_of(plan, o, at.xa(), at.xb(), d);
      before = times_lazy(before, inv);
      inv = times_lazy(d, inv);
      asm volatile("" ::: "memory"); // x is read again: fewer registers live across the products
      plan.put(slot, finish_addition<Plan::with_signs>(at, o, kind, before));
    }
  }

  /// The same two for plans that gather from a table: the next row's records come through shared memory.
  __device__ __forceinline__ F forward_staged() const {
    F product = F::one();
    operands now = operands_of(0), next = operands_of(1);
    stage_x(plan, stage, now.a, now.b);
    for (u32 i = 0; i < n; ++i) {
      const operands after = operands_of(i + 2);
      __syncwarp(); // everyone has read the buffer that is filled now
      stage_x(plan, stage + ((i + 1) & 1) * stage_words, next.a, next.b);
      wait_for_all_but_newest();
      const staged_reader<F> at{stage + (i & 1) * stage_words};
      F d;
      denominator_of(plan, now, at.xa(), at.xb(), d);
      if (slot_of(i) >= size)
        d = F::one();
      store(prefix + i * row_words, product, 32);
      product = times_lazy(d, product);
      now = next;
      next = after;
    }
    wait_for_all();
    return product;
  }

  __device__ __forceinline__ void backward_staged(F inv) const {
    operands now = operands_of(n - 1), next = operands_of(max(n, 2u) - 2);
    F before = load<F>(prefix + (n - 1) * row_words, 32);
    stage_point(plan, stage + ((n - 1) & 1) * stage_words, now.a, now.b);
    for (u32 i = n; i-- > 0;) {
      const operands after = operands_of(max(i, 2u) - 2);
      __syncwarp();
      stage_point(plan, stage + ((i + 1) & 1) * stage_words, next.a, next.b);
      wait_for_all_but_newest();
      const staged_reader<F> at{stage + (i & 1) * stage_words};
      F d;
      const step kind = denominator_of(plan, now, at.xa(), at.xb(), d);
      const bool real = slot_of(i) < size;
      if (!real)
        d = F::one();
      const F inverse_of_d = times_lazy(before, inv);
      inv = times_lazy(d, inv);
      before = load<F>(prefix + (max(i, 1u) - 1) * row_words, 32);
      asm volatile("" ::: "memory");
      const affine<F> sum = finish_addition<Plan::with_signs>(at, now, kind, inverse_of_d);
      if (real)
        plan.put(slot_of(i), sum);
      now = next;
      next = after;
    }
    wait_for_all();
    __syncwarp();
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
  extern __shared__ uint4 shared[];
  const u32 size = plan.size();
  const u32 warp = (blockIdx.x * batch_block + threadIdx.x) >> 5;
  const u32 warps = gridDim.x * (batch_block / 32);
  const u32 rows = (size + 31) / 32;
  uint4* prefix = scratch + std::size_t(warp) * depth * batch<Plan>::row_words + (threadIdx.x & 31);
  uint4* stage = shared + (threadIdx.x >> 5) * 2 * stage_words;
  // Warps split their first chunk in different places, so that the memory and the arithmetic phases of warps that share
  // a scheduler do not coincide.
  u32 quarters = blockIdx.x / max(gridDim.x / MinBlocks, 1u) % 4 + 1;
  for (u32 row, chunk; take_chunk(ticket, rows, warps, depth, row, chunk);) {
    for (u32 end = row + chunk; row < end; quarters = 4) {
      u32 n = chunk < 32 ? chunk : (chunk * quarters + 3) / 4;
      n = min(n, end - row);
      const batch<Plan> work{plan, prefix, stage, size, row, n};
      if constexpr (Plan::gathers && quads<F> == 3) {
        const F inv = inverted(reduced(work.forward_staged()));
        work.backward_staged(inv);
      } else {
        const F inv = inverted(reduced(work.forward()));
        work.backward(inv);
      }
      row += n;
    }
  }
}

template <class Plan>
constexpr std::size_t batch_shared_bytes() {
  return Plan::gathers && quads<typename Plan::field> == 3 ? batch_block / 32 * 2 * stage_words * sizeof(uint4) : 0;
}

} // namespace cuzk::cuda
