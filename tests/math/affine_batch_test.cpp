// Batched affine additions against single Jacobian ones, every kind of pair among them.
#include "math/affine_batch.hpp"
#include "math/generators.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;

namespace {

template <class F>
std::vector<affine<F>> multiples(std::size_t n) {
  std::vector<affine<F>> out;
  auto p = jacobian<F>::from(generator<F>());
  for (std::size_t i = 0; i < n; ++i, p += generator<F>())
    out.push_back(p.to_affine());
  return out;
}

} // namespace

TEMPLATE_TEST_CASE("a batch of additions equals single additions, whatever the pairs", "", fp, fp2) {
  using F = TestType;
  const auto points = multiples<F>(12);
  std::vector<affine<F>> all = points;
  all.push_back(affine<F>::infinity());
  // All pairs: equal and opposite ones, infinity on either side and on both; each with both signs.
  std::vector<affine<F>> sums, expected;
  std::vector<signed_point<F>> terms;
  for (const auto& a : all)
    for (const auto& b : all)
      for (const bool negative : {false, true}) {
        sums.push_back(a);
        terms.push_back({&b, negative});
        expected.push_back((jacobian<F>::from(a) + (negative ? -b : b)).to_affine());
      }
  sums.push_back(points[3]);
  terms.push_back({});
  expected.push_back(points[3]);
  affine_batch<F> batch(sums.size());
  batch.add(std::span(sums), [&](std::size_t i) { return terms[i]; });
  CHECK(sums == expected);
}

TEMPLATE_TEST_CASE("a batch may be empty or smaller than its capacity", "", fp, fp2) {
  using F = TestType;
  affine_batch<F> batch(8);
  const auto points = multiples<F>(3);
  batch.add(std::span<affine<F>>(), [&](std::size_t) { return signed_point<F>{}; });
  std::vector<affine<F>> sums = {points[0], affine<F>::infinity()};
  batch.add(std::span(sums), [&](std::size_t) { return signed_point<F>{&points[1], false}; });
  CHECK(sums[0] == points[2]);
  CHECK(sums[1] == points[1]);
}

TEMPLATE_TEST_CASE("a batch of nothing but settled pairs needs no inversion", "", fp, fp2) {
  using F = TestType;
  affine_batch<F> batch(4);
  const auto p = generator<F>();
  std::vector<affine<F>> sums = {p, p, affine<F>::infinity(), affine<F>::infinity()};
  const auto infinity = affine<F>::infinity();
  const signed_point<F> terms[] = {{&p, true}, {&infinity, false}, {&infinity, true}, {}};
  batch.add(std::span(sums), [&](std::size_t i) { return terms[i]; });
  CHECK(sums[0].is_infinity());
  CHECK(sums[1] == p);
  CHECK(sums[2].is_infinity());
  CHECK(sums[3].is_infinity());
}
