// The derived key from points alone: equal to the one written from tau.
#include "groth16/derive.hpp"
#include "groth16/point_batch.hpp"
#include "math/cpu_features.hpp"
#include "math/endomorphism.hpp"
#include "math/generators.hpp"
#include "math/ntt.hpp"
#include "tests/groth16/made_key.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;
using namespace cuzk::groth16;
using namespace cuzk::test;

namespace {

std::vector<bool> engines() {
  return cpu().avx512ifma ? std::vector<bool>{false, true} : std::vector<bool>{false};
}

fr scalar_of(std::uint64_t i) {
  return fr::from_u64(i + 2).pow(40) + fr::from_u64(i);
}

g1_affine times(const fr& k) {
  return g1::from(g1_generator()).times(k).to_affine();
}

std::vector<g1_affine> first_multiples(std::size_t n) {
  std::vector<g1_affine> out;
  for (std::size_t i = 0; i < n; ++i)
    out.push_back(times(scalar_of(i)));
  return out;
}

void check_derived(const std::string& name, bool lanes) {
  made_key key(name);
  const std::string path = key.dir / "from_points.derived";
  const derive_options options{key.pool, lanes};
  REQUIRE(derive_key(*key.open({"", false}), *key.circuit.shape, path, options));
  CHECK(same_bytes(path, key.path + ".derived"));
}

} // namespace

TEST_CASE("a scalar is low + high x^2") {
  const fr xx = fr::from_u64(curve_x_abs).square();
  for (const fr& k : {fr::zero(), fr::one(), -fr::one(), xx, xx - fr::one(), scalar_of(3), scalar_of(4), -xx}) {
    const auto h = split_scalar(k);
    const auto value = [](unsigned __int128 x) {
      return fr::from_u64(static_cast<std::uint64_t>(x >> 64)) * fr::from_u64(2).pow(64) +
             fr::from_u64(static_cast<std::uint64_t>(x));
    };
    CHECK(value(h.low) + value(h.high) * xx == k);
    CHECK((h.low >> 64) < (static_cast<unsigned __int128>(curve_x_abs) * curve_x_abs >> 64) + 1);
  }
}

TEST_CASE("products, transforms and sums of points equal those of their scalars") {
  thread_pool pool(2);
  for (const bool lanes : engines()) {
    const auto batch = make_point_batch(pool, lanes);
    auto points = first_multiples(40);
    points[7] = g1_affine::infinity();
    std::vector<fr> scalars;
    for (std::size_t i = 0; i < points.size(); ++i)
      scalars.push_back(i < 2 ? fr::from_u64(i) : i == 2 ? -fr::one() : scalar_of(100 + i));
    auto products = points;
    batch->multiply(products, scalars);
    for (std::size_t i = 0; i < points.size(); ++i)
      CHECK(products[i] == g1::from(points[i]).times(scalars[i]).to_affine());

    for (const int lg : {0, 1, 3}) {
      const std::size_t n = std::size_t{1} << lg;
      auto values = first_multiples(n);
      batch->transform(values, root_of_unity(lg), nullptr);
      for (std::size_t k = 0; k < n; ++k) {
        fr expected = fr::zero();
        for (std::size_t i = 0; i < n; ++i)
          expected += scalar_of(i) * root_of_unity(lg).pow(i * k);
        CHECK(values[k] == times(expected));
      }
    }

    const auto minus = point_batch::negative;
    const auto sums = batch->sums(points, std::vector<std::uint32_t>{1, 2 | minus, 3, 3 | minus, 4 | minus},
                                  std::vector<std::uint32_t>{2, 2, 4, 5});
    REQUIRE(sums.size() == 4);
    CHECK(sums[0] == times(scalar_of(1) - scalar_of(2)));
    CHECK(sums[1].is_infinity());
    CHECK(sums[2].is_infinity());
    CHECK(sums[3] == -points[4]);
  }
}

TEST_CASE("toy keys derived from their points equal those from tau") {
  for (const bool lanes : engines())
    for (const std::string name : {"cube", "mixed"})
      check_derived(name, lanes);
}

TEST_CASE("the key of window-2k derived from its points equals the one from tau", "[slow]") {
  for (const bool lanes : engines())
    check_derived("window-2k", lanes);
}

TEST_CASE("deriving refuses large domains and other circuits, and stops when told") {
  made_key key("cube"), other("mixed");
  derive_options options{key.pool, false};
  CHECK(derive_key(*key.open(), *other.circuit.shape, key.dir / "x", options).err().code == errc::params);
  const std::atomic<bool> stop = true;
  options.stop = &stop;
  CHECK(derive_key(*key.open(), *key.circuit.shape, key.dir / "x", options).err().code == errc::cancelled);
  groth16::circuit large = *key.circuit.shape;
  large.matrices.circuit_rows = (std::uint64_t{1} << 17) + 1;
  options.stop = nullptr;
  CHECK(derive_key(*key.open(), large, key.dir / "x", options).err().code == errc::resources);
}
