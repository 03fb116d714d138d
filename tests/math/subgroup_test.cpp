// Endomorphisms and subgroup tests, exact and random.
#include "math/endomorphism.hpp"
#include "math/fixed_base.hpp"
#include "math/generators.hpp"
#include "math/sqrt.hpp"
#include "math/subgroup.hpp"
#include "math/subgroup_batch.hpp"
#include "tests/math/math_vectors.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;
using namespace cuzk::test;

namespace {

template <class F>
bool killed_by_r(const affine<F>& p) {
  const auto r = fr_params::modulus();
  return jacobian<F>::from(p).times(r.limb, 4).is_infinity();
}

// Points of the curve with x = start, start + 1, ..: almost never in the subgroup.
template <class F>
std::vector<affine<F>> curve_points(std::size_t n) {
  std::vector<affine<F>> out;
  for (F x = F::one(); out.size() < n; x += F::one())
    if (const auto y = square_root(x.square() * x + curve_b<F>()))
      out.push_back({x, *y});
  return out;
}

// A point of order 3 (G1) or dividing 169 (G2), the smallest prime factors of the cofactors: a random combination with
// one coefficient a point would often miss it.
g1_affine small_order_point(const g1_affine& q) {
  const std::uint64_t h1_over_3[] = {0x2eaae38e55558e39, 0x13242eaac71ca072};
  const auto r = fr_params::modulus();
  return g1::from(q).times(h1_over_3, 2).times(r.limb, 4).to_affine();
}
g2_affine small_order_point(const g2_affine& q) {
  const std::uint64_t h2_over_169[] = {0x3336b3150941cfdd, 0xedf4046db800a837, 0x45e0aef29c5e8629, 0x5a5b213dcb710859,
                                       0x81be2a9b0c648304, 0x60a5f9bdc250555d, 0xd5a3c5663541d68b, 0x0008d5fc7522f6c4};
  const auto r = fr_params::modulus();
  return g2::from(q).times(h2_over_169, 8).times(r.limb, 4).to_affine();
}

// One that is not infinity.
template <class F>
affine<F> small_order_point() {
  for (const auto& q : curve_points<F>(20))
    if (const auto p = small_order_point(q); !p.is_infinity())
      return p;
  throw std::runtime_error("no point of small order");
}

template <class F>
std::vector<affine<F>> good_points(std::size_t n, thread_pool& pool) {
  std::vector<fr> k(n);
  for (std::size_t i = 0; i < n; ++i)
    k[i] = fr::from_u64(i * i + 1);
  std::vector<affine<F>> out(n);
  fixed_base<F>(generator<F>(), n, pool).multiply(k, std::span(out), pool);
  return out;
}

template <class F>
bytes in_file_form(const std::vector<affine<F>>& points) {
  bytes out;
  for (const auto& p : points) {
    const auto one = encode_uncompressed(p);
    out.insert(out.end(), one.begin(), one.end());
  }
  return out;
}

// The paths that this processor has: with AVX-512 IFMA or without.
std::vector<bool> paths() {
  return cpu().avx512ifma ? std::vector<bool>{false, true} : std::vector<bool>{false};
}

} // namespace

TEST_CASE("the endomorphisms act as multiplications") {
  const fp beta = cube_root_of_unity();
  CHECK(beta != fp::one());
  CHECK(beta.square() * beta == fp::one());
  const auto g = g1_generator();
  const auto x2 = g1::from(g).times(&curve_x_abs, 1).times(&curve_x_abs, 1);
  CHECK((g1::from(phi(g)) == -x2));
  const auto q = g2_generator();
  CHECK((g2::from(psi(q)) == -g2::from(q).times(&curve_x_abs, 1)));
  CHECK(phi(g1_affine::infinity()).is_infinity());
  CHECK(psi(g2_affine::infinity()).is_infinity());
}

TEMPLATE_TEST_CASE("the fast subgroup test agrees with multiplication by r", "", fp, fp2) {
  using F = TestType;
  int inside = 0, outside = 0;
  const auto look = [&](const affine<F>& p) {
    REQUIRE(is_on_curve(p));
    const bool in = killed_by_r(p);
    CHECK(in_subgroup(p) == in);
    ++(in ? inside : outside);
  };
  for (const auto& p : curve_points<F>(15)) {
    look(p);
    look(small_order_point(p));
    look((jacobian<F>::from(small_order_point(p)) + generator<F>()).to_affine());
  }
  look(generator<F>());
  look(-generator<F>());
  look(affine<F>::infinity());
  CHECK(inside >= 3);
  CHECK(outside > 20);
}

