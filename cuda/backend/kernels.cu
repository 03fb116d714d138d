// The small kernels between the big ones.
#include "cuda/backend/kernels.hpp"
#include "cuda/check.cuh"
#include "cuda/points/layout.cuh"
#include "math/generators.hpp"

namespace cuzk::cuda {
namespace {

using device::u32;
constexpr int threads = 256;

u32 blocks_for(std::uint64_t n) {
  const std::uint64_t blocks = (n + threads - 1) / threads;
  return static_cast<u32>(blocks < 1 ? 1 : blocks < (1u << 20) ? blocks : 1u << 20);
}

/// 48 bytes, highest first; `top` clears flag bits of the first word.
__device__ big_int<6> read_big_endian(const u32* words, u32 top) {
  big_int<6> x{};
#pragma unroll
  for (int j = 0; j < 6; ++j) {
    u32 high = __byte_perm(words[10 - 2 * j], 0, 0x0123);
    const u32 low = __byte_perm(words[11 - 2 * j], 0, 0x0123);
    if (j == 5)
      high &= top;
    x.limb[j] = std::uint64_t(high) << 32 | low;
  }
  return x;
}

/// A coordinate in Montgomery form; false when it is not below p.
__device__ bool read_coordinate(const u32* words, u32 top, fp& out) {
  const big_int<6> x = read_big_endian(words, top);
  if (!fp::is_canonical(x))
    return false;
  out = fp::from_int(x);
  return true;
}
__device__ bool read_coordinate(const u32* words, u32 top, fp2& out) {
  return read_coordinate(words, top, out.c1) && read_coordinate(words + 12, 0xffffffff, out.c0);
}

__device__ void tell_bad(std::uint64_t* bad, std::uint64_t number, point_fault fault) {
  atomicMin(reinterpret_cast<unsigned long long*>(bad), number << 2 | static_cast<unsigned long long>(fault));
}

/// Flags in the highest bits: 0x80 compressed, 0x40 infinity, 0x20 sign.
template <class F>
__device__ affine<F> read_point(const u32* words, std::uint64_t number, std::uint64_t* bad) {
  constexpr int n = 4 * quads<F>; // words of a coordinate
  const u32 flags = words[0] & 0xe0;
  affine<F> p = affine<F>::infinity();
  if (flags == 0x40) {
    u32 any = words[0] & ~0xe0u;
    for (int i = 1; i < 2 * n; ++i)
      any |= words[i];
    if (any != 0)
      tell_bad(bad, number, point_fault::form);
    return p;
  }
  if (flags != 0) {
    tell_bad(bad, number, point_fault::form);
    return p;
  }
  if (!read_coordinate(words, 0x1fffffff, p.x) || !read_coordinate(words + n, 0xffffffff, p.y))
    tell_bad(bad, number, point_fault::range);
  else if (p.y * p.y != p.x * p.x * p.x + curve_b<F>())
    tell_bad(bad, number, point_fault::curve);
  return p;
}

template <class F>
__global__ void __launch_bounds__(threads) place_points(point_piece piece, std::uint64_t* bad) {
  constexpr int n = 2 * quads<F>;
  for (u32 i = blockIdx.x * threads + threadIdx.x; i < piece.count; i += gridDim.x * threads) {
    const std::uint64_t place = piece.slots != nullptr ? piece.slots[i] : piece.first + i;
    const std::byte* raw = piece.raw + i * sizeof(affine<F>);
    auto* out = reinterpret_cast<affine<F>*>(piece.out) + place;
    if (piece.big_endian) {
      *out = read_point<F>(reinterpret_cast<const u32*>(raw), piece.first + i, bad);
      continue;
    }
    for (int w = 0; w < n; ++w)
      reinterpret_cast<uint4*>(out)[w] = reinterpret_cast<const uint4*>(raw)[w];
  }
}

__global__ void __launch_bounds__(threads) gather(const fr* values, const u32* wires, u32 n, fr* out) {
  for (u32 i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    out[i] = values[wires[i]];
}

__global__ void __launch_bounds__(threads) choose_bits(bit_choice c, u32* out) {
  for (u32 w = blockIdx.x * threads + threadIdx.x; w < c.words; w += gridDim.x * threads) {
    const u32 bits = c.bits[w], rank = c.rank[w];
    std::uint64_t picked = 0;
    int at = rank % 32;
    for (u32 left = c.chosen[w]; left != 0; left &= left - 1, ++at)
      picked |= std::uint64_t(bits >> (__ffs(left) - 1) & 1) << at;
    if (static_cast<u32>(picked) != 0)
      atomicOr(out + rank / 32, static_cast<u32>(picked));
    if (picked >> 32 != 0)
      atomicOr(out + rank / 32 + 1, static_cast<u32>(picked >> 32));
  }
}

__global__ void __launch_bounds__(threads) quotient(fr* ab, const fr* c, fr scale, std::uint64_t n) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t(threads) + threadIdx.x; i < n;
       i += std::uint64_t(gridDim.x) * threads)
    ab[i] = (ab[i] - c[i]) * scale;
}

} // namespace

status queue_points(const point_piece& piece, std::uint64_t* bad, stream_handle s) {
  return guarded([&] {
    if (piece.group == curve_group::g1)
      place_points<fp><<<blocks_for(piece.count), threads, 0, s>>>(piece, bad);
    else
      place_points<fp2><<<blocks_for(piece.count), threads, 0, s>>>(piece, bad);
    check_launch("placing points");
  });
}

status queue_gather(const fr* values, const std::uint32_t* wires, std::uint32_t n, fr* out, stream_handle s) {
  return guarded([&] {
    gather<<<blocks_for(n), threads, 0, s>>>(values, wires, n, out);
    check_launch("gathering scalars");
  });
}

status queue_choose_bits(const bit_choice& choice, std::uint32_t* out, std::size_t out_words, stream_handle s) {
  return guarded([&] {
    check(cudaMemsetAsync(out, 0, 4 * out_words, s), "clearing a mask");
    choose_bits<<<blocks_for(choice.words), threads, 0, s>>>(choice, out);
    check_launch("choosing bits");
  });
}

status queue_quotient(fr* ab, const fr* c, const fr& scale, std::uint64_t n, stream_handle s) {
  return guarded([&] {
    quotient<<<blocks_for(n), threads, 0, s>>>(ab, c, scale, n);
    check_launch("making the quotient");
  });
}

} // namespace cuzk::cuda
