// Fixed-base tables against plain double and add.
#include "math/fixed_base.hpp"
#include "math/generators.hpp"
#include "tests/math/math_vectors.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;
using namespace cuzk::test;

namespace {

template <class F>
affine<F> times(const affine<F>& p, const fr& k) {
  return jacobian<F>::from(p).times(k).to_affine();
}

// 0, 1, r - 1 and neighbours, powers of two and what is around them, then values of every size.
std::vector<fr> scalars(std::size_t n) {
  std::vector<fr> out = {fr::zero(), fr::one(), -fr::one(), fr::from_u64(2), -fr::from_u64(2)};
  fr power = fr::one();
  for (int i = 0; i < 256; i += 5) {
    out.push_back(power);
    out.push_back(power - fr::one());
    out.push_back(-power);
    power *= fr::from_u64(32);
  }
  fr x = fr::from_u64(5);
  while (out.size() < n)
    out.push_back(x = x.square() + fr::from_u64(3));
  out.resize(n);
  return out;
}

} // namespace

TEMPLATE_TEST_CASE("a table gives the same multiples as double and add", "", fp, fp2) {
  using F = TestType;
  thread_pool pool(2);
  const auto base = times(generator<F>(), fr::from_u64(12345));
  for (const std::size_t count : {1, 200, 5000}) {
    const fixed_base<F> table(base, count, pool);
    const auto k = scalars(std::min<std::size_t>(count, 300));
    std::vector<affine<F>> out(k.size(), base);
    table.multiply(k, std::span(out), pool);
    for (std::size_t i = 0; i < k.size(); ++i) {
      INFO(count << " " << i);
      CHECK(out[i] == times(base, k[i]));
    }
    CHECK(table.multiply(k.back()) == out.back());
  }
}

TEMPLATE_TEST_CASE("no scalars give no points", "", fp, fp2) {
  using F = TestType;
  thread_pool pool(2);
  const fixed_base<F> table(generator<F>(), 0, pool);
  table.multiply({}, std::span<affine<F>>(), pool);
  CHECK(table.multiply(fr::zero()).is_infinity());
}

TEMPLATE_TEST_CASE("a table of the point at infinity gives infinity", "", fp, fp2) {
  using F = TestType;
  thread_pool pool(1);
  const fixed_base<F> table(affine<F>::infinity(), 10, pool);
  std::vector<affine<F>> out(10, generator<F>());
  table.multiply(scalars(10), std::span(out), pool);
  for (const auto& p : out)
    CHECK(p.is_infinity());
}