TEMPLATE_TEST_CASE("a random test takes points of the subgroup and finds one that is not", "", fp, fp2) {
  using F = TestType;
  thread_pool pool(2);
  auto points = good_points<F>(9000, pool); // two full blocks and a short one
  points[17] = affine<F>::infinity();
  points[4500] = points[4400];
  const auto verdict = [&](bool ifma) {
    subgroup_batch<F> batch(digest{7, 1, 2}, pool, ifma);
    REQUIRE(batch.add(view_of(points.data(), 8192), pool));
    REQUIRE(batch.add(view_of(points.data() + 8192, points.size() - 8192), pool));
    REQUIRE(batch.add({}, pool));
    return batch.finish(pool);
  };
  const auto small = small_order_point<F>();
  for (const bool ifma : paths()) {
    CHECK(verdict(ifma));
    for (const std::size_t at : {std::size_t{0}, points.size() - 1}) {
      const auto kept = points[at];
      points[at] = (jacobian<F>::from(kept) + small).to_affine();
      CHECK_FALSE(verdict(ifma));
      points[at] = kept;
    }
  }
}

TEMPLATE_TEST_CASE("points outside that cancel each other are found", "", fp, fp2) {
  using F = TestType;
  thread_pool pool(2);
  auto points = good_points<F>(8192, pool);
  const auto small = small_order_point<F>();
  const auto shift = [&](std::size_t i, const affine<F>& by) {
    points[i] = (jacobian<F>::from(points[i]) + by).to_affine();
  };
  shift(10, small);
  shift(11, -small); // the same block
  shift(100, small);
  shift(4196, -small); // the same place of the next block
  for (const bool ifma : paths())
    for (std::uint8_t seed = 0; seed < 2; ++seed) {
      subgroup_batch<F> batch(digest{seed}, pool, ifma);
      REQUIRE(batch.add(view_of(points.data(), points.size()), pool));
      CHECK_FALSE(batch.finish(pool));
    }
}

TEMPLATE_TEST_CASE("few points are checked one by one, and the bad one is named", "", fp, fp2) {
  using F = TestType;
  thread_pool pool(2);
  const digest seed{3};
  const auto points = good_points<F>(200, pool);
  auto file = in_file_form(points);
  const point_view view{reinterpret_cast<const std::byte*>(file.data()), points.size(), point_layout::big_endian, true};
  const std::size_t size = uncompressed_size<F>;
  CHECK(check_points<F>({}, seed, pool));
  CHECK(check_points<F>(view, seed, pool));
  const auto refused = [&](std::size_t at, const bytes& with, const std::string& text) {
    const bytes kept(file.begin() + at * size, file.begin() + (at + 1) * size);
    std::copy(with.begin(), with.end(), file.begin() + at * size);
    const auto outcome = check_points<F>(view, seed, pool);
    REQUIRE_FALSE(outcome);
    CHECK(outcome.err().code == errc::params);
    CHECK(outcome.err().where == "point " + std::to_string(at));
    CHECK(outcome.err().text == text);
    std::copy(kept.begin(), kept.end(), file.begin() + at * size);
  };
  const auto outside = encode_uncompressed(small_order_point<F>());
  refused(199, bytes(outside.begin(), outside.end()), "is not in the subgroup of order r");
  auto off = encode_uncompressed(points[5]);
  off.back() ^= 1;
  refused(5, bytes(off.begin(), off.end()), "is not on the curve");
  refused(0, bytes(size, 0x1f), "has a coordinate that is not below the modulus");
  bytes infinity(size, 0);
  infinity[0] = 0x40;
  refused(100, infinity, "is the point at infinity");
  CHECK(check_points<F>(view, seed, pool));
}

TEST_CASE("a long array goes through the random test, and faults of reading are named there too") {
  thread_pool pool(2);
  const auto points = good_points<fp>(20001, pool);
  auto file = in_file_form(points);
  const point_view view{reinterpret_cast<const std::byte*>(file.data()), points.size(), point_layout::big_endian, true};
  CHECK(check_points<fp>(view, digest{1}, pool));
  const auto outside = encode_uncompressed((g1::from(points[20000]) + small_order_point<fp>()).to_affine());
  std::copy(outside.begin(), outside.end(), file.end() - 96);
  const auto refused = check_points<fp>(view, digest{1}, pool);
  REQUIRE_FALSE(refused);
  CHECK(refused.err().code == errc::params);
  file[96 * 7000 + 95] ^= 1;
  const auto unread = check_points<fp>(view, digest{1}, pool);
  REQUIRE_FALSE(unread);
  CHECK(unread.err().where == "point 7000");
  CHECK(unread.err().text == "is not on the curve");
}
