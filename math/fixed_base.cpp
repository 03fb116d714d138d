#include "math/fixed_base.hpp"

#include "math/batch_inverse.hpp"

#include <algorithm>
#include <cstdlib>

namespace cuzk {
namespace {

constexpr std::size_t chunk = 2048; ///< scalars that advance together
// A scalar taken in (-r/2, r/2) has a magnitude below 2^254. No width from 3 on divides 254, so the top window has a
// bit to spare and takes the last carry.
constexpr int scalar_bits = 254, least_bits = 3, most_bits = 15;

constexpr int windows_of(int bits) {
  return (scalar_bits + bits - 1) / bits;
}

// The width with the fewest additions: windows * (count + row length). At most 15 bits: a row of 1.5 MB.
int choose_bits(std::size_t count) {
  int best = least_bits;
  const auto cost = [&](int bits) {
    return static_cast<std::size_t>(windows_of(bits)) * (count + (std::size_t{1} << (bits - 1)));
  };
  for (int bits = least_bits + 1; bits <= most_bits; ++bits)
    if (cost(bits) < cost(best))
      best = bits;
  return best;
}

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

// Digits in [-2^(bits - 1), 2^(bits - 1)], lowest first, `stride` apart.
void write_digits(const fr& scalar, int bits, int windows, std::int32_t* out, std::size_t stride) {
  const auto k = centered(scalar);
  const std::int32_t half = std::int32_t{1} << (bits - 1), sign = k.negative ? -1 : 1;
  std::int32_t carry = 0;
  for (int j = 0; j < windows; ++j) {
    const int at = j * bits, word = at / 64, shift = at % 64;
    std::uint64_t v = word < 4 ? k.magnitude.limb[word] >> shift : 0;
    if (shift + bits > 64 && word < 3)
      v |= k.magnitude.limb[word + 1] << (64 - shift);
    std::int32_t d = static_cast<std::int32_t>(v & (2 * static_cast<std::uint64_t>(half) - 1)) + carry;
    carry = d > half;
    d -= carry ? 2 * half : 0;
    out[j * stride] = sign * d;
  }
}

} // namespace

template <class F>
fixed_base<F>::fixed_base(const affine<F>& base, std::size_t count, thread_pool& pool)
  : bits_(choose_bits(count)), windows_(windows_of(bits_)), table_(static_cast<std::size_t>(windows_) << (bits_ - 1)) {
  std::vector<jacobian<F>> powers(windows_);
  auto power = jacobian<F>::from(base);
  for (auto& p : powers) {
    p = power;
    for (int i = 0; i < bits_; ++i)
      power = power.doubled();
  }
  std::vector<affine<F>> first(windows_);
  batch_to_affine(std::span<const jacobian<F>>(powers), std::span(first));
  pool.parallel_for(windows_, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j)
      fill_row(j, first[j]);
  });
}

template <class F>
std::span<const affine<F>> fixed_base<F>::row(int window) const {
  const std::size_t length = std::size_t{1} << (bits_ - 1);
  return std::span(table_).subspan(static_cast<std::size_t>(window) * length, length);
}

// P, 2 P, ..: with the first n multiples known, the next n are those plus n P.
template <class F>
void fixed_base<F>::fill_row(std::size_t window, const affine<F>& first) {
  const std::size_t length = std::size_t{1} << (bits_ - 1);
  const auto out = std::span(table_).subspan(window * length, length);
  affine_batch<F> batch(chunk);
  out[0] = first;
  for (std::size_t known = 1; known < length; known *= 2) {
    const affine<F> last = out[known - 1];
    std::copy_n(out.begin(), known, out.begin() + known);
    for (std::size_t at = 0; at < known; at += chunk)
      batch.add(out.subspan(known + at, std::min(chunk, known - at)), [&](std::size_t) {
        return signed_point<F>{&last, false};
      });
  }
}

template <class F>
void fixed_base<F>::multiply_chunk(std::span<const fr> scalars, std::span<affine<F>> out, affine_batch<F>& batch,
                                   std::vector<std::int32_t>& digits) const {
  const std::size_t n = scalars.size();
  for (std::size_t i = 0; i < n; ++i)
    write_digits(scalars[i], bits_, windows_, digits.data() + i, n);
  std::fill(out.begin(), out.end(), affine<F>::infinity());
  for (int j = 0; j < windows_; ++j) {
    const auto entries = row(j);
    const std::int32_t* d = digits.data() + static_cast<std::size_t>(j) * n;
    batch.add(out, [&](std::size_t i) {
      return d[i] == 0 ? signed_point<F>{} : signed_point<F>{&entries[std::abs(d[i]) - 1], d[i] < 0};
    });
  }
}

template <class F>
void fixed_base<F>::multiply(std::span<const fr> scalars, std::span<affine<F>> out, thread_pool& pool) const {
  constexpr std::size_t piece = 8 * chunk;
  pool.parallel_for(scalars.size(), piece, [&](std::size_t begin, std::size_t end) {
    affine_batch<F> batch(chunk);
    std::vector<std::int32_t> digits(chunk * windows_);
    for (std::size_t at = begin; at < end; at += chunk) {
      const std::size_t n = std::min(chunk, end - at);
      multiply_chunk(scalars.subspan(at, n), out.subspan(at, n), batch, digits);
    }
  });
}

template <class F>
affine<F> fixed_base<F>::multiply(const fr& scalar) const {
  std::vector<std::int32_t> digits(windows_);
  write_digits(scalar, bits_, windows_, digits.data(), 1);
  auto sum = jacobian<F>::infinity();
  for (int j = 0; j < windows_; ++j)
    if (const auto d = digits[j])
      sum += d > 0 ? row(j)[d - 1] : -row(j)[-d - 1];
  return sum.to_affine();
}

template class fixed_base<fp>;
template class fixed_base<fp2>;

} // namespace cuzk
