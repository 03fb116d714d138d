#include "math/msm_digits.hpp"

#include <cmath>
#include <limits>

namespace cuzk {

msm_windows choose_windows(std::size_t n, std::size_t max_bucket_count) {
  msm_windows best{2, 128};
  double least = std::numeric_limits<double>::max();
  for (int bits = 2; bits <= 20; ++bits) {
    const msm_windows w{bits, (255 + bits - 1) / bits};
    const double buckets = static_cast<double>(w.buckets());
    if (bits > 2 && buckets * w.count > static_cast<double>(max_bucket_count))
      break;
    // The weights of the rows and columns are plain additions, about twelve times as dear.
    const double cost = w.count * (static_cast<double>(n) + 2 * buckets + 50 * std::sqrt(buckets));
    if (cost < least) {
      least = cost;
      best = w;
    }
  }
  return best;
}

namespace {

bool above_half(const big_int<4>& k) {
  // (r - 1) / 2
  constexpr big_int<4> half{{0x7fffffff80000000, 0xa9ded2017fff2dff, 0x199cec0404d0ec02, 0x39f6d3a994cebea4}};
  for (int i = 3; i >= 0; --i)
    if (k.limb[i] != half.limb[i])
      return k.limb[i] > half.limb[i];
  return false;
}

std::uint32_t bits_at(const big_int<4>& k, int at, int count) {
  const int word = at / 64, shift = at % 64;
  std::uint64_t out = word < 4 ? k.limb[word] >> shift : 0;
  if (shift + count > 64 && word + 1 < 4)
    out |= k.limb[word + 1] << (64 - shift);
  return static_cast<std::uint32_t>(out & ((std::uint64_t{1} << count) - 1));
}

} // namespace

void signed_digits(const fr& k, const msm_windows& windows, std::int32_t* digits, std::size_t stride) {
  auto value = k.to_int();
  const bool negative = above_half(value);
  if (negative)
    value = (-k).to_int();
  const std::int32_t half = std::int32_t{1} << (windows.bits - 1);
  std::int32_t carry = 0;
  for (int w = 0; w < windows.count; ++w) {
    std::int32_t digit = static_cast<std::int32_t>(bits_at(value, w * windows.bits, windows.bits)) + carry;
    carry = digit > half;
    digit -= carry * 2 * half;
    digits[static_cast<std::size_t>(w) * stride] = negative ? -digit : digit;
  }
}

} // namespace cuzk
