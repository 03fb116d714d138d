#include "math/lanes/window_table.hpp"

#include "math/batch_inverse.hpp"

#include <algorithm>
#include <cstdlib>

namespace cuzk::lanes {
namespace {

constexpr std::size_t chunk = 2048; ///< scalars that advance together
// A scalar taken in (-r/2, r/2) has a magnitude below 2^254. No width from 3 on divides 254, so the top window has a
// bit to spare and takes the last carry.
constexpr int scalar_bits = 254;

// |k| for k taken in (-r/2, r/2), below 2^254.
struct signed_scalar {
  big_int<4> magnitude;
  bool negative;
};

signed_scalar centered(const fr& k) {
  const auto plus = k.to_int(), minus = (-k).to_int();
  for (int i = 3; i >= 0; --i)
    if (plus.limb[i] != minus.limb[i])
      return plus.limb[i] < minus.limb[i] ? signed_scalar{plus, false} : signed_scalar{minus, true};
  return {plus, false};
}

} // namespace

std::size_t windows_of(int bits) {
  return static_cast<std::size_t>((scalar_bits + bits - 1) / bits);
}

void write_digits(const fr& scalar, int bits, std::int32_t* out, std::size_t stride) {
  const auto k = centered(scalar);
  const std::int32_t half = std::int32_t{1} << (bits - 1), sign = k.negative ? -1 : 1;
  std::int32_t carry = 0;
  for (std::size_t j = 0; j < windows_of(bits); ++j) {
    const auto at = static_cast<int>(j) * bits, word = at / 64, shift = at % 64;
    std::uint64_t v = k.magnitude.limb[word] >> shift;
    if (shift + bits > 64 && word < 3)
      v |= k.magnitude.limb[word + 1] << (64 - shift);
    auto d = static_cast<std::int32_t>(v & (2 * static_cast<std::uint64_t>(half) - 1)) + carry;
    carry = d > half;
    d -= carry ? 2 * half : 0;
    out[j * stride] = sign * d;
  }
}

template <class Engine>
struct window_table<Engine>::scratch {
  explicit scratch(std::size_t windows) : digits(chunk * windows), pairs(chunk), sums(chunk), next(chunk) {}
  Engine engine;
  std::vector<std::int32_t> digits;
  std::vector<pair_of<point>> pairs;
  std::vector<point> sums, next;
};

template <class Engine>
window_table<Engine>::window_table(const affine<field_type>& base, int bits, thread_pool& pool)
  : bits_(bits), windows_(windows_of(bits)), row_(std::size_t{1} << (bits - 1)), entries_(windows_ * row_) {
  std::vector<jacobian<field_type>> powers(windows_);
  auto power = jacobian<field_type>::from(base);
  for (auto& p : powers) {
    p = power;
    for (int i = 0; i < bits_; ++i)
      power = power.doubled();
  }
  std::vector<affine<field_type>> first(windows_);
  batch_to_affine(std::span<const jacobian<field_type>>(powers), std::span(first));
  pool.parallel_for(windows_, 1, [&](std::size_t begin, std::size_t end) {
    Engine engine;
    for (std::size_t j = begin; j < end; ++j)
      fill_row(engine, j, first[j]);
  });
}

// P, 2 P, ..: with the first n multiples known, the next n are those plus n P.
template <class Engine>
void window_table<Engine>::fill_row(Engine& engine, std::size_t window, const affine<field_type>& first) {
  point* const row = entries_.data() + window * row_;
  const auto* bytes = reinterpret_cast<const std::byte*>(&first);
  (void)Engine::import(std::span(&bytes, 1), {}, row); // affine points in memory are always good
  std::vector<pair_of<point>> pairs;
  for (std::size_t known = 1; known < row_; known *= 2) {
    pairs.clear();
    for (std::size_t k = 0; k < known; ++k)
      pairs.push_back({{row + k, false}, {row + known - 1, false}});
    engine.add(pairs, row + known);
  }
}

template <class Engine>
typename window_table<Engine>::ref window_table<Engine>::entry(std::size_t window, std::int32_t digit) const {
  if (digit == 0)
    return {&nothing_, false};
  return {&entries_[window * row_ + static_cast<std::size_t>(std::abs(digit)) - 1], digit < 0};
}

template <class Engine>
void window_table<Engine>::multiply_chunk(std::span<const fr> scalars, std::span<affine<field_type>> out,
                                          scratch& s) const {
  const std::size_t n = scalars.size();
  for (std::size_t i = 0; i < n; ++i)
    write_digits(scalars[i], bits_, s.digits.data() + i, n);
  const auto pairs = std::span<const pair_of<point>>(s.pairs).first(n);
  for (std::size_t j = 1; j < windows_; ++j) {
    const std::int32_t* d = s.digits.data() + j * n;
    for (std::size_t i = 0; i < n; ++i)
      s.pairs[i] = {j == 1 ? entry(0, s.digits[i]) : ref(&s.sums[i], false), entry(j, d[i])};
    s.engine.add(pairs, s.next.data());
    s.sums.swap(s.next);
  }
  for (std::size_t i = 0; i < n; ++i)
    out[i] = Engine::to_affine(s.sums[i]);
}

template <class Engine>
void window_table<Engine>::multiply(std::span<const fr> scalars, std::span<affine<field_type>> out,
                                    thread_pool& pool) const {
  constexpr std::size_t piece = 8 * chunk;
  pool.parallel_for(scalars.size(), piece, [&](std::size_t begin, std::size_t end) {
    scratch s(windows_);
    for (std::size_t at = begin; at < end; at += chunk) {
      const std::size_t n = std::min(chunk, end - at);
      multiply_chunk(scalars.subspan(at, n), out.subspan(at, n), s);
    }
  });
}

template <class Engine>
affine<typename Engine::field_type> window_table<Engine>::multiply(const fr& scalar) const {
  std::vector<std::int32_t> digits(windows_);
  write_digits(scalar, bits_, digits.data(), 1);
  auto sum = jacobian<field_type>::infinity();
  for (std::size_t j = 0; j < windows_; ++j) {
    const auto e = entry(j, digits[j]);
    const auto p = Engine::to_affine(*e.point());
    sum += e.negative() ? -p : p;
  }
  return sum.to_affine();
}

template class window_table<plain_engine<fp>>;
template class window_table<plain_engine<fp2>>;
template class window_table<ifma_engine<fp>>;
template class window_table<ifma_engine<fp2>>;

} // namespace cuzk::lanes
