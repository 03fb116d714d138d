// Multiples of one point: the table by doubling its length, then one batched addition a window.
#include "cuda/fixed_base/fixed_base.hpp"
#include "cuda/points/adder.cuh"

namespace cuzk::cuda {
namespace {

constexpr int threads = 256;
constexpr u32 in_table = 0x80000000, nothing = 0xffffffff;
constexpr int window_bits = 16;

u32 blocks_for(u32 n) {
  return std::max(1u, std::min((n + threads - 1) / threads, 1u << 16));
}

/// Entries 2^level + 1 .. 2^(level + 1) of all windows: entry 2^level plus the entries below.
template <class F>
struct plan_table {
  using field = F;
  static constexpr bool with_signs = false, gathers = false;
  affine<F>* table;
  int level;
  __device__ u32 size() const { return u32(multiples_windows) << level; }
  __device__ u32 first_of(u32 slot) const { return (slot >> level) * multiples_window_points; }
  __device__ u32 below(u32 slot) const { return slot & ((1u << level) - 1); }
  __device__ operands at(u32 slot) const { return {first_of(slot) + (1u << level) - 1, first_of(slot) + below(slot)}; }
  __device__ F x(u32 i) const { return table_view<F>{table}.x(i); }
  __device__ F y(u32 i) const { return table_view<F>{table}.y(i); }
  __device__ void put(u32 slot, const affine<F>& p) const { table[first_of(slot) + (1u << level) + below(slot)] = p; }
};

/// Adds the table entries of one window's digits to the sums.
template <class F>
struct plan_window {
  using field = F;
  static constexpr bool with_signs = true, gathers = false;
  affine<F>* sums;
  const affine<F>* table; ///< of this window
  const std::uint16_t* digits;
  u32 n;
  __device__ u32 size() const { return n; }
  __device__ u32 entry(u32 slot, bool& negative) const {
    const int d = int(digits[slot]) - int(multiples_window_points);
    negative = d < 0;
    return d == 0 ? nothing : u32(negative ? -d : d) - 1 | in_table;
  }
  __device__ operands at(u32 slot) const {
    bool negative;
    const u32 b = entry(slot, negative);
    return {slot, b, false, negative};
  }
  __device__ table_view<F> of(u32 place) const { return {place < in_table ? sums : table}; }
  __device__ F x(u32 place) const { return place == nothing ? F::zero() : of(place).x(place & ~in_table); }
  __device__ F y(u32 place) const { return place == nothing ? F::zero() : of(place).y(place & ~in_table); }
  __device__ void put(u32 slot, const affine<F>& p) const { sums[slot] = p; }
};

/// digits[w n + i]: digit w of scalar i, 2^15 too large each.
__global__ void __launch_bounds__(threads) cut_digits(const fr* scalars, u32 n, std::uint16_t* digits) {
  for (u32 i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) {
    big_int<4> k = scalars[i].to_int();
    std::uint64_t carry = 0;
    for (int j = 0; j < 4; ++j) { // below r + 2^256 / 2 < 2^256
      const std::uint64_t low = k.limb[j] + carry;
      carry = low < carry;
      k.limb[j] = low + 0x8000800080008000;
      carry += k.limb[j] < low;
    }
    for (u32 w = 0; w < multiples_windows; ++w)
      digits[std::size_t(w) * n + i] = static_cast<std::uint16_t>(k.limb[w / 4] >> (window_bits * (w % 4)));
  }
}

template <class F>
__global__ void __launch_bounds__(threads) copy_first(plan_window<F> plan) {
  for (u32 i = blockIdx.x * threads + threadIdx.x; i < plan.n; i += gridDim.x * threads) {
    bool negative;
    const u32 from = plan.entry(i, negative);
    plan.put(i, {plan.x(from), negated_if(plan.y(from), negative)});
  }
}

template <class F>
adder adder_of(const multiples_plan& plan, std::byte* scratch, stream_handle s) {
  auto* tickets = reinterpret_cast<u32*>(scratch + plan.tickets);
  check(cudaMemsetAsync(tickets, 0, 4 * 64, s), "clearing tickets");
  return {plan.grid, plan.depth, reinterpret_cast<uint4*>(scratch + plan.prefix), tickets, s};
}

template <class F>
void make_table(const multiples_plan& plan, const affine<F>& base, affine<F>* table, std::byte* scratch,
                stream_handle s) {
  auto power = jacobian<F>::from(base);
  for (int w = 0; w < multiples_windows; ++w) {
    const affine<F> first = power.to_affine();
    check(cudaMemcpyAsync(table + std::size_t(w) * multiples_window_points, &first, sizeof first,
                          cudaMemcpyHostToDevice, s),
          "copying a power of the point"); // from the stack: pageable, so it has left when the call returns
    for (int i = 0; i < window_bits; ++i)
      power = power.doubled();
  }
  adder add = adder_of<F>(plan, scratch, s);
  for (int level = 0; (1u << level) < multiples_window_points; ++level)
    add.run(plan_table<F>{table, level});
}

template <class F>
void multiply(const multiples_plan& plan, const affine<F>* table, const fr* scalars, u32 n, affine<F>* out,
              std::byte* scratch, stream_handle s) {
  auto* digits = reinterpret_cast<std::uint16_t*>(scratch + plan.digits);
  cut_digits<<<blocks_for(n), threads, 0, s>>>(scalars, n, digits);
  check_launch("cutting digits");
  plan_window<F> window{out, table, digits, n};
  copy_first<F><<<blocks_for(n), threads, 0, s>>>(window);
  check_launch("copying the first window");
  adder add = adder_of<F>(plan, scratch, s);
  for (int w = 1; w < multiples_windows; ++w) {
    window.table += multiples_window_points;
    window.digits += n;
    add.run(window);
  }
}

__device__ void write_big_endian(const fp& a, u32* out) {
  const big_int<6> k = a.to_int();
#pragma unroll
  for (int j = 0; j < 6; ++j) {
    out[2 * j] = __byte_perm(static_cast<u32>(k.limb[5 - j] >> 32), 0, 0x0123);
    out[2 * j + 1] = __byte_perm(static_cast<u32>(k.limb[5 - j]), 0, 0x0123);
  }
}
__device__ void write_big_endian(const fp2& a, u32* out) {
  write_big_endian(a.c1, out);
  write_big_endian(a.c0, out + 12);
}

template <class F>
__global__ void __launch_bounds__(threads) write_uncompressed(affine<F>* points, u32 n) {
  constexpr int coordinate_words = 4 * quads<F>;
  for (u32 i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) {
    const affine<F> p = points[i];
    auto* out = reinterpret_cast<u32*>(points + i);
    write_big_endian(p.x, out);
    write_big_endian(p.y, out + coordinate_words);
    if (p.is_infinity())
      out[0] = 0x40;
  }
}

template <class F>
constexpr curve_group group_of = quads<F> == 3 ? curve_group::g1 : curve_group::g2;

template <class F>
status refuse_other_group(const multiples_plan& plan) {
  if (plan.group != group_of<F>)
    return bad_input("plan", "the plan is for the other group");
  return ok();
}

template <class F>
status queue_table(const multiples_plan& plan, const affine<F>& base, std::byte* table, std::byte* scratch,
                   stream_handle s) {
  CUZK_CHECK(refuse_other_group<F>(plan));
  if (base.is_infinity())
    return bad_input("base", "a point other than infinity was expected");
  return guarded([&] { make_table<F>(plan, base, reinterpret_cast<affine<F>*>(table), scratch, s); });
}

template <class F>
status queue_all(const multiples_plan& plan, const std::byte* table, const fr* scalars, u32 n, affine<F>* out,
                 std::byte* scratch, stream_handle s) {
  CUZK_CHECK(refuse_other_group<F>(plan));
  if (n > plan.at_once)
    return bad_input("multiples", std::to_string(n) + " at once, the plan is for " + std::to_string(plan.at_once));
  if (n == 0)
    return ok();
  return guarded([&] { multiply<F>(plan, reinterpret_cast<const affine<F>*>(table), scalars, n, out, scratch, s); });
}

template <class F>
status queue_write(affine<F>* points, u32 n, stream_handle s) {
  return guarded([&] {
    write_uncompressed<F><<<blocks_for(n), threads, 0, s>>>(points, n);
    check_launch("writing points uncompressed");
  });
}

} // namespace

status queue_multiples_table(const multiples_plan& plan, const g1_affine& base, std::byte* table, std::byte* scratch,
                             stream_handle s) {
  return queue_table<fp>(plan, base, table, scratch, s);
}
status queue_multiples_table(const multiples_plan& plan, const g2_affine& base, std::byte* table, std::byte* scratch,
                             stream_handle s) {
  return queue_table<fp2>(plan, base, table, scratch, s);
}
status queue_multiples(const multiples_plan& plan, const std::byte* table, const fr* scalars, std::uint32_t n,
                       g1_affine* out, std::byte* scratch, stream_handle s) {
  return queue_all<fp>(plan, table, scalars, n, out, scratch, s);
}
status queue_multiples(const multiples_plan& plan, const std::byte* table, const fr* scalars, std::uint32_t n,
                       g2_affine* out, std::byte* scratch, stream_handle s) {
  return queue_all<fp2>(plan, table, scalars, n, out, scratch, s);
}
status queue_uncompressed(g1_affine* points, std::uint32_t n, stream_handle s) {
  return queue_write<fp>(points, n, s);
}
status queue_uncompressed(g2_affine* points, std::uint32_t n, stream_handle s) {
  return queue_write<fp2>(points, n, s);
}

} // namespace cuzk::cuda
