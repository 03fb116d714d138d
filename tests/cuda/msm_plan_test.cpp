// Windows, weights and memory of multi-scalar multiplications.
#include "cuda/msm/plan.hpp"
#include "math/field.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>

using namespace cuzk;
using namespace cuzk::cuda;

namespace {

msm_options options(std::size_t points, curve_group group = curve_group::g1, int windows = 0) {
  msm_options o;
  o.group = group;
  o.points = points;
  o.windows = windows;
  return o;
}

fr power_of_two(int bit) {
  return fr::from_u64(2).pow(static_cast<std::uint64_t>(bit));
}

/// What the device computes from the buckets, with field elements in place of points: both sums of every vector.
std::vector<fr> ends_of(const msm_plan& p, const std::vector<fr>& buckets) {
  std::vector<fr> ends(p.ends(), fr::zero());
  const std::size_t piece = std::size_t(1) << p.piece_bits, columns = std::size_t(1) << p.fold_low;
  const bool rows = p.fold_low != p.piece_bits;
  for (std::size_t b = 0; b < buckets.size(); ++b) {
    const std::size_t of = b / piece, row = b % piece / columns, column = b % columns;
    const std::size_t at = 2 * (rows ? p.pieces + of : of);
    ends[at] += buckets[b] * fr::from_u64(column);
    ends[at + 1] += buckets[b];
    if (rows) {
      ends[2 * of] += buckets[b] * fr::from_u64(row);
      ends[2 * of + 1] += buckets[b];
    }
  }
  return ends;
}

} // namespace

TEST_CASE("windows_cover_the_scalar_and_differ_by_one_bit") {
  for (int count = 10; count <= max_msm_windows; ++count) {
    CAPTURE(count);
    const msm_windows w = cut_windows(count);
    CHECK(w.offset[count] == msm_scalar_bits);
    for (int i = 0; i < count; ++i) {
      CHECK(w.offset[i + 1] - w.offset[i] == w.width[i]);
      CHECK(w.width[i] >= 4);
      CHECK(w.width[0] - w.width[i] <= 1);
      CHECK(w.first_bucket[i + 1] - w.first_bucket[i] == 1u << (w.width[i] - 1));
    }
  }
}

TEST_CASE("the_bias_never_overflows_the_top_digit") {
  // (r - 1) / 2 is the largest scalar left after the fold of signs; its top 64 bits bound the sum.
  const double half_order = 0x39f6d3a994cebea4 / 18446744073709551616.0; // of 2^256
  for (int count = 10; count <= max_msm_windows; ++count) {
    CAPTURE(count);
    const msm_windows w = cut_windows(count);
    double bias = 0;
    for (int i = 0; i < count; ++i)
      bias += std::ldexp(1.0, w.offset[i] + w.width[i] - 1 - 256);
    CHECK(half_order + bias < 0.5); // 2^255
  }
}

TEST_CASE("terms_weigh_the_buckets") {
  for (int count : {10, 16, 20, 28, 40, 63}) {
    CAPTURE(count);
    const auto plan = plan_msm(options(1000, curve_group::g1, std::max(count, 16)));
    REQUIRE(plan);
    const std::size_t all = plan->windows.first_bucket[plan->windows.count];
    std::vector<fr> buckets(all);
    fr want = fr::zero(), x = fr::from_u64(5);
    for (int w = 0; w < plan->windows.count; ++w)
      for (std::uint32_t b = plan->windows.first_bucket[w]; b < plan->windows.first_bucket[w + 1]; ++b) {
        x = x * x + fr::one();
        buckets[b] = x;
        want += x * fr::from_u64(b - plan->windows.first_bucket[w] + 1) * power_of_two(plan->windows.offset[w]);
      }
    const std::vector<fr> ends = ends_of(*plan, buckets);
    fr got = fr::zero();
    for (const msm_term& t : plan->terms)
      got += ends.at(t.end) * power_of_two(t.bit);
    CHECK(got == want);
    CHECK(std::is_sorted(plan->terms.begin(), plan->terms.end(), [](auto& a, auto& b) { return a.bit > b.bit; }));
  }
}

TEST_CASE("every_size_fits_the_memory_allowed") {
  for (curve_group group : {curve_group::g1, curve_group::g2})
    for (int lg = 0; lg <= 28; ++lg)
      for (std::size_t points : {std::size_t(1) << lg, (std::size_t(1) << lg) * 3 / 4 + 1}) {
        CAPTURE(lg, points);
        const auto plan = plan_msm(options(points, group));
        REQUIRE(plan);
        CHECK(plan->scratch_bytes <= plan->options.max_scratch_bytes);
        CHECK(points * plan->at_once < (std::size_t(1) << 31));
        CHECK(plan->groups() * plan->at_once >= plan->windows.count);
        CHECK((std::size_t(1) << plan->levels) >= points);
        CHECK(plan->depth >= 8);
      }
}

TEST_CASE("areas_that_live_together_do_not_overlap") {
  for (std::size_t points : {std::size_t(1), std::size_t(777), std::size_t(1) << 20, std::size_t(1) << 27}) {
    CAPTURE(points);
    const auto plan = plan_msm(options(points));
    REQUIRE(plan);
    const msm_memory& m = plan->memory;
    std::vector<std::size_t> starts{m.pairs,   m.bucket_of[0], m.bucket_of[1], m.odd,      m.begin,
                                    m.count,   m.place,        m.slots[0],     m.slots[1], m.slots[2],
                                    m.partial, m.sums,         m.ends,         m.prefix,   m.counters};
    CHECK(std::is_sorted(starts.begin(), starts.end()));
    const std::size_t tree_end = m.tree + plan->tree_points * 96;
    CHECK(tree_end <= m.pairs);
    CHECK(m.sort_temp + m.sort_temp_bytes <= m.pairs);
    CHECK(m.columns[1] < m.pairs);
    CHECK(m.keys < m.values);
    CHECK(m.values < m.sort_temp);
    for (std::size_t s : starts)
      CHECK(s % 256 == 0);
  }
}

TEST_CASE("what_cannot_be_planned_is_refused") {
  CHECK(plan_msm(options(0)).err().code == errc::bad_input);
  CHECK(plan_msm(options((std::size_t(1) << 28) + 1)).err().code == errc::bad_input);
  CHECK(plan_msm(options(100, curve_group::g1, 9)).err().code == errc::bad_input);
  CHECK(plan_msm(options(100, curve_group::g1, 64)).err().code == errc::bad_input);
  msm_options small = options(std::size_t(1) << 20);
  small.max_scratch_bytes = 1 << 20;
  CHECK(plan_msm(small).err().code == errc::resources);
  small.multiprocessors = 0;
  CHECK(plan_msm(small).err().code == errc::bad_input);
}
