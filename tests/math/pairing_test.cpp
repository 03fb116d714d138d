// Fp12 and the pairing against the reference vectors.
#include "math/generators.hpp"
#include "math/pairing.hpp"
#include "tests/math/math_vectors.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;
using namespace cuzk::test;

namespace {

// Twelve big-endian numbers: 1, u, v, uv, v^2, uv^2, then the same times w.
fp12 read_fp12(const nlohmann::json& value) {
  auto raw = unhex(value.get<std::string>());
  REQUIRE(raw.size() == 12 * 48);
  fp part[12];
  for (int i = 0; i < 12; ++i) {
    const auto begin = raw.begin() + 48 * i;
    std::reverse(begin, begin + 48);
    part[i] = from_le_bytes<fp>(std::span<const std::uint8_t, 48>(&*begin, 48)).value();
  }
  const auto two = [&](int i) { return fp2{part[i], part[i + 1]}; };
  return {{two(0), two(2), two(4)}, {two(6), two(8), two(10)}};
}

g1_affine times_g1(const fr& k) {
  return g1::from(g1_generator()).times(k).to_affine();
}
g2_affine times_g2(const fr& k) {
  return g2::from(g2_generator()).times(k).to_affine();
}

pairing_term term_of(const nlohmann::json& v) {
  return {times_g1(read_field<fr>(v["a"])), times_g2(read_field<fr>(v["b"]))};
}

} // namespace

TEST_CASE("fp12 operations match the vectors") {
  for (const nlohmann::json& v : math_vectors()["fp12"]) {
    const fp12 a = read_fp12(v["a"]), b = read_fp12(v["b"]);
    CHECK(a + b == read_fp12(v["add"]));
    CHECK(a * b == read_fp12(v["mul"]));
    CHECK(a.square() == read_fp12(v["square"]));
    CHECK(a * a == read_fp12(v["square"]));
    CHECK(a.conjugate() == read_fp12(v["conjugate"]));
    CHECK(a.frobenius(1) == read_fp12(v["frobenius1"]));
    CHECK(a.frobenius(2) == read_fp12(v["frobenius2"]));
    CHECK(a.frobenius(3) == read_fp12(v["frobenius3"]));
    if (v["inverse"].is_null()) {
      CHECK(a.inverse() == fp12{fp6::zero(), fp6::zero()});
    } else {
      CHECK(a.inverse() == read_fp12(v["inverse"]));
      CHECK(a.inverse() * a == fp12::one());
    }
  }
}

TEST_CASE("multiplying by a line is multiplying by the full element") {
  for (const nlohmann::json& v : math_vectors()["fp12"]) {
    const fp12 a = read_fp12(v["a"]), b = read_fp12(v["b"]);
    const fp12 line{{b.c0.c0, b.c0.c1, fp2::zero()}, {fp2::zero(), b.c1.c1, fp2::zero()}};
    CHECK(a.times_line(b.c0.c0, b.c0.c1, b.c1.c1) == a * line);
  }
}

TEST_CASE("a cyclotomic square is a square") {
  const fp12 a = pairing(g1_generator(), g2_generator());
  CHECK(a.cyclotomic_square() == a.square());
  CHECK(a.cyclotomic_square().cyclotomic_square() == a.square().square());
}

TEST_CASE("pairing values match the vectors, and are the cube of the textbook value") {
  for (const nlohmann::json& v : math_vectors()["pairing"]["values"]) {
    const auto t = term_of(v);
    CHECK(pairing(t.p, t.q) == read_fp12(v["value"]));
  }
  const fp12 plain = read_fp12(math_vectors()["pairing"]["plain_generator_value"]);
  CHECK(pairing(g1_generator(), g2_generator()) == plain.square() * plain);
}

TEST_CASE("products of pairings match the vectors") {
  int ones = 0;
  for (const nlohmann::json& v : math_vectors()["pairing"]["products"]) {
    std::vector<pairing_term> terms;
    for (const nlohmann::json& t : v["terms"])
      terms.push_back(term_of(t));
    CHECK(final_exponentiation(miller_loop(terms)) == read_fp12(v["value"]));
    CHECK(product_is_one(terms) == v["is_one"].get<bool>());
    ones += v["is_one"].get<bool>();
  }
  CHECK(ones == 2);
}

TEST_CASE("infinity pairs to one and the pairing is bilinear") {
  const auto p = times_g1(fr::from_u64(5)), p3 = times_g1(fr::from_u64(15));
  const auto q = times_g2(fr::from_u64(7)), q3 = times_g2(fr::from_u64(21));
  CHECK(pairing(g1_affine::infinity(), q) == fp12::one());
  CHECK(pairing(p, g2_affine::infinity()) == fp12::one());
  CHECK(pairing(p3, q) == pairing(p, q3));
  CHECK(product_is_one({}));
  const pairing_term balanced[] = {{p3, q}, {-p, q3}, {p, g2_affine::infinity()}};
  CHECK(product_is_one(balanced));
  const pairing_term off[] = {{p3, q}, {p, q3}};
  CHECK_FALSE(product_is_one(off));
  const pairing_term twice[] = {{p, q}, {p, q}, {-p, q}, {-p, q}};
  CHECK(product_is_one(twice));
}
