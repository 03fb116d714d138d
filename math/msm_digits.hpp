#pragma once
// Signed windows of scalars.
#include "math/field.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace cuzk {

/// Width and number of the windows of scalars below 2^254 and a sign.
struct msm_windows {
  int bits, count;
  std::size_t buckets() const noexcept { return std::size_t{1} << (bits - 1); }
};

/// The windows that cost least for n points, one addition a point and window and two a bucket.
msm_windows choose_windows(std::size_t n, std::size_t max_bucket_count);

/// Digits of k (or of k - r when that is smaller): digit w in [-2^(bits-1), 2^(bits-1)], sum of digit[w] 2^(bits w).
/// digits[w * stride] for w < windows.count.
void signed_digits(const fr& k, const msm_windows& windows, std::int32_t* digits, std::size_t stride);

} // namespace cuzk
