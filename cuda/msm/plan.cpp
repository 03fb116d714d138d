#include "cuda/msm/plan.hpp"

#include <algorithm>
#include <string>

namespace cuzk::cuda {
namespace {

constexpr std::size_t alignment = 256;
constexpr std::size_t max_points = std::size_t(1) << 28;
// A bucket of weights costs two additions in the folds, and a little for shorter launches.
constexpr double additions_per_bucket = 2.6;
// Vectors up to this length are weighed directly; longer ones are folded into rows and columns first.
constexpr int direct_bits = 8;
constexpr std::size_t joint_sort_entries = std::size_t(1) << 25;

std::size_t aligned(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// Hands out places one after another.
class cursor {
public:
  explicit cursor(std::size_t from) : at_(from) {}
  std::size_t take(std::size_t bytes) {
    const std::size_t here = at_;
    at_ += aligned(bytes);
    return here;
  }
  std::size_t at() const { return at_; }

private:
  std::size_t at_;
};

std::size_t group_buckets(const msm_windows& w, int first, int end) {
  return w.first_bucket[std::min(end, w.count)] - w.first_bucket[first];
}

void size_groups(msm_plan& p) {
  const std::size_t n = p.options.points;
  p.max_group_buckets = 0;
  for (int g = 0; g < p.windows.count; g += p.at_once) {
    const auto buckets = group_buckets(p.windows, g, g + p.at_once);
    p.max_group_buckets = std::max(p.max_group_buckets, static_cast<std::uint32_t>(buckets));
  }
  p.max_slots = n * p.at_once / 2;
  p.tree_points = p.max_slots + std::min<std::size_t>(p.max_group_buckets, n * p.at_once);
  p.joint_sort = p.at_once == p.windows.count && n * p.at_once <= joint_sort_entries;
}

void size_additions(msm_plan& p) {
  const int blocks = batch_blocks_per_sm(p.options.group);
  p.grid = static_cast<std::uint32_t>(p.options.multiprocessors * blocks);
  const std::size_t warps = std::size_t(p.grid) * 4;
  const std::size_t rows = (std::max<std::size_t>(p.max_slots, p.windows.first_bucket[p.windows.count] / 2) + 31) / 32;
  const std::size_t most = p.options.group == curve_group::g1 ? 512 : 256;
  p.depth = static_cast<std::uint32_t>(std::clamp<std::size_t>(rows * 3 / (4 * warps), 8, most));
}

void place_memory(msm_plan& p) {
  const std::size_t n = p.options.points, point = 2 * p.coordinate_bytes(), buckets = p.max_group_buckets;
  const std::size_t all = p.windows.first_bucket[p.windows.count];
  msm_memory& m = p.memory;
  // sorting: a region a window and a spare one
  const std::size_t entries = n * (p.joint_sort ? 2 * p.at_once : p.at_once + 1);
  cursor sorting(0);
  m.keys = sorting.take(4 * entries);
  m.values = sorting.take(4 * entries);
  m.sort_temp_bytes = (std::size_t(2) << 20) + n * (p.joint_sort ? p.at_once : 1) / 4;
  m.sort_temp = sorting.take(m.sort_temp_bytes);
  cursor tree(0);
  m.tree = tree.take(point * p.tree_points);
  cursor folds(0);
  for (auto* sets : {m.rows, m.columns})
    for (int i = 0; i < 2; ++i)
      sets[i] = folds.take(point * (all / (i == 0 ? 2 : 4) + 1));
  cursor rest(std::max({sorting.at(), tree.at(), folds.at()}));
  m.pairs = rest.take(8 * p.max_slots + 8);
  m.bucket_of[0] = rest.take(4 * p.max_slots + 4);
  m.bucket_of[1] = rest.take(4 * (p.max_slots / 2 + 1) + 4);
  m.odd = rest.take(8 * (std::min<std::size_t>(buckets, n * p.at_once) + 1));
  m.begin = rest.take(4 * (buckets + 1));
  m.count = rest.take(4 * (buckets + 1));
  m.place = rest.take(4 * (buckets + 1));
  for (auto& s : m.slots)
    s = rest.take(4 * (buckets + 1));
  m.partial = rest.take(8 * (buckets / 2048 + 2));
  m.sums = rest.take(point * all);
  m.ends = rest.take(p.coordinate_bytes() * 3 * p.ends());
  m.prefix = rest.take(p.coordinate_bytes() * p.depth * p.grid * 128);
  m.counters = rest.take(4096 * 4);
  m.total = p.scratch_bytes = rest.at();
}

/// Where the two sums of each vector enter the answer: sum over buckets b of (base + b + 1) S_b, b = row 2^low +
/// column.
void list_terms(msm_plan& p) {
  const bool rows = p.fold_low != p.piece_bits;
  std::uint32_t piece = 0;
  for (int w = 0; w < p.windows.count; ++w) {
    const std::uint32_t of_window = 1u << (p.windows.width[w] - 1 - p.piece_bits);
    for (std::uint32_t j = 0; j < of_window; ++j, ++piece) {
      const int bit = p.windows.offset[w], column = static_cast<int>(2 * (rows ? p.pieces + piece : piece));
      p.terms.push_back({bit, column});
      p.terms.push_back({bit, column + 1});
      if (rows)
        p.terms.push_back({bit + p.fold_low, static_cast<int>(2 * piece)});
      if (j == 1)
        p.terms.push_back({bit + p.piece_bits, column + 1});
    }
  }
  std::stable_sort(p.terms.begin(), p.terms.end(), [](const auto& a, const auto& b) { return a.bit > b.bit; });
}

} // namespace

msm_windows cut_windows(int count) {
  msm_windows w;
  w.count = count;
  for (int g = 0; g < count; ++g) {
    w.width[g] = msm_scalar_bits / count + (g < msm_scalar_bits % count ? 1 : 0);
    w.offset[g + 1] = w.offset[g] + w.width[g];
    w.first_bucket[g + 1] = w.first_bucket[g] + (1u << (w.width[g] - 1));
  }
  return w;
}

int best_window_count(std::size_t points) {
  int best = max_msm_windows;
  double least = 0;
  for (int count = 10; count <= max_msm_windows; ++count) {
    const double buckets = cut_windows(count).first_bucket[count];
    const double cost = static_cast<double>(points) * count + additions_per_bucket * buckets;
    if (count == 10 || cost < least) {
      least = cost;
      best = count;
    }
  }
  return best;
}

result<msm_plan> plan_msm(const msm_options& options) {
  if (options.points < 1 || options.points > max_points)
    return bad_input("points", "a sum takes 1 to 2^28 points, not " + std::to_string(options.points));
  const int count = options.windows == 0 ? best_window_count(options.points) : options.windows;
  if (count < 10 || count > max_msm_windows)
    return bad_input("windows", "10 to 63 windows, not " + std::to_string(count));
  if (options.multiprocessors < 1)
    return bad_input("multiprocessors", "a device has at least one");
  msm_plan p;
  p.options = options;
  p.windows = cut_windows(count);
  p.piece_bits = p.windows.width[count - 1] - 1;
  p.fold_low = p.piece_bits <= direct_bits ? p.piece_bits : p.piece_bits / 2;
  p.pieces = p.windows.first_bucket[count] >> p.piece_bits;
  for (p.levels = 1; (std::size_t(1) << p.levels) < options.points;)
    ++p.levels;
  // As many windows at once as fit; groups of equal size.
  for (int groups = 1; groups <= count; ++groups) {
    p.at_once = (count + groups - 1) / groups;
    size_groups(p);
    size_additions(p);
    place_memory(p);
    const bool fits_indices = options.points * p.at_once < (std::size_t(1) << 31);
    if (fits_indices && p.scratch_bytes <= options.max_scratch_bytes)
      break;
    if (groups == count)
      return error{errc::resources, "a sum of " + std::to_string(options.points) + " points needs " +
                                      std::to_string(p.scratch_bytes) + " bytes of scratch, allowed are " +
                                      std::to_string(options.max_scratch_bytes)};
  }
  list_terms(p);
  return p;
}

} // namespace cuzk::cuda
