#include "math/batch_inverse.hpp"
#include "math/lanes/ifma_points.hpp"
#include "math/lanes/point_pairs.hpp"

#include <algorithm>
#include <cstdlib>

namespace cuzk::lanes {

#if defined(__x86_64__)

#include "math/lanes/ifma_begin.inc"

namespace {

constexpr std::size_t block = 64; // groups that share one inversion; operands of two blocks stay in L2

/// 2^480 mod p: takes the inverse of a value read as x * 2^384 back to this form.
constexpr std::uint64_t inverse_fix52[8] = {0x6a0c0a653f6fc, 0xdf21bc8d58e0c, 0x63665a0c7a249, 0xf6cc74d9c6d43,
                                            0xb33c525492b6b, 0xc5935a887f8c8, 0x487a48f1eb623, 0x000000001447c};

/// What the first pass leaves for the second.
template <class F>
struct step {
  lanes_t<F> before, denominator;
  bool special; ///< some pair perhaps holds infinity or shares its x
};

/// The addresses of a group of pairs.
template <class F>
struct group {
  const lane_point<F>*a[width], *b[width];
  mask16 flip_a = 0, flip_b = 0;

  explicit group(const pair_of<lane_point<F>>* pairs) {
    for (unsigned j = 0; j < width; ++j) {
      a[j] = pairs[j].a.point();
      b[j] = pairs[j].b.point();
      flip_a |= static_cast<mask16>(pairs[j].a.negative()) << j;
      flip_b |= static_cast<mask16>(pairs[j].b.negative()) << j;
    }
  }
};

// -- groups with something special in them: exact comparisons
// ----------------------------------------------------------

/// Both points in canonical form and what is special about them.
template <class F>
struct operands {
  lanes_t<F> x1, y1, x2, y2;
  mask16 first_infinite, second_infinite, same_x;

