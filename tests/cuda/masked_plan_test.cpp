// Memory and levels of masked sums.
#include "cuda/masked/masked.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;
using namespace cuzk::cuda;

TEST_CASE("a_masked_sum_ends_in_one_block") {
  for (curve_group group : {curve_group::g1, curve_group::g2})
    for (int lg = 0; lg <= 28; ++lg) {
      CAPTURE(lg);
      const std::size_t points = std::size_t(1) << lg;
      const auto plan = plan_masked(group, points, 132);
      REQUIRE(plan);
      std::size_t left = (points + 1) / 2;
      for (int i = 0; i < plan->levels; ++i)
        left = (left + 1) / 2;
      CHECK(left <= 512);
      CHECK(plan->levels < 62); // counters
      CHECK(plan->list < plan->tree);
      CHECK(plan->tree < plan->partial);
      CHECK(plan->end < plan->scratch_bytes);
    }
}

TEST_CASE("sizes_out_of_range_have_no_plan") {
  CHECK(plan_masked(curve_group::g1, 0, 132).err().code == errc::bad_input);
  CHECK(plan_masked(curve_group::g2, (std::size_t(1) << 28) + 1, 132).err().code == errc::bad_input);
  CHECK(plan_masked(curve_group::g1, 10, 0).err().code == errc::bad_input);
}
