#pragma once
// How a multi-scalar multiplication is cut up: windows, groups of windows, places in the scratch memory. Pure
// arithmetic, no GPU. C++17.
#include "runtime/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cuzk::cuda {

enum class curve_group : std::uint8_t { g1, g2 };

inline constexpr int max_msm_windows = 63; ///< four bits at least: the top digit must not overflow
/// A scalar k > r/2 is replaced by r - k: 254 bits, and one more for the signed top digit.
inline constexpr int msm_scalar_bits = 255;

struct msm_options {
  curve_group group = curve_group::g1;
  std::size_t points = 0;                                ///< 1 .. 2^28
  int multiprocessors = 132;                             ///< of the device
  std::size_t max_scratch_bytes = std::size_t(64) << 30; ///< more windows at once where they fit
  int windows = 0;                                       ///< 0: chosen from the size
};

/// Signed digits of a window: width bits, values -2^(width-1) .. 2^(width-1) - 1, a bucket for every absolute value.
struct msm_windows {
  int count = 0;
  int width[max_msm_windows] = {};
  int offset[max_msm_windows + 1] = {}; ///< lowest bit of the window
  std::uint32_t first_bucket[max_msm_windows + 1] = {};
};

/// A point of the answer: ends[end] counts 2^bit times.
struct msm_term {
  int bit;
  int end;
};

/// Byte offsets in the scratch memory. Sort arrays and folded buckets lie where the tree lies at other times.
struct msm_memory {
  std::size_t keys = 0, values = 0, sort_temp = 0;   ///< sorting
  std::size_t tree = 0;                              ///< what is left of the buckets
  std::size_t rows[2] = {}, columns[2] = {};         ///< bucket sets folded once, twice, ..
  std::size_t pairs = 0, bucket_of[2] = {}, odd = 0; ///< additions of a level, points without a partner
  std::size_t begin = 0, count = 0, place = 0, slots[3] = {}, partial = 0;
  std::size_t sums = 0, ends = 0, prefix = 0, counters = 0;
  std::size_t sort_temp_bytes = 0;
  std::size_t total = 0;
};

struct msm_plan {
  msm_options options;
  msm_windows windows;
  int at_once = 0;         ///< windows of a group
  bool joint_sort = false; ///< one sort for the group instead of one a window
  std::uint32_t max_group_buckets = 0;
  std::size_t max_slots = 0; ///< additions of the first level of a group, at most
  std::size_t tree_points = 0;
  int levels = 0;     ///< enough for one bucket with every point
  int piece_bits = 0; ///< log2 of the smallest window's buckets: the unit of weighing
  int fold_low = 0;   ///< columns of a piece: 2^fold_low; rows: 2^(piece_bits - fold_low)
  std::uint32_t pieces = 0;
  std::uint32_t grid = 0;  ///< blocks of the addition kernel
  std::uint32_t depth = 0; ///< additions a thread batches, at most
  msm_memory memory;
  std::size_t scratch_bytes = 0;
  std::vector<msm_term> terms;

  int groups() const { return (windows.count + at_once - 1) / at_once; }
  int ends() const { return 2 * static_cast<int>(pieces) * (fold_low == piece_bits ? 1 : 2); }
  std::size_t coordinate_bytes() const { return options.group == curve_group::g1 ? 48 : 96; }
};

/// Blocks of the addition kernel an SM holds, by group: bounded by registers.
constexpr int batch_blocks_per_sm(curve_group group) {
  return group == curve_group::g1 ? 4 : 2;
}

/// Cuts 255 bits into windows that differ by at most one bit, the wider ones first.
msm_windows cut_windows(int count);
/// The count with the fewest additions: one a point and window, two and a half a bucket.
int best_window_count(std::size_t points);
/// Errors: bad_input (size out of range, window count), resources (needs more than max_scratch_bytes).
result<msm_plan> plan_msm(const msm_options& options);

} // namespace cuzk::cuda
