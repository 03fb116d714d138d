#include "math/lanes/point_pairs.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace cuzk::lanes {

template <class F>
void plain_engine<F>::add(std::span<const pair_of<point>> pairs, point* out) {
  for (std::size_t at = 0; at < pairs.size(); at += batch_size) {
    const auto piece = pairs.subspan(at, std::min(batch_size, pairs.size() - at));
    for (std::size_t i = 0; i < piece.size(); ++i)
      sums_[i] = piece[i].a.negative() ? -*piece[i].a.point() : *piece[i].a.point();
    batch_.add(std::span(sums_).first(piece.size()), [&](std::size_t i) {
      return signed_point<F>{piece[i].b.point(), piece[i].b.negative()};
    });
    std::copy_n(sums_.begin(), piece.size(), out + at);
  }
}

namespace {

bool read(const std::byte*& from, fp& out) {
  big_int<6> x;
  for (int i = 5; i >= 0; --i) {
    std::uint64_t word;
    std::memcpy(&word, from, 8);
    from += 8;
    x.limb[i] = std::endian::native == std::endian::little ? __builtin_bswap64(word) : word;
  }
  out = fp::from_int(x);
  return fp::is_canonical(x);
}

bool read(const std::byte*& from, fp2& out) {
  const bool high = read(from, out.c1);
  return read(from, out.c0) && high;
}

fp curve_b(const fp&) {
  return fp::from_u64(4);
}
fp2 curve_b(const fp2&) {
  return {fp::from_u64(4), fp::from_u64(4)};
}

template <class F>
point_fault read_point(const std::byte* from, const import_rules& rules, affine<F>& out) {
  if (rules.layout == point_layout::montgomery) {
    std::memcpy(&out, from, sizeof out);
  } else {
    if ((static_cast<unsigned>(*from) & 0x40) != 0)
      return point_fault::infinity;
    const bool x = read(from, out.x);
    if (!read(from, out.y) || !x)
      return point_fault::not_canonical;
  }
  if (rules.check_curve && !out.is_infinity() && out.y.square() != out.x.square() * out.x + curve_b(out.x))
    return point_fault::not_on_curve;
  return point_fault::none;
}

} // namespace

template <class F>
import_result plain_engine<F>::import(std::span<const std::byte* const> from, const import_rules& rules, point* out) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto fault = read_point(from[i], rules, out[i]);
    if (fault != point_fault::none)
      return {i, fault};
  }
  return {};
}

template class plain_engine<fp>;
template class plain_engine<fp2>;

} // namespace cuzk::lanes
