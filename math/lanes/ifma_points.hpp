#pragma once
// Points between memory and lanes: addresses to coordinates of sixteen points, back, and reading points of files.
#if defined(__x86_64__)
#include "math/lanes/fp16.hpp"
#include "math/lanes/point_pairs.hpp"

namespace cuzk::lanes {

#include "math/lanes/ifma_begin.inc"

inline constexpr std::size_t width = 16; ///< points in a group

template <class F>
struct lanes_of;
template <>
struct lanes_of<fp> {
  using type = fp16;
};
template <>
struct lanes_of<fp2> {
  using type = fp2_16;
};
template <class F>
using lanes_t = typename lanes_of<F>::type;

// One coordinate of eight points.
template <class P>
fp8 gather(const P* const* from, int coordinate) {
  v8 rows[8];
  CUZK_UNROLL
  for (int j = 0; j < 8; ++j)
    rows[j] = _mm512_load_si512(from[j]->limb[coordinate]);
  transpose(rows);
  return {{rows[0], rows[1], rows[2], rows[3], rows[4], rows[5], rows[6], rows[7]}};
}

inline void gather(fp16& out, const lane_point<fp>* const (&from)[width], int which) {
  out = {{gather(from, which), gather(from + 8, which)}};
}
inline void gather(fp2_16& out, const lane_point<fp2>* const (&from)[width], int which) {
  out.c0 = {{gather(from, 2 * which), gather(from + 8, 2 * which)}};
  out.c1 = {{gather(from, 2 * which + 1), gather(from + 8, 2 * which + 1)}};
}
template <class F>
lanes_t<F> x_of(const lane_point<F>* const (&from)[width]) {
  lanes_t<F> out;
  gather(out, from, 0);
  return out;
}
template <class F>
lanes_t<F> y_of(const lane_point<F>* const (&from)[width]) {
  lanes_t<F> out;
  gather(out, from, 1);
  return out;
}

template <class P>
void scatter(const fp8& a, P* out, int coordinate) {
  v8 rows[8] = {a.l[0], a.l[1], a.l[2], a.l[3], a.l[4], a.l[5], a.l[6], a.l[7]};
  transpose(rows);
  CUZK_UNROLL
  for (int j = 0; j < 8; ++j)
    _mm512_store_si512(out[j].limb[coordinate], rows[j]);
}
template <class P>
void scatter(const fp16& a, P* out, int coordinate) {
  scatter(a.h[0], out, coordinate);
  scatter(a.h[1], out + 8, coordinate);
}
inline void scatter(const fp16& x, const fp16& y, lane_point<fp>* out) {
  scatter(x, out, 0);
  scatter(y, out, 1);
}
inline void scatter(const fp2_16& x, const fp2_16& y, lane_point<fp2>* out) {
  scatter(x.c0, out, 0);
  scatter(x.c1, out, 1);
  scatter(y.c0, out, 2);
  scatter(y.c1, out, 3);
}

// -- reading points
// ----------------------------------------------------------------------------------------------------

inline v8 swap_bytes(v8 x) {
  const v8 order = _mm512_broadcast_i32x4(_mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  return _mm512_shuffle_epi8(x, order);
}

// One coordinate of eight points, `offset` bytes into each; lanes whose integer is not below p are marked.
inline fp8 read_coordinate(const std::byte* const* from, std::size_t offset, point_layout layout, __mmask8& bad) {
  v8 rows[8];
  CUZK_UNROLL
  for (int j = 0; j < 8; ++j)
    rows[j] = _mm512_maskz_loadu_epi64(0x3f, from[j] + offset);
  transpose(rows);
  v8 w[6];
  const bool plain = layout == point_layout::big_endian;
  CUZK_UNROLL
  for (int i = 0; i < 6; ++i)
    w[i] = plain ? swap_bytes(rows[5 - i]) : rows[i];
  const fp8 x = split(w);
  fp8 d;
  CUZK_UNROLL
  for (int i = 0; i < 8; ++i)
    d.l[i] = _mm512_sub_epi64(x.l[i], all(p52[i]));
  bad = static_cast<__mmask8>(bad | ~_mm512_movepi64_mask(carry(d).l[7]));
  return reduce(mul(x, plain ? broadcast(from_plain52) : broadcast(from_mont52)));
}

// y^2 = x^3 + b, b with four in every part.
template <class V>
mask16 off_curve(const V& x, const V& y, const V& b) {
  const V left = canonical(settled(mul(y, y)));
  const V right = canonical(settled(loose_add(mul(mul(x, x), x), b)));
  return ~equal(left, right) & ~(is_zero(x) & is_zero(y)) & 0xffff;
}

inline fp16 read_coordinate(const std::byte* const (&from)[width], std::size_t offset, point_layout layout,
                            mask16& bad) {
  __mmask8 low = 0, high = 0;
  const fp16 out{{read_coordinate(from, offset, layout, low), read_coordinate(from + 8, offset, layout, high)}};
  bad |= mask_of(low, high);
  return out;
}

struct read_lanes {
  mask16 not_canonical = 0, off_curve = 0;
};

inline read_lanes read_points(const std::byte* const (&from)[width], const import_rules& rules, lane_point<fp>* out) {
  read_lanes found;
  const fp16 x = read_coordinate(from, 0, rules.layout, found.not_canonical);
  const fp16 y = read_coordinate(from, 48, rules.layout, found.not_canonical);
  if (rules.check_curve)
    found.off_curve = off_curve(x, y, fp16{{broadcast(four52), broadcast(four52)}});
  scatter(x, y, out);
  return found;
}

inline read_lanes read_points(const std::byte* const (&from)[width], const import_rules& rules, lane_point<fp2>* out) {
  read_lanes found;
  const std::size_t first = rules.layout == point_layout::big_endian ? 48 : 0; // c1 comes first in a file
  fp2_16 x, y;
  x.c0 = read_coordinate(from, first, rules.layout, found.not_canonical);
  x.c1 = read_coordinate(from, 48 - first, rules.layout, found.not_canonical);
  y.c0 = read_coordinate(from, 96 + first, rules.layout, found.not_canonical);
  y.c1 = read_coordinate(from, 144 - first, rules.layout, found.not_canonical);
  const fp16 four{{broadcast(four52), broadcast(four52)}};
  if (rules.check_curve)
    found.off_curve = off_curve(x, y, fp2_16{four, four});
  scatter(x, y, out);
  return found;
}

inline point_fault fault_of(const std::byte* from, const import_rules& rules, const read_lanes& found, unsigned lane) {
  const bool flagged = (static_cast<unsigned>(*from) & 0x40) != 0;
  if (rules.layout == point_layout::big_endian && flagged)
    return point_fault::infinity;
  if ((found.not_canonical >> lane & 1) != 0)
    return point_fault::not_canonical;
  return (found.off_curve >> lane & 1) != 0 ? point_fault::not_on_curve : point_fault::none;
}

#include "math/lanes/ifma_end.inc"

} // namespace cuzk::lanes
#endif
