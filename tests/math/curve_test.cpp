// Point arithmetic of G1 and G2 against the reference vectors.
#include "math/batch_inverse.hpp"
#include "math/generators.hpp"
#include "math/subgroup.hpp"
#include "tests/math/math_vectors.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;
using namespace cuzk::test;

namespace {

template <class F>
affine<F> times(const affine<F>& p, const fr& k) {
  return jacobian<F>::from(p).times(k).to_affine();
}

// The same point with another z.
template <class F>
jacobian<F> rescaled(const affine<F>& p) {
  const auto q = jacobian<F>::from(p);
  if (q.is_infinity())
    return q;
  const F z = F::one().doubled() + F::one(), zz = z.square();
  return {q.x * zz, q.y * zz * z, z};
}

} // namespace

TEMPLATE_TEST_CASE("sums, differences, doubles and negatives match the vectors", "", fp, fp2) {
  using F = TestType;
  for (const nlohmann::json& v : math_vectors()[group_name<F>()]["add"]) {
    const auto p = read_point<F>(v["p"]), q = read_point<F>(v["q"]);
    const auto sum = read_point<F>(v["add"]);
    CHECK((jacobian<F>::from(p) + q).to_affine() == sum);
    CHECK((jacobian<F>::from(p) + jacobian<F>::from(q)).to_affine() == sum);
    CHECK((rescaled(p) + q).to_affine() == sum);
    CHECK((rescaled(p) + rescaled(q)).to_affine() == sum);
    CHECK((rescaled(p) - rescaled(q)).to_affine() == read_point<F>(v["sub"]));
    CHECK(rescaled(p).doubled().to_affine() == read_point<F>(v["double_p"]));
    CHECK(-p == read_point<F>(v["neg_p"]));
    CHECK((rescaled(p) == jacobian<F>::from(p)));
    CHECK(to_hex(encode_compressed(p)) == v["p_compressed"].get<std::string>());
    CHECK(to_hex(encode_compressed(-p)) == v["neg_p_compressed"].get<std::string>());
  }
}

TEMPLATE_TEST_CASE("multiples of points match the vectors", "", fp, fp2) {
  using F = TestType;
  const nlohmann::json& data = math_vectors()[group_name<F>()];
  for (const nlohmann::json& v : data["products"])
    CHECK(times(read_point<F>(v["p"]), read_field<fr>(v["scalar"])) == read_point<F>(v["product"]));
  for (const nlohmann::json& v : data["multiples"]) {
    const auto p = times(generator<F>(), read_field<fr>(v["scalar"]));
    CHECK(to_hex(encode_uncompressed(p)) == v["uncompressed"].get<std::string>());
    CHECK(to_hex(encode_compressed(p)) == v["compressed"].get<std::string>());
    CHECK(is_on_curve(p));
    CHECK(in_subgroup(p));
  }
}

TEMPLATE_TEST_CASE("a batch of points becomes affine as single points do", "", fp, fp2) {
  using F = TestType;
  for (const std::size_t n : {0, 1, 31}) {
    std::vector<jacobian<F>> points;
    std::vector<affine<F>> expected, out(n);
    auto p = jacobian<F>::from(generator<F>());
    for (std::size_t i = 0; i < n; ++i) {
      points.push_back(i % 4 == 2 ? jacobian<F>::infinity() : p);
      expected.push_back(points.back().to_affine());
      p = p.doubled();
    }
    batch_to_affine(std::span<const jacobian<F>>(points), std::span(out));
    CHECK(out == expected);
  }
}

TEST_CASE("points of the curve outside the subgroup are told apart") {
  int outside = 0;
  const auto look = [&](const auto& entry, auto zero) {
    using F = decltype(zero);
    const auto raw = unhex(entry["bytes"].template get<std::string>());
    affine<F> p;
    if (read_compressed(raw, point_check::curve, p) != encoding_fault::none)
      return;
    const bool inside = entry["from_compressed"].template get<bool>();
    CHECK(in_subgroup(p) == inside);
    outside += !inside;
  };
  for (const nlohmann::json& entry : math_vectors()["invalid_encodings"]["g1"])
    if (entry.contains("from_compressed"))
      look(entry, fp::zero());
  for (const nlohmann::json& entry : math_vectors()["invalid_encodings"]["g2"])
    if (entry.contains("from_compressed"))
      look(entry, fp2::zero());
  CHECK(outside == 12);
}
