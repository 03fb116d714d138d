#pragma once
// From scalars to lists of additions: digits, sorting by bucket, slots of every level of the bucket trees. The same for
// both groups. Device pointers; no CUDA header.
#include "cuda/device/memory.hpp"
#include "cuda/msm/plan.hpp"
#include "math/field.hpp"

namespace cuzk::cuda {

/// The point of an odd bucket that has no partner in the first level.
struct odd_point {
  std::uint32_t bucket, value;
};

/// The arrays of plan.memory as pointers.
struct msm_arrays {
  std::uint32_t *keys, *values, *pairs, *bucket_of[2], *begin, *count, *place, *slots[3], *partial;
  std::uint32_t* largest; ///< points of the fullest bucket
  std::uint32_t* tickets; ///< one a launch of the addition kernel
  std::byte* sort_temp;
  odd_point* odd;
};

msm_arrays arrays_of(const msm_plan& plan, std::byte* scratch);

/// A run of sorted digits: all windows of a group, or one.
struct sorted_part {
  const std::uint32_t* keys;
  const std::uint32_t* values;
  std::size_t entries;
  std::uint32_t first_bucket, buckets; ///< in the group; a key is relative to first_bucket
};

/// Windows [first, end) of all scalars, sorted and listed. Afterwards slots[0] has the places of the first level's
/// additions, `pairs` and bucket_of[0] say what they are, `place` where a bucket's points go in the tree, and `odd`
/// which points have no partner: place[buckets] - slots[0][buckets] of them. The sort arrays are free again. Throws.
void list_group(const msm_plan& plan, const msm_arrays& a, const fr* scalars, int first, int end, stream_handle s);

/// slots[slot_array(level)] = places of that level's additions, unless no bucket is that full. Throws.
void scan_level(const msm_arrays& a, std::uint32_t buckets, int level, stream_handle s);

/// The first level's slots keep their array: later levels alternate.
constexpr int slot_array(int level) {
  return level == 0 ? 0 : 1 + (level & 1);
}

} // namespace cuzk::cuda
