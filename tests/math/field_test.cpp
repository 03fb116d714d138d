// Fr, Fp and Fp2 against the reference vectors and at the ends of their ranges.
#include "math/batch_inverse.hpp"
#include "math/sqrt.hpp"
#include "tests/math/math_vectors.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;
using namespace cuzk::test;

namespace {

template <class F>
const char* name_of() {
  return std::is_same_v<F, fr> ? "fr" : std::is_same_v<F, fp> ? "fp" : "fp2";
}

} // namespace

TEMPLATE_TEST_CASE("field operations of one operand match the vectors", "", fr, fp, fp2) {
  using F = TestType;
  for (const nlohmann::json& v : math_vectors()[name_of<F>()]["unary"]) {
    const F a = read_field<F>(v["a"]);
    INFO(v["a"].dump());
    CHECK(-a == read_field<F>(v["neg"]));
    CHECK(a.square() == read_field<F>(v["square"]));
    CHECK(a * a == read_field<F>(v["square"]));
    CHECK(a.inverse() == read_maybe<F>(v["inverse"]).value_or(F::zero()));
    CHECK(a.doubled() == a + a);
    if (v.contains("double"))
      CHECK(a.doubled() == read_field<F>(v["double"]));
    const auto root = square_root(a);
    const auto expected = read_maybe<F>(v["sqrt"]);
    REQUIRE(root.has_value() == expected.has_value());
    if (root) {
      CHECK((*root == *expected || -*root == *expected));
    }
  }
}

TEMPLATE_TEST_CASE("field operations of two operands match the vectors", "", fr, fp, fp2) {
  using F = TestType;
  for (const nlohmann::json& v : math_vectors()[name_of<F>()]["binary"]) {
    const F a = read_field<F>(v["a"]), b = read_field<F>(v["b"]);
    INFO(v["a"].dump() << " " << v["b"].dump());
    CHECK(a + b == read_field<F>(v["add"]));
    CHECK(b + a == read_field<F>(v["add"]));
    CHECK(a - b == read_field<F>(v["sub"]));
    CHECK(a * b == read_field<F>(v["mul"]));
    CHECK(b * a == read_field<F>(v["mul"]));
  }
}

TEMPLATE_TEST_CASE("powers match the vectors", "", fr, fp) {
  using F = TestType;
  for (const nlohmann::json& v : math_vectors()[name_of<F>()]["pow"]) {
    const auto bytes_of_e = unhex(v["e"].get<std::string>());
    std::vector<std::uint64_t> e((bytes_of_e.size() + 7) / 8);
    for (std::size_t i = 0; i < bytes_of_e.size(); ++i)
      e[i / 8] |= std::uint64_t{bytes_of_e[i]} << (8 * (i % 8));
    CHECK(read_field<F>(v["a"]).pow(e.data(), static_cast<int>(e.size())) == read_field<F>(v["pow"]));
  }
}

TEMPLATE_TEST_CASE("bytes are an element exactly when they are below the modulus", "", fr, fp) {
  using F = TestType;
  int refused = 0;
  for (const nlohmann::json& v : math_vectors()[name_of<F>()]["from_bytes"]) {
    const std::string text = v["bytes"];
    const auto x = try_field<F>(text);
    REQUIRE(x.has_value() == v["accepted"].get<bool>());
    if (x)
      CHECK(to_hex(to_le_bytes(*x)) == text);
    else
      ++refused;
  }
  CHECK(refused > 0);
  CHECK_FALSE(try_field<F>(math_vectors()[name_of<F>()]["modulus"]).has_value());
}

