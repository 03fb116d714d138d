#pragma once
// The kernel of a pass and the kernel that fills tables. Included by ntt.cu alone.
#include "cuda/ntt/plan.hpp"
#include "math/field_device.cuh"

namespace cuzk::cuda {

using device::u32;

/// Values between passes lie in [0, 2r); 2r fits 256 bits.
__device__ __forceinline__ fr lazy_add(const fr& a, const fr& b) {
  return device::add<fr, 2>(a, b);
}
__device__ __forceinline__ fr lazy_sub(const fr& a, const fr& b) {
  return device::sub<fr, 2>(a, b);
}

__device__ __forceinline__ fr from_halves(const uint4& a, const uint4& b) {
  const u32 w[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
  return device::join<fr>(w);
}
__device__ __forceinline__ uint4 half_of(const fr& a, int i) {
  return make_uint4(static_cast<u32>(a.limb[2 * i]), static_cast<u32>(a.limb[2 * i] >> 32),
                    static_cast<u32>(a.limb[2 * i + 1]), static_cast<u32>(a.limb[2 * i + 1] >> 32));
}
__device__ __forceinline__ fr load_fr(const fr* p) {
  const auto* q = reinterpret_cast<const uint4*>(p);
  return from_halves(__ldg(q), __ldg(q + 1));
}
__device__ __forceinline__ void store_fr(fr* p, const fr& a) {
  auto* q = reinterpret_cast<uint4*>(p);
  q[0] = half_of(a, 0);
  q[1] = half_of(a, 1);
}

/// A tile in shared memory: the low halves of all elements, then the high ones; element (row, column) at
/// row * columns + column.
struct tile_memory {
  uint4* low;
  uint4* high;
  __device__ fr get(u32 i) const { return from_halves(low[i], high[i]); }
  __device__ void put(u32 i, const fr& a) const {
    low[i] = half_of(a, 0);
    high[i] = half_of(a, 1);
  }
};

/// What one launch needs.
struct pass_call {
  ntt_pass pass;
  int lg;
  bool inverse;
  const fr *in, *roots, *low, *high, *scale, *table, *times;
  fr* out;
};

/// w^e for the 2^lg-th root, or w^-e.
__device__ __forceinline__ fr root_power(const pass_call& c, std::size_t e) {
  const std::size_t mask = (std::size_t(1) << c.lg) - 1;
  e = (c.inverse ? 0 - e : e) & mask;
  const fr low = load_fr(c.low + (e & ((1u << split_lg) - 1)));
  return device::reduce(device::mul_call(low, load_fr(c.high + (e >> split_lg))));
}

/// Power `index` of the 2^9-th root, or of its inverse.
__device__ __forceinline__ fr small_root(const pass_call& c, u32 index) {
  constexpr u32 mask = (1u << max_pass_bits) - 1;
  return load_fr(c.roots + ((c.inverse ? 0u - index : index) & mask));
}

// Copies that need no register on the way; plain ones before sm_80.
__device__ __forceinline__ void copy_async(uint4* shared, const uint4* global) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<u32>(__cvta_generic_to_shared(shared))),
               "l"(global)
               : "memory");
#else
  *shared = *global;
#endif
}
__device__ __forceinline__ void end_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
__device__ __forceinline__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group 0;" ::: "memory");
#endif
}

/// Starts copying a tile into shared memory.
__device__ __forceinline__ void fetch_tile(const pass_call& c, const ntt_place& at, const tile_memory& tile) {
  const int bits = c.pass.bits, columns_lg = c.pass.columns_lg;
  const u32 halves = 2u << (bits + columns_lg);
  for (u32 i = threadIdx.x; i < halves; i += blockDim.x) {
    const u32 e = i >> 1;
    // neighbours in memory are columns, in the last pass rows
    const u32 row = c.pass.last ? e & ((1u << bits) - 1) : e >> columns_lg;
    const u32 column = c.pass.last ? e >> bits : e & ((1u << columns_lg) - 1);
    const auto* from = reinterpret_cast<const uint4*>(c.in + at.base + row * at.row + column * at.column) + (i & 1);
    uint4* to = ((i & 1) ? tile.high : tile.low) + (row << columns_lg) + column;
    copy_async(to, from);
  }
  end_copies();
}

/// Powers of each column's root u = w_span^column scale: powers[column][0..16) = u^e, then u^(16 e).
__device__ __forceinline__ void make_powers(const pass_call& c, const ntt_place& at, fr* powers) {
  const u32 high = ((1u << c.pass.bits) + 15) / 16, each = 16 + high;
  for (u32 i = threadIdx.x; i < each << c.pass.columns_lg; i += blockDim.x) {
    const u32 column = i / each, j = i % each, e = j < 16 ? j : (j - 16) * 16;
    fr u = root_power(c, ((at.first_column + column) * e) << (c.lg - c.pass.span_lg));
    if (c.scale != nullptr && e < 1u << c.pass.bits)
      u = device::mul(u, load_fr(c.scale + e));
    powers[i] = u;
  }
}

/// Four layers' worth of a butterfly in one thread: decimation in frequency, radix 4, outputs in bit-reversed order.
__device__ __forceinline__ void radix4(fr* a, const fr& quarter_root) {
  const fr t0 = lazy_add(a[0], a[2]), t1 = lazy_sub(a[0], a[2]), t2 = lazy_add(a[1], a[3]);
  const fr t3 = device::mul_lazy(lazy_sub(a[1], a[3]), quarter_root);
  a[0] = lazy_add(t0, t2);
  a[1] = lazy_sub(t0, t2);
  a[2] = lazy_add(t1, t3);
  a[3] = lazy_sub(t1, t3);
}

