// Fixed-base tables against plain double and add.
#include "math/fixed_base.hpp"
#include "math/generators.hpp"
#include "tests/math/math_vectors.hpp"
#include "tests/support/catch.hpp"

#include <cstdlib>
#include <set>

using namespace cuzk;
using namespace cuzk::test;

namespace {

template <class F>
affine<F> times(const affine<F>& p, const fr& k) {
  return jacobian<F>::from(p).times(k).to_affine();
}

// The paths that this processor has: with AVX-512 IFMA or without.
std::vector<bool> paths() {
  return cpu().avx512ifma ? std::vector<bool>{false, true} : std::vector<bool>{false};
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
  const auto k = scalars(300);
  std::vector<affine<F>> expected;
  for (const auto& x : k)
    expected.push_back(times(base, x));
  for (const bool ifma : paths())
    for (const std::size_t count : {1, 200, 5000}) {
      INFO(count << " ifma " << ifma);
      const fixed_base<F> table(base, count, pool, ifma);
      const std::size_t n = std::min<std::size_t>(count, 300);
      std::vector<affine<F>> out(n, base);
      table.multiply(std::span(k).first(n), std::span(out), pool);
      CHECK(out == std::vector<affine<F>>(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(n)));
      CHECK(table.multiply(k[n - 1]) == out.back());
      CHECK(table.table_bytes() > 0);
    }
}

TEMPLATE_TEST_CASE("every width of the windows gives the same multiples", "", fp, fp2) {
  using F = TestType;
  thread_pool pool(2);
  const auto k = scalars(150);
  std::set<int> widths;
  for (const bool ifma : paths())
    for (std::size_t count = 1; count < 40000; count *= 3) { // up to 12 bits
      const fixed_base<F> table(generator<F>(), count, pool, ifma);
      widths.insert(table.window_bits());
      std::vector<affine<F>> out(k.size());
      table.multiply(k, std::span(out), pool);
      for (std::size_t i = 0; i < k.size(); i += 7)
        CHECK(out[i] == times(generator<F>(), k[i]));
    }
  CHECK(widths.size() > 6);
}

TEST_CASE("digits add up to the scalar and stay in their range") {
  for (int bits = 3; bits <= 20; ++bits)
    for (const auto& k : scalars(120)) {
      std::vector<std::int32_t> digits(lanes::windows_of(bits));
      lanes::write_digits(k, bits, digits.data(), 1);
      fr sum = fr::zero();
      for (std::size_t j = digits.size(); j-- > 0;) {
        for (int i = 0; i < bits; ++i)
          sum += sum;
        const auto d = fr::from_u64(static_cast<std::uint64_t>(std::abs(digits[j])));
        sum += digits[j] < 0 ? -d : d;
        CHECK(std::abs(digits[j]) <= 1 << (bits - 1));
      }
      CHECK(sum == k);
    }
}

TEMPLATE_TEST_CASE("more scalars than advance together, with a short rest", "", fp, fp2) {
  using F = TestType;
  thread_pool pool(2);
  const auto k = scalars(20011);
  for (const bool ifma : paths()) {
    std::vector<affine<F>> out(k.size());
    fixed_base<F>(generator<F>(), k.size(), pool, ifma).multiply(k, std::span(out), pool);
    for (std::size_t i = 0; i < k.size(); i += 2001)
      CHECK(out[i] == times(generator<F>(), k[i]));
    CHECK(out.back() == times(generator<F>(), k.back()));
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
  for (const bool ifma : paths()) {
    const fixed_base<F> table(affine<F>::infinity(), 10, pool, ifma);
    std::vector<affine<F>> out(10, generator<F>());
    table.multiply(scalars(10), std::span(out), pool);
    for (const auto& p : out)
      CHECK(p.is_infinity());
  }
}
