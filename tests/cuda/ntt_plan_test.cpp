// Passes of transforms: every element is read and written once, and the passes together are the transform.
#include "cuda/ntt/plan.hpp"
#include "math/field.hpp"
#include "tests/support/catch.hpp"

#include <vector>

using namespace cuzk;
using namespace cuzk::cuda;

namespace {

fr root(int lg) {
  const std::uint64_t e[4] = {0xfffe5bfeffffffff, 0x09a1d80553bda402, 0x299d7d483339d808, 0x0000000073eda753};
  fr w = fr::from_u64(7).pow(e, 4);
  for (int i = 32; i > lg; --i)
    w = w.square();
  return w;
}

std::vector<fr> powers(fr base, std::size_t n) {
  std::vector<fr> out{fr::one()};
  while (out.size() < n)
    out.push_back(out.back() * base);
  return out;
}

/// What a pass does, by the definition of a transform of its rows.
std::vector<fr> run_pass(const ntt_pass& p, int lg, const std::vector<fr>& in) {
  std::vector<fr> out(in.size(), fr::zero());
  const std::size_t rows = std::size_t(1) << p.bits, columns = std::size_t(1) << p.columns_lg;
  const auto row_roots = powers(root(p.bits), rows), span_roots = powers(root(p.span_lg), std::size_t(1) << p.span_lg);
  for (std::size_t tile = 0; tile < p.tiles; ++tile) {
    const ntt_place at = place_of_tile(p, lg, tile);
    for (std::size_t c = 0; c < columns; ++c)
      for (std::size_t k = 0; k < rows; ++k) {
        fr sum = fr::zero();
        for (std::size_t r = 0; r < rows; ++r)
          sum += in[at.base + r * at.row + c * at.column] * row_roots[r * k % rows];
        const std::size_t twiddle = p.last ? 0 : (at.first_column + c) * k;
        out[at.out_base + k * at.out_row + c * at.out_column] = sum * span_roots[twiddle];
      }
  }
  return out;
}

} // namespace

TEST_CASE("every_size_has_passes_whose_bits_add_up") {
  for (int most : {7, 8, 9})
    for (int lg = 1; lg <= max_ntt_lg; ++lg) {
      CAPTURE(lg, most);
      const auto plan = plan_ntt(lg, table_lg, most);
      REQUIRE(plan);
      int bits = 0;
      for (const ntt_pass& p : plan->passes) {
        CHECK(p.bits >= 1);
        CHECK(p.bits <= most);
        CHECK(p.weight_lg == bits);
        CHECK(p.last == (&p == &plan->passes.back()));
        CHECK(p.shared_bytes <= (std::size_t(most == 9 ? 72 : 48) << 10));
        CHECK(p.threads <= 256);
        CHECK(p.tiles << (p.bits + p.columns_lg) == plan->size());
        bits += p.bits;
      }
      CHECK(bits == lg);
      CHECK(plan->passes.size() == std::size_t((lg + most - 1) / most));
    }
}

TEST_CASE("a_pass_reads_and_writes_every_element_once") {
  for (int lg = 1; lg <= 22; ++lg) {
    CAPTURE(lg);
    const auto plan = plan_ntt(lg, table_lg, lg > 20 ? 7 : max_pass_bits);
    REQUIRE(plan);
    for (const ntt_pass& p : plan->passes) {
      std::vector<std::uint8_t> read(plan->size(), 0), written(plan->size(), 0);
      for (std::size_t tile = 0; tile < p.tiles; ++tile) {
        const ntt_place at = place_of_tile(p, lg, tile);
        for (std::size_t i = 0; i < std::size_t(1) << (p.bits + p.columns_lg); ++i) {
          const std::size_t c = i & ((1u << p.columns_lg) - 1), r = i >> p.columns_lg;
          ++read[at.base + r * at.row + c * at.column];
          ++written[at.out_base + r * at.out_row + c * at.out_column];
        }
      }
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < plan->size(); ++i)
        wrong += read[i] != 1 || written[i] != 1;
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("the_last_pass_of_three_and_four_writes_digits_in_reverse") {
  for (int lg : {27, 28}) {
    CAPTURE(lg);
    const auto plan = plan_ntt(lg);
    REQUIRE(plan);
    const ntt_pass& last = plan->passes.back();
    for (std::size_t tile : {std::size_t(0), std::size_t(1), last.tiles / 3, last.tiles - 1}) {
      const ntt_place at = place_of_tile(last, lg, tile);
      // read the digits off the input place, lowest pass first
      std::size_t place = at.base >> last.bits, want = 0;
      for (std::size_t i = plan->passes.size() - 1; i-- > 0;) {
        const ntt_pass& p = plan->passes[i];
        want |= (place & ((std::size_t(1) << p.bits) - 1)) << p.weight_lg;
        place >>= p.bits;
      }
      CHECK(at.out_base == want);
    }
  }
}

TEST_CASE("the_passes_together_are_the_transform") {
  for (int lg : {1, 2, 5, 9, 10, 11}) {
    CAPTURE(lg);
    const auto plan = plan_ntt(lg);
    REQUIRE(plan);
    std::vector<fr> data;
    for (std::size_t i = 0; i < plan->size(); ++i)
      data.push_back(fr::from_u64(i * i + 3).square());
    std::vector<fr> values = data;
    for (const ntt_pass& p : plan->passes)
      values = run_pass(p, lg, values);
    const auto w = powers(root(lg), plan->size());
    for (std::size_t k = 0; k < plan->size(); k += 1 + plan->size() / 37) {
      fr want = fr::zero();
      for (std::size_t j = 0; j < plan->size(); ++j)
        want += data[j] * w[j * k % plan->size()];
      CHECK(values[k] == want);
    }
  }
}

TEST_CASE("sizes_out_of_range_are_refused") {
  CHECK(plan_ntt(20, table_lg, 6).err().code == errc::bad_input);
  CHECK(plan_ntt(20, table_lg, 10).err().code == errc::bad_input);
  for (int lg : {-1, 0, 29, 64}) {
    const auto plan = plan_ntt(lg);
    REQUIRE_FALSE(plan);
    CHECK(plan.err().code == errc::bad_input);
  }
}