  explicit operands(const group<F>& g)
    : x1(canonical(x_of<F>(g.a))), y1(canonical(y_of<F>(g.a))), x2(canonical(x_of<F>(g.b))),
      y2(canonical(y_of<F>(g.b))) {
    first_infinite = is_zero(x1) & is_zero(y1);
    second_infinite = is_zero(x2) & is_zero(y2);
    same_x = equal(x1, x2);
    y1 = canonical(settled(lifted<1>(negated_where(g.flip_a, y1))));
    y2 = canonical(settled(lifted<1>(negated_where(g.flip_b, y2))));
  }
  mask16 special() const { return first_infinite | second_infinite | same_x; }
  /// Equal and finite.
  mask16 doubles() const { return same_x & ~first_infinite & ~second_infinite & equal(y1, y2); }
};

// x2 - x1; 2 y where a point is doubled; one where nothing is to be divided.
template <class F>
lanes_t<F> exact_denominator(const operands<F>& o) {
  lanes_t<F> one;
  set_one(one);
  const auto d = blend(o.special(), carried(lifted<2>(loose_sub(o.x2, o.x1))), one);
  return blend(o.doubles(), d, carried(loose_add(o.y1, o.y1)));
}

template <class F>
void exact_sums(const group<F>& g, const lanes_t<F>& inverse, lane_point<F>* out) {
  const operands<F> o(g);
  const auto xx = mul(o.x1, o.x1);
  const auto tangent = carried(loose_add(loose_add(xx, xx), xx));
  const auto slope = mul(blend(o.doubles(), carried(lifted<2>(loose_sub(o.y2, o.y1))), tangent), inverse);
  auto x = settled(lifted<3>(loose_sub(loose_sub(square(slope), o.x1), o.x2)));
  auto y = settled(lifted<2>(loose_sub(mul(slope, carried(lifted<2>(loose_sub(o.x1, x)))), o.y1)));
  const mask16 opposite = o.same_x & ~o.doubles() & ~o.first_infinite & ~o.second_infinite;
  const auto nothing = loose_sub(x, x);
  x = blend(opposite, blend(o.second_infinite, blend(o.first_infinite, x, o.x2), o.x1), nothing);
  y = blend(opposite, blend(o.second_infinite, blend(o.first_infinite, y, o.y2), o.y1), nothing);
  scatter(x, y, out);
}

// -- the usual group
// -------------------------------------------------------------------------------------------------

template <class F>
void first_pass(const group<F>& g, step<F>& s) {
  const auto x1 = x_of<F>(g.a), x2 = x_of<F>(g.b);
  s.denominator = carried(lifted<2>(loose_sub(x2, x1)));
  s.special = (perhaps_multiple(s.denominator) | perhaps_zero(x1) | perhaps_zero(x2)) != 0;
  if (s.special)
    s.denominator = exact_denominator(operands<F>(g));
}

// The second x is the first one plus the denominator, less 2 p.
template <class F>
void sums(const group<F>& g, const lanes_t<F>& denominator, const lanes_t<F>& inverse, lane_point<F>* out) {
  const auto y1 = negated_where(g.flip_a, y_of<F>(g.a)), y2 = negated_where(g.flip_b, y_of<F>(g.b));
  const auto slope = mul(carried(lifted<3>(loose_sub(y2, y1))), inverse);
  const auto x1 = x_of<F>(g.a);
  const auto others = loose_add(loose_add(x1, x1), denominator);
  const auto x = settled(lifted<5>(loose_sub(square(slope), others)));
  const auto y = settled(lifted<2>(loose_sub(mul(slope, carried(lifted<2>(loose_sub(x1, x)))), y1)));
  scatter(x, y, out);
}

// -- one inversion for all lanes
// -------------------------------------------------------------------------------------

void to_scalars(const fp8& a, fp (&out)[8]) {
  v8 w[6];
  join(w, reduce(settled(a)));
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

// The halves are folded into one vector, its lanes share one inversion among words.
fp16 invert(const fp16& a) {
  fp values[8], scratch[8];
  to_scalars(mul(a.h[0], a.h[1]), values);
  batch_invert(std::span<fp>(values), std::span<fp>(scratch));
  const fp8 both = from_scalars(values);
  return mul(fp16{{both, both}}, fp16{{a.h[1], a.h[0]}});
}

// 1 / (c0 + c1 u) = (c0 - c1 u) / (c0^2 + c1^2).
fp2_16 invert(const fp2_16& a) {
  const fp16 inverse = invert(carried(loose_add(square(a.c0), square(a.c1))));
  const fp16 zero = loose_sub(inverse, inverse);
  return {mul(a.c0, inverse), carried(lifted<2>(loose_sub(zero, mul(a.c1, inverse))))};
}

template <class F>
void fetch(const signed_ref<lane_point<F>>& item) {
  for (const auto& coordinate : item.point()->limb)
    _mm_prefetch(reinterpret_cast<const char*>(coordinate), _MM_HINT_T1);
}

/// What comes into L2 while a block is in its second pass, which has work enough to hide it; the first would wait.
template <class F>
struct fetch_list {
  std::span<const pair_of<lane_point<F>>> pairs;        ///< those behind the block, a group at a time
  std::span<const signed_ref<lane_point<F>>>& upcoming; ///< when there are none: the caller's, taken off as they go

  void step() {
    if (pairs.empty()) {
      const auto some = upcoming.first(std::min(2 * width, upcoming.size()));
      upcoming = upcoming.subspan(some.size());
      for (const auto& item : some)
        fetch(item);
      return;
    }
    const auto group = pairs.first(std::min(width, pairs.size()));
    pairs = pairs.subspan(group.size());
    for (const auto& pair : group) {
      fetch(pair.a);
      fetch(pair.b);
    }
  }
};

/// Adds `groups` groups of pairs.
template <class F>
void add_block(const pair_of<lane_point<F>>* pairs, std::size_t groups, fetch_list<F> next, lane_point<F>* out,
               step<F>* steps) {
  lanes_t<F> product;
  set_one(product);
  for (std::size_t v = 0; v < groups; ++v) {
    first_pass(group<F>(pairs + width * v), steps[v]);
    steps[v].before = product;
    product = mul(product, steps[v].denominator);
  }
  auto rest = invert(product);
  for (std::size_t v = groups; v-- > 0;) {
    next.step();
    const auto inverse = mul(rest, steps[v].before);
    rest = mul(rest, steps[v].denominator);
    const group<F> g(pairs + width * v);
    if (steps[v].special)
      exact_sums(g, inverse, out + width * v);
    else
      sums(g, steps[v].denominator, inverse, out + width * v);
  }
}

} // namespace

template <class F>
ifma_engine<F>::ifma_engine() : scratch_(block * sizeof(step<F>) + 64) {}

template <class F>
void ifma_engine<F>::add(std::span<const pair_of<point>> pairs, point* out) {
  const auto at = reinterpret_cast<std::uintptr_t>(scratch_.data());
  auto* steps = reinterpret_cast<step<F>*>((at + 63) & ~std::uintptr_t{63});
  const std::size_t whole = pairs.size() / width;
  for (std::size_t v = 0; v < whole; v += block) {
    const std::size_t groups = std::min(block, whole - v), behind = width * (v + groups);
    const auto next = pairs.subspan(behind, std::min(width * block, width * whole - behind));
    add_block<F>(pairs.data() + width * v, groups, {next, upcoming_}, out + width * v, steps);
  }
  const std::size_t rest = pairs.size() % width;
  if (rest == 0)
    return;
  pair_of<point> last[width];
  point sums[width];
  std::fill(last, last + width, pairs.back());
  std::copy(pairs.end() - static_cast<std::ptrdiff_t>(rest), pairs.end(), last);
  add_block<F>(last, 1, {{}, upcoming_}, sums, steps);
  std::copy(sums, sums + rest, out + width * whole);
}

template <class F>
import_result ifma_engine<F>::import(std::span<const std::byte* const> from, const import_rules& rules, point* out) {
  for (std::size_t i = 0; i < from.size(); i += width) {
    const std::size_t count = std::min(width, from.size() - i);
    const std::byte* group[width];
    for (std::size_t j = 0; j < width; ++j)
      group[j] = from[i + std::min(j, count - 1)]; // the last one again
    point points[width];
    const auto found = read_points(group, rules, count == width ? out + i : points);
    if (count != width)
      std::copy(points, points + count, out + i);
    if ((found.not_canonical | found.off_curve) != 0)
      for (unsigned j = 0; j < count; ++j) {
        const auto fault = fault_of(group[j], rules, found, j);
        if (fault != point_fault::none)
          return {i + j, fault};
      }
  }
  return {};
}

#include "math/lanes/ifma_end.inc"

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

// p - y, or 2 p - y where y may be one of the few settled values above p: settled again.
void negate(std::uint64_t (&limb)[8]) {
  const std::uint64_t times = limb[7] >= p52[7] ? 2 : 1;
  std::int64_t over = 0;
  for (int i = 0; i < 8; ++i) {
    over += static_cast<std::int64_t>(times * p52[i]) - static_cast<std::int64_t>(limb[i]);
    limb[i] = i < 7 ? static_cast<std::uint64_t>(over) & mask52 : static_cast<std::uint64_t>(over);
    over >>= 52;
  }
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
void negate(std::uint64_t (&)[8]) {
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

template <class F>
typename ifma_engine<F>::point ifma_engine<F>::negative(const point& p) {
  if (is_infinity(p))
    return p;
  point out = p;
  for (int c = point::coordinates / 2; c < point::coordinates; ++c)
    negate(out.limb[c]);
  return out;
}

template class ifma_engine<fp>;
template class ifma_engine<fp2>;

} // namespace cuzk::lanes