/// Radix-4 stages over the tile, then one of radix 2 where the number of bits is odd.
__device__ __forceinline__ void transform_tile(const pass_call& c, const tile_memory& tile) {
  const int bits = c.pass.bits, columns_lg = c.pass.columns_lg;
  const u32 sets = max(1u, (1u << (bits + columns_lg)) / 4);
  const fr quarter_root = small_root(c, 1u << (max_pass_bits - 2));
#pragma unroll 1
  for (int m_lg = bits; m_lg >= 2; m_lg -= 2) {
    const int quarter_lg = m_lg - 2;
    // With a quarter of two rows, a thread's first set has only trivial twiddles and its second none: no warp waits.
    const bool split = quarter_lg == 1 && sets == 2 * blockDim.x;
#pragma unroll 1
    for (u32 s = threadIdx.x; s < sets; s += blockDim.x) {
      const u32 column = s & ((1u << columns_lg) - 1);
      u32 rest = s >> columns_lg, q = rest & ((1u << quarter_lg) - 1), block = rest >> quarter_lg;
      if (split) {
        q = s >= blockDim.x;
        block = (s - q * blockDim.x) >> columns_lg;
      }
      const u32 at = (((block << m_lg) + q) << columns_lg) + column, step = 1u << (quarter_lg + columns_lg);
      fr a[4];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        a[i] = tile.get(at + i * step);
      radix4(a, quarter_root);
      if (quarter_lg > 0 && !(split && q == 0)) {
        const u32 unit = q << (max_pass_bits - m_lg);
        a[1] = device::mul_lazy(a[1], small_root(c, 2 * unit));
        a[2] = device::mul_lazy(a[2], small_root(c, unit));
        a[3] = device::mul_lazy(a[3], small_root(c, 3 * unit));
      }
#pragma unroll
      for (int i = 0; i < 4; ++i)
        tile.put(at + i * step, a[i]);
    }
    __syncthreads();
  }
  if ((bits & 1) == 0)
    return;
#pragma unroll 1
  for (u32 s = threadIdx.x; s < 2 * sets; s += blockDim.x) {
    const u32 column = s & ((1u << columns_lg) - 1), at = ((s >> columns_lg) << (1 + columns_lg)) + column;
    const fr a = tile.get(at), b = tile.get(at + (1u << columns_lg));
    tile.put(at, lazy_add(a, b));
    tile.put(at + (1u << columns_lg), lazy_sub(a, b));
  }
  __syncthreads();
}

/// Multiplies by what lies between two passes and writes the frequencies.
__device__ __forceinline__ void write_tile(const pass_call& c, const ntt_place& at, const tile_memory& tile,
                                           const fr* powers) {
  const int bits = c.pass.bits, columns_lg = c.pass.columns_lg;
  const u32 each = 16 + ((1u << bits) + 15) / 16;
#pragma unroll 1
  for (u32 e = threadIdx.x; e < 1u << (bits + columns_lg); e += blockDim.x) {
    const u32 column = e & ((1u << columns_lg) - 1), k = e >> columns_lg;
    const u32 row = __brev(k) >> (32 - bits);
    fr value = tile.get((row << columns_lg) + column);
    const std::size_t to = at.out_base + k * at.out_row + column * at.out_column;
    if (c.pass.last) {
      if (c.scale != nullptr)
        value = device::mul_lazy(value, load_fr(c.scale + k));
      value = device::reduce(value);
      if (c.times != nullptr)
        value = device::reduce(device::mul_lazy(value, load_fr(c.times + to)));
    } else {
      const fr factor =
        c.pass.table
          ? load_fr(c.table + ((std::size_t(k) << c.pass.stride_lg) + at.first_column + column))
          : device::reduce(device::mul_lazy(powers[column * each + (k & 15)], powers[column * each + 16 + (k >> 4)]));
      value = device::mul_lazy(value, factor);
    }
    store_fr(c.out + to, value);
  }
}

/// One block a tile of 2^bits rows and 2^columns_lg columns, pass.threads threads, pass.shared_bytes of shared memory.
/// Every thread works on four rows at a time in registers; the tile stays in shared memory between stages. Aim: 3
/// blocks of 256 threads a multiprocessor, 80 registers.
__global__ void __launch_bounds__(256, 3) transform_pass(const __grid_constant__ pass_call c) {
  extern __shared__ uint4 shared[];
  const u32 elements = max(4u, 1u << (c.pass.bits + c.pass.columns_lg));
  const tile_memory tile{shared, shared + elements + 4};
  auto* powers = reinterpret_cast<fr*>(shared + 2 * elements + 4);
  const ntt_place at = place_of_tile(c.pass, c.lg, blockIdx.x);
  fetch_tile(c, at, tile);
  if (!c.pass.last && !c.pass.table)
    make_powers(c, at, powers);
  wait_for_copies();
  __syncthreads();
  transform_tile(c, tile);
  write_tile(c, at, tile, powers);
}

/// out[i] = first * base^(i >> shift), times step^((i >> shift) * (i & mask)): rows of powers. 256 threads a block.
__global__ void __launch_bounds__(256) fill_powers(fr* out, std::size_t n, fr first, fr base, fr step, int shift) {
  const std::size_t i = blockIdx.x * std::size_t(256) + threadIdx.x;
  if (i >= n)
    return;
  const std::uint64_t high = i >> shift, low = i & ((std::uint64_t(1) << shift) - 1);
  out[i] = first * base.pow(high) * step.pow(high * low);
}

} // namespace cuzk::cuda
