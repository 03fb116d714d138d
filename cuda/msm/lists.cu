// Digits, sorting and lists: launches.
#include "cuda/check.cuh"
#include "cuda/msm/lists.cuh"

#include <cub/device/device_radix_sort.cuh>

namespace cuzk::cuda {
namespace {

u32 blocks_for(std::size_t n) {
  const std::size_t blocks = (n + list_threads - 1) / list_threads;
  return static_cast<u32>(std::min<std::size_t>(std::max<std::size_t>(blocks, 1), 132 * 16));
}

digit_output digits_of(const msm_plan& plan, const msm_arrays& a, int first, int end) {
  digit_output out{};
  out.windows = plan.windows;
  for (int w = 0; w < plan.windows.count; ++w) {
    const int bit = plan.windows.offset[w] + plan.windows.width[w] - 1;
    out.bias[bit / 32] |= 1u << (bit % 32);
  }
  out.first = first;
  out.end = end;
  out.stride = plan.options.points;
  out.joint = plan.joint_sort;
  out.group_buckets = plan.windows.first_bucket[end] - plan.windows.first_bucket[first];
  out.keys = a.keys;
  out.values = a.values;
  return out;
}

int bits_to_hold(u32 value) {
  int bits = 0;
  while (bits < 32 && value >> bits != 0)
    ++bits;
  return bits;
}

/// Sorts `n` pairs by key. Afterwards the sorted ones lie in `in` or in `spare`; returns whether in `spare`.
bool sort_pairs(const msm_plan& plan, const msm_arrays& a, std::size_t in, std::size_t spare, std::size_t n, int bits,
                stream_handle s) {
  cub::DoubleBuffer<u32> keys(a.keys + in, a.keys + spare), values(a.values + in, a.values + spare);
  std::size_t bytes = 0;
  check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, values, n, 0, bits, s), "sizing a sort");
  if (bytes > plan.memory.sort_temp_bytes)
    throw failure(internal_error("sorting " + std::to_string(n) + " pairs needs " + std::to_string(bytes) +
                                 " bytes, planned were " + std::to_string(plan.memory.sort_temp_bytes)));
  check(cub::DeviceRadixSort::SortPairs(a.sort_temp, bytes, keys, values, n, 0, bits, s), "sorting digits");
  return keys.Current() == a.keys + spare;
}

void scan(const msm_arrays& a, u32 buckets, int level, u32* out, stream_handle s) {
  const u32 tiles = (buckets + 1 + scan_tile - 1) / scan_tile;
  scan_sums<<<tiles, list_threads, 0, s>>>(a.count, buckets, level, a.largest, a.partial);
  scan_partials<<<1, 1024, 0, s>>>(a.partial, tiles, level, a.largest);
  scan_write<<<tiles, list_threads, 0, s>>>(a.count, buckets, level, a.largest, a.partial, out);
  check_launch("scanning buckets");
}

} // namespace

msm_arrays arrays_of(const msm_plan& plan, std::byte* scratch) {
  const auto words = [&](std::size_t offset) { return reinterpret_cast<u32*>(scratch + offset); };
  const msm_memory& m = plan.memory;
  msm_arrays a{};
  a.keys = words(m.keys);
  a.values = words(m.values);
  a.pairs = words(m.pairs);
  a.begin = words(m.begin);
  a.count = words(m.count);
  a.place = words(m.place);
  a.partial = words(m.partial);
  for (int i = 0; i < 2; ++i)
    a.bucket_of[i] = words(m.bucket_of[i]);
  for (int i = 0; i < 3; ++i)
    a.slots[i] = words(m.slots[i]);
  a.largest = words(m.counters);
  a.tickets = words(m.counters) + 64;
  a.sort_temp = scratch + m.sort_temp;
  a.odd = reinterpret_cast<odd_point*>(scratch + m.odd);
  return a;
}

void list_group(const msm_plan& plan, const msm_arrays& a, const fr* scalars, int first, int end, stream_handle s) {
  const std::size_t n = plan.options.points;
  const u32 base = plan.windows.first_bucket[first], buckets = plan.windows.first_bucket[end] - base;
  split_scalars<<<blocks_for(n), list_threads, 0, s>>>(scalars, static_cast<u32>(n), digits_of(plan, a, first, end));
  check_launch("splitting scalars");
  check(cudaMemsetAsync(a.begin, 0, 4 * std::size_t(buckets), s), "clearing buckets");
  check(cudaMemsetAsync(a.count, 0, 4 * std::size_t(buckets), s), "clearing buckets");
  check(cudaMemsetAsync(a.largest, 0, 4, s), "clearing buckets");
  sorted_part parts[max_msm_windows];
  int made = 0;
  if (plan.joint_sort) {
    const std::size_t entries = n * (end - first);
    const bool moved = sort_pairs(plan, a, 0, entries, entries, bits_to_hold(buckets), s);
    const std::size_t at = moved ? entries : 0;
    parts[made++] = {a.keys + at, a.values + at, entries, 0, buckets};
  } else {
    std::size_t spare = n * plan.at_once;
    for (int w = first; w < end; ++w) {
      const std::size_t in = (w - first) * n;
      const bool moved = sort_pairs(plan, a, in, spare, n, plan.windows.width[w], s);
      const std::size_t at = moved ? spare : in;
      parts[made++] = {a.keys + at, a.values + at, n, plan.windows.first_bucket[w] - base,
                       1u << (plan.windows.width[w] - 1)};
      spare = moved ? in : spare;
    }
  }
  for (int i = 0; i < made; ++i)
    find_buckets<<<blocks_for(parts[i].entries), list_threads, 0, s>>>(
      parts[i].keys, parts[i].entries, parts[i].buckets, a.begin + parts[i].first_bucket,
      a.count + parts[i].first_bucket);
  count_buckets<<<blocks_for(buckets), list_threads, 0, s>>>(a.begin, a.count, buckets, a.largest);
  check_launch("finding buckets");
  scan(a, buckets, -1, a.place, s);
  scan(a, buckets, 0, a.slots[0], s);
  for (int i = 0; i < made; ++i)
    list_pairs<<<blocks_for(parts[i].entries), list_threads, 0, s>>>(parts[i], a);
  check_launch("listing additions");
}

void scan_level(const msm_arrays& a, u32 buckets, int level, stream_handle s) {
  scan(a, buckets, level, a.slots[slot_array(level)], s);
}

} // namespace cuzk::cuda
