#include "math/batch_inverse.hpp"
#include "math/lanes/fp8.hpp"
#include "math/lanes/point_pairs.hpp"

#include <algorithm>
#include <cstdlib>

namespace cuzk::lanes {

#if defined(__x86_64__)

#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl,avx512ifma,bmi2")

namespace {

constexpr std::size_t block = 128; // vectors of eight additions that share one inversion; operands stay in L2
constexpr std::size_t ahead = 3;   // vectors whose operands are fetched before their turn

/// 2^480 mod p: takes the inverse of a value read as x * 2^384 back to this form.
constexpr std::uint64_t inverse_fix52[8] = {0x6a0c0a653f6fc, 0xdf21bc8d58e0c, 0x63665a0c7a249, 0xf6cc74d9c6d43,
                                            0xb33c525492b6b, 0xc5935a887f8c8, 0x487a48f1eb623, 0x000000001447c};

template <class F>
struct lanes_of;
template <>
struct lanes_of<fp> {
  using type = fp8;
};
template <>
struct lanes_of<fp2> {
  using type = fp2_8;
};

template <class F>
struct step {
  typename lanes_of<F>::type before, denominator;
};

// One coordinate of eight points.
template <class P>
fp8 gather(const P* const (&from)[8], int coordinate) {
  v8 rows[8];
  CUZK_UNROLL
  for (int j = 0; j < 8; ++j)
    rows[j] = _mm512_load_si512(from[j]->limb[coordinate]);
  transpose(rows);
  return {{rows[0], rows[1], rows[2], rows[3], rows[4], rows[5], rows[6], rows[7]}};
}

void gather_x(fp8& out, const lane_point<fp>* const (&from)[8]) {
  out = gather(from, 0);
}
void gather_y(fp8& out, const lane_point<fp>* const (&from)[8]) {
  out = gather(from, 1);
}
void gather_x(fp2_8& out, const lane_point<fp2>* const (&from)[8]) {
  out = {gather(from, 0), gather(from, 1)};
}
void gather_y(fp2_8& out, const lane_point<fp2>* const (&from)[8]) {
  out = {gather(from, 2), gather(from, 3)};
}

template <class P>
void scatter(const fp8& a, P* out, int coordinate) {
  v8 rows[8] = {a.l[0], a.l[1], a.l[2], a.l[3], a.l[4], a.l[5], a.l[6], a.l[7]};
  transpose(rows);
  CUZK_UNROLL
  for (int j = 0; j < 8; ++j)
    _mm512_store_si512(out[j].limb[coordinate], rows[j]);
}
void scatter(const fp8& x, const fp8& y, lane_point<fp>* out) {
  scatter(x, out, 0);
  scatter(y, out, 1);
}
void scatter(const fp2_8& x, const fp2_8& y, lane_point<fp2>* out) {
  scatter(x.c0, out, 0);
  scatter(x.c1, out, 1);
  scatter(y.c0, out, 2);
  scatter(y.c1, out, 3);
}

/// Eight pairs of points and what is special about them.
template <class F>
struct operands {
  using V = typename lanes_of<F>::type;
  V x1, y1, x2, y2;
  __mmask8 first_infinite, second_infinite, same_x;
  __mmask8 special() const { return static_cast<__mmask8>(first_infinite | second_infinite | same_x); }
};

template <class F>
operands<F> load_pairs(const pair_of<lane_point<F>>* pairs) {
  operands<F> o;
  const lane_point<F>*a[8], *b[8];
  unsigned flip_a = 0, flip_b = 0;
  for (unsigned j = 0; j < 8; ++j) {
    a[j] = pairs[j].a.point();
    b[j] = pairs[j].b.point();
    flip_a |= static_cast<unsigned>(pairs[j].a.negative()) << j;
    flip_b |= static_cast<unsigned>(pairs[j].b.negative()) << j;
  }
  gather_x(o.x1, a);
  gather_y(o.y1, a);
  gather_x(o.x2, b);
  gather_y(o.y2, b);
  if (flip_a != 0)
    o.y1 = negate_where(static_cast<__mmask8>(flip_a), o.y1);
  if (flip_b != 0)
    o.y2 = negate_where(static_cast<__mmask8>(flip_b), o.y2);
  o.same_x = equal(o.x1, o.x2);
  o.first_infinite = static_cast<__mmask8>(is_zero(o.x1) & is_zero(o.y1));
  o.second_infinite = static_cast<__mmask8>(is_zero(o.x2) & is_zero(o.y2));
  return o;
}

// Lanes where the two points are equal and finite are doubled: denominator 2 y. Where nothing is to be divided: one.
template <class F>
__mmask8 doubles(const operands<F>& o) {
  const auto finite = static_cast<__mmask8>(~(o.first_infinite | o.second_infinite));
  return static_cast<__mmask8>(o.same_x & finite & equal(o.y1, o.y2));
}

template <class F>
typename lanes_of<F>::type denominator(const operands<F>& o) {
  auto d = sub_lazy<1>(o.x2, o.x1);
  if (o.special() == 0)
    return d;
  typename lanes_of<F>::type one;
  set_one(one);
  d = blend(o.special(), d, one);
  return blend(doubles(o), d, add_lazy(o.y1, o.y1));
}

template <class F>
typename lanes_of<F>::type numerator(const operands<F>& o) {
  const auto d = sub_lazy<1>(o.y2, o.y1);
  const __mmask8 twice = o.special() == 0 ? __mmask8{0} : doubles(o);
  if (twice == 0)
    return d;
  const auto xx = canonical(mul(o.x1, o.x1));
  return blend(twice, d, add_lazy(add_lazy(xx, xx), xx));
}

/// The denominators of eight pairs. The second coordinates are read only where the first ones call for it.
template <class F>
typename lanes_of<F>::type denominator(const pair_of<lane_point<F>>* pairs) {
  typename lanes_of<F>::type x1, x2;
  const lane_point<F>*a[8], *b[8];
  for (unsigned j = 0; j < 8; ++j) {
    a[j] = pairs[j].a.point();
    b[j] = pairs[j].b.point();
  }
  gather_x(x1, a);
  gather_x(x2, b);
  if ((equal(x1, x2) | is_zero(x1) | is_zero(x2)) != 0)
    return denominator(load_pairs<F>(pairs));
  return sub_lazy<1>(x2, x1);
}

template <class F>
void finish(const operands<F>& o, const typename lanes_of<F>::type& inverse, lane_point<F>* out) {
  const auto slope = mul(numerator(o), inverse);
  auto x = canonical(sub_lazy<1>(sub_lazy<1>(mul(slope, slope), o.x1), o.x2));
  auto y = canonical(sub_lazy<1>(mul(slope, sub_lazy<1>(o.x1, x)), o.y1));
  if (o.special() != 0) {
    const auto opposite = static_cast<__mmask8>(o.same_x & ~doubles(o) & ~o.first_infinite & ~o.second_infinite);
    const auto nothing = sub_lazy<0>(x, x);
    x = blend(opposite, blend(o.second_infinite, blend(o.first_infinite, x, o.x2), o.x1), nothing);
    y = blend(opposite, blend(o.second_infinite, blend(o.first_infinite, y, o.y2), o.y1), nothing);
  }
  scatter(x, y, out);
}

// -- one inversion for eight lanes
// -------------------------------------------------------------------------------------

void to_scalars(const fp8& a, fp (&out)[8]) {
  v8 w[6];
  join(w, canonical(a));
  alignas(64) std::uint64_t words[6][8];
  for (int i = 0; i < 6; ++i)
    _mm512_store_si512(words[i], w[i]);
  for (int j = 0; j < 8; ++j)
    for (int i = 0; i < 6; ++i)
      out[j].limb[i] = words[i][j];
}

fp8 from_scalars(const fp (&in)[8]) {
  alignas(64) std::uint64_t words[6][8];
  for (int j = 0; j < 8; ++j)
    for (int i = 0; i < 6; ++i)
      words[i][j] = in[j].limb[i];
  v8 w[6];
  for (int i = 0; i < 6; ++i)
    w[i] = _mm512_load_si512(words[i]);
  return mul(split(w), broadcast(inverse_fix52));
}

fp8 invert(const fp8& a) {
  fp values[8], scratch[8];
  to_scalars(a, values);
  batch_invert(std::span<fp>(values), std::span<fp>(scratch));
  return from_scalars(values);
}

fp2_8 invert(const fp2_8& a) {
  fp c0[8], c1[8];
  to_scalars(a.c0, c0);
  to_scalars(a.c1, c1);
  fp2 values[8], scratch[8];
  for (int j = 0; j < 8; ++j)
    values[j] = {c0[j], c1[j]};
  batch_invert(std::span<fp2>(values), std::span<fp2>(scratch));
  for (int j = 0; j < 8; ++j) {
    c0[j] = values[j].c0;
    c1[j] = values[j].c1;
  }
  return {from_scalars(c0), from_scalars(c1)};
}

template <class F>
void fetch(const pair_of<lane_point<F>>* pairs) {
  for (unsigned j = 0; j < 8; ++j)
    for (const auto* p : {pairs[j].a.point(), pairs[j].b.point()})
      for (const auto& coordinate : p->limb)
        _mm_prefetch(reinterpret_cast<const char*>(coordinate), _MM_HINT_T0);
}

template <class F>
void add_block(const pair_of<lane_point<F>>* pairs, std::size_t vectors, lane_point<F>* out, step<F>* steps) {
  typename lanes_of<F>::type product;
  set_one(product);
  for (std::size_t v = 0; v < vectors; ++v) {
    if (v + ahead < vectors)
      fetch<F>(pairs + 8 * (v + ahead));
    steps[v].before = product;
    steps[v].denominator = denominator<F>(pairs + 8 * v);
    product = mul(product, steps[v].denominator);
  }
  auto rest = invert(product);
  for (std::size_t v = vectors; v-- > 0;) {
    const auto inverse = mul(rest, steps[v].before);
    rest = mul(rest, steps[v].denominator);
    finish(load_pairs<F>(pairs + 8 * v), inverse, out + 8 * v);
  }
}

// -- reading points
// ----------------------------------------------------------------------------------------------------

v8 swap_bytes(v8 x) {
  const v8 order = _mm512_broadcast_i32x4(_mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  return _mm512_shuffle_epi8(x, order);
}

// One coordinate of eight points, `offset` bytes into each; lanes whose integer is not below p are marked.
fp8 read_coordinate(const std::byte* const (&from)[8], std::size_t offset, point_layout layout, __mmask8& bad) {
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
  return canonical(mul(x, plain ? broadcast(from_plain52) : broadcast(from_mont52)));
}

struct read_lanes {
  __mmask8 not_canonical = 0, off_curve = 0;
};

template <class V>
__mmask8 off_curve(const V& x, const V& y, const V& b) {
  const V left = canonical(mul(y, y));
  const V right = canonical(add_lazy(canonical(mul(canonical(mul(x, x)), x)), b));
  const auto infinite = static_cast<__mmask8>(is_zero(x) & is_zero(y));
  return static_cast<__mmask8>(~equal(left, right) & ~infinite);
}

read_lanes read_points(const std::byte* const (&from)[8], const import_rules& rules, lane_point<fp>* out) {
  read_lanes found;
  const fp8 x = read_coordinate(from, 0, rules.layout, found.not_canonical);
  const fp8 y = read_coordinate(from, 48, rules.layout, found.not_canonical);
  if (rules.check_curve)
    found.off_curve = off_curve(x, y, broadcast(four52));
  scatter(x, y, out);
  return found;
}

read_lanes read_points(const std::byte* const (&from)[8], const import_rules& rules, lane_point<fp2>* out) {
  read_lanes found;
  const std::size_t first = rules.layout == point_layout::big_endian ? 48 : 0; // c1 comes first in a file
  fp2_8 x, y;
  x.c0 = read_coordinate(from, first, rules.layout, found.not_canonical);
  x.c1 = read_coordinate(from, 48 - first, rules.layout, found.not_canonical);
  y.c0 = read_coordinate(from, 96 + first, rules.layout, found.not_canonical);
  y.c1 = read_coordinate(from, 144 - first, rules.layout, found.not_canonical);
  if (rules.check_curve)
    found.off_curve = off_curve(x, y, fp2_8{broadcast(four52), broadcast(four52)});
  scatter(x, y, out);
  return found;
}

point_fault fault_of(const std::byte* from, const import_rules& rules, const read_lanes& found, unsigned lane) {
  const bool flagged = (static_cast<unsigned>(*from) & 0x40) != 0;
  if (rules.layout == point_layout::big_endian && flagged)
    return point_fault::infinity;
  if ((found.not_canonical >> lane & 1) != 0)
    return point_fault::not_canonical;
  return (found.off_curve >> lane & 1) != 0 ? point_fault::not_on_curve : point_fault::none;
}

} // namespace

template <class F>
ifma_engine<F>::ifma_engine() : scratch_(block * sizeof(step<F>) + 64) {}

template <class F>
void ifma_engine<F>::add(std::span<const pair_of<point>> pairs, point* out) {
  const auto at = reinterpret_cast<std::uintptr_t>(scratch_.data());
  auto* steps = reinterpret_cast<step<F>*>((at + 63) & ~std::uintptr_t{63});
  const std::size_t whole = pairs.size() / 8;
  for (std::size_t v = 0; v < whole; v += block)
    add_block<F>(pairs.data() + 8 * v, std::min(block, whole - v), out + 8 * v, steps);
  const std::size_t rest = pairs.size() % 8;
  if (rest == 0)
    return;
  static const point nothing{};
  pair_of<point> last[8];
  point sums[8];
  std::fill(last, last + 8, pair_of<point>{{&nothing, false}, {&nothing, false}});
  std::copy(pairs.end() - static_cast<std::ptrdiff_t>(rest), pairs.end(), last);
  add_block<F>(last, 1, sums, steps);
  std::copy(sums, sums + rest, out + 8 * whole);
}

template <class F>
import_result ifma_engine<F>::import(std::span<const std::byte* const> from, const import_rules& rules, point* out) {
  for (std::size_t i = 0; i < from.size(); i += 8) {
    const std::size_t count = std::min<std::size_t>(8, from.size() - i);
    const std::byte* eight[8];
    for (std::size_t j = 0; j < 8; ++j)
      eight[j] = from[i + std::min(j, count - 1)]; // the last one again
    point sums[8];
    const auto found = read_points(eight, rules, sums);
    std::copy(sums, sums + count, out + i);
    if ((found.not_canonical | found.off_curve) != 0)
      for (unsigned j = 0; j < count; ++j) {
        const auto fault = fault_of(eight[j], rules, found, j);
        if (fault != point_fault::none)
          return {i + j, fault};
      }
  }
  return {};
}

#pragma GCC pop_options

namespace {

// x * 2^416 in 52-bit limbs to x * 2^384: times 2^352, a Montgomery product of plain words.
fp to_fp(const std::uint64_t (&limb)[8]) {
  fp raw{};
  for (int i = 0; i < 8; ++i) {
    const int bit = 52 * i, word = bit / 64, shift = bit % 64;
    raw.limb[word] |= limb[i] << shift;
    if (shift > 12 && word < 5)
      raw.limb[word + 1] |= limb[i] >> (64 - shift);
  }
  return raw * fp::raw({{0, 0, 0, 0, 0, std::uint64_t{1} << 32}});
}

affine<fp> to_affine_point(const lane_point<fp>& p) {
  return {to_fp(p.limb[0]), to_fp(p.limb[1])};
}
affine<fp2> to_affine_point(const lane_point<fp2>& p) {
  return {{to_fp(p.limb[0]), to_fp(p.limb[1])}, {to_fp(p.limb[2]), to_fp(p.limb[3])}};
}

} // namespace

#else // no such processor: nothing here is ever called

template <class F>
ifma_engine<F>::ifma_engine() = default;
template <class F>
void ifma_engine<F>::add(std::span<const pair_of<point>>, point*) {
  std::abort();
}
template <class F>
import_result ifma_engine<F>::import(std::span<const std::byte* const>, const import_rules&, point*) {
  std::abort();
}

namespace {
template <class F>
affine<F> to_affine_point(const lane_point<F>&) {
  std::abort();
}
} // namespace

#endif

template <class F>
affine<F> ifma_engine<F>::to_affine(const point& p) {
  return to_affine_point(p);
}

template <class F>
bool ifma_engine<F>::is_infinity(const point& p) {
  std::uint64_t any = 0;
  for (const auto& coordinate : p.limb)
    for (auto limb : coordinate)
      any |= limb;
  return any == 0;
}

template class ifma_engine<fp>;
template class ifma_engine<fp2>;

} // namespace cuzk::lanes