TEST_CASE("the constants of Fr and Fp match the vectors") {
  const nlohmann::json& data = math_vectors();
  const auto one_of = [](const std::uint64_t* limbs, int n) {
    bytes out;
    for (int i = 0; i < 8 * n; ++i)
      out.push_back(static_cast<std::uint8_t>(limbs[i / 8] >> (8 * (i % 8))));
    return to_hex(out);
  };
  CHECK(one_of(fr::one().limb, 4) == data["fr"]["two_to_256"].get<std::string>());
  CHECK(one_of(fp::one().limb, 6) == data["fp"]["two_to_384"].get<std::string>());
  for (const nlohmann::json& v : data["fr"]["roots_of_unity"]) {
    fr x = read_field<fr>(v["omega"]);
    CHECK(x * read_field<fr>(v["omega_inverse"]) == fr::one());
    for (int i = 1; i < v["k"].get<int>(); ++i)
      x = x.square();
    CHECK(x == -fr::one());
  }
  for (const nlohmann::json& v : data["fr"]["coset_z"]) {
    const fr z = fr::from_u64(7).pow(std::uint64_t{1} << v["k"].get<int>()) - fr::one();
    CHECK(z == read_field<fr>(v["z"]));
    CHECK(z.inverse() == read_field<fr>(v["z_inverse"]));
  }
  CHECK(fr::from_u64(7) == read_field<fr>(data["fr"]["multiplicative_generator"]));
  CHECK(fr::from_u64(7).inverse() == read_field<fr>(data["fr"]["generator_inverse"]));
}

TEST_CASE("fp2 helpers match the vectors") {
  for (const nlohmann::json& v : math_vectors()["fp2"]["unary"]) {
    const fp2 a = read_field<fp2>(v["a"]);
    CHECK(a.times_nonresidue() == read_field<fp2>(v["times_one_plus_u"]));
    CHECK(a.conjugate() == read_field<fp2>(v["frobenius"]));
    CHECK(a.c0.square() + a.c1.square() == read_field<fp>(v["norm"]));
  }
}

TEMPLATE_TEST_CASE("arithmetic wraps at the ends of the range", "", fr, fp, fp2) {
  using F = TestType;
  const F zero = F::zero(), one = F::one(), last = zero - one;
  CHECK(last + one == zero);
  CHECK(-zero == zero);
  CHECK(-last == one);
  CHECK(last * last == one);
  CHECK(last.square() == one);
  CHECK(last + last == zero - one - one);
  CHECK(zero - last == one);
  CHECK(one.inverse() == one);
  CHECK(last.inverse() == last);
  CHECK(zero.inverse() == zero);
  CHECK((one + one) * (one + one).inverse() == one);
}

TEMPLATE_TEST_CASE("the fast inverse equals Fermat's power", "", fr, fp) {
  using F = TestType;
  F power = F::one(), x = F::from_u64(3);
  for (int i = 0; i < 400; ++i) {
    for (const F& a : {power, power - F::one(), power + F::one(), -power, x})
      CHECK(a.inverse() == a.inverse_fermat());
    power = power.doubled();
    x = x.square() + F::from_u64(7);
  }
}

TEMPLATE_TEST_CASE("products on every path are the portable products", "", fr, fp) {
  using F = TestType;
  std::vector<F> values = {F::zero(), F::one(), -F::one(), F::from_u64(2), F::raw({{1}}), -F::raw({{1}})};
  for (F x = F::from_u64(5); values.size() < 60;)
    values.push_back(x = x.square() - F::one());
  for (const F& a : values)
    for (const F& b : values) {
      CHECK(a * b == F::mul_portable(a, b));
      CHECK(a + b == F::add_portable(a, b));
      CHECK(a - b == F::sub_portable(a, b));
      F c = a;
      CHECK((c *= b) == F::mul_portable(a, b));
      c = a;
      CHECK((c += b) == F::add_portable(a, b));
      c = a;
      CHECK((c -= b) == F::sub_portable(a, b));
    }
  F own = values.back();
  own *= own;
  CHECK(own == values.back().square());
  own -= own;
  CHECK(own.is_zero());
}

TEMPLATE_TEST_CASE("a batch of inverses equals single inverses and leaves zeros alone", "", fr, fp, fp2) {
  using F = TestType;
  for (const std::size_t n : {0, 1, 2, 31, 33}) {
    std::vector<F> values, expected;
    F x = F::one();
    for (std::size_t i = 0; i < n; ++i) {
      x = x.doubled() + F::one();
      values.push_back(i % 5 == 1 ? F::zero() : i % 7 == 3 ? -F::one() : x);
      expected.push_back(values.back().inverse());
    }
    batch_invert(std::span<F>(values));
    CHECK(values == expected);
  }
}
