// Point encodings: valid forms both ways, every damaged form with the fault that refuses it.
#include "math/generators.hpp"
#include "tests/math/math_vectors.hpp"
#include "tests/support/catch.hpp"

#include <map>

using namespace cuzk;
using namespace cuzk::test;

namespace {

// What must refuse the cases of the vectors, by their description.
encoding_fault expected_fault(const std::string& what, bool compressed) {
  static const std::map<std::string, encoding_fault> of_both = {
    {"infinity flag on a finite point", encoding_fault::infinity},
    {"infinity with sign flag", encoding_fault::sign},
    {"infinity with last byte 1", encoding_fault::infinity},
    {"infinity with second byte 1", encoding_fault::infinity},
    {"infinity with byte 1 of x set", encoding_fault::infinity},
    {"infinity with low bit of first byte set", encoding_fault::infinity},
    {"x = 0 with compression flag", encoding_fault::zero_x},
    {"x = 0 with compression and sign flag", encoding_fault::zero_x},
    {"point (0, 2)", encoding_fault::zero_x},
    {"x not on the curve", encoding_fault::off_curve},
    {"y of another point", encoding_fault::off_curve},
    {"last byte of y changed", encoding_fault::off_curve},
    {"x and y swapped", encoding_fault::off_curve},
    {"on the curve, outside the subgroup", encoding_fault::off_subgroup},
    {"on the curve, outside the subgroup, other sign", encoding_fault::off_subgroup},
    {"x (first coordinate in the bytes) = p", encoding_fault::range},
    {"x (first coordinate in the bytes) = p + 1", encoding_fault::range},
    {"x.c0 = p", encoding_fault::range},
    {"y (last coordinate in the bytes) = p", encoding_fault::range},
    {"generator with x.c0 + p in place of x.c0", encoding_fault::range},
    {"compression flag missing", encoding_fault::form},
    {"all flags missing", encoding_fault::form},
    {"infinity without compression flag", encoding_fault::form},
    {"compression flag on uncompressed bytes", encoding_fault::form},
    {"compressed generator followed by zero bytes", encoding_fault::form},
    {"compressed generator followed by 0xff bytes", encoding_fault::form},
    {"compressed infinity followed by zero bytes", encoding_fault::form},
    {"sign flag on uncompressed bytes", encoding_fault::sign},
  };
  if (what == "all bytes zero")
    return compressed ? encoding_fault::form : encoding_fault::zero_x;
  if (what == "all bytes 0xff")
    return compressed ? encoding_fault::sign : encoding_fault::form;
  return of_both.at(what);
}

template <class F>
void check_case(const nlohmann::json& entry) {
  const auto raw = unhex(entry["bytes"].get<std::string>());
  const auto what = entry["what"].get<std::string>();
  const bool compressed = entry.contains("from_compressed");
  INFO(group_name<F>() << " " << raw.size() << " bytes: " << what);
  const std::string form = compressed ? "from_compressed" : "from_uncompressed";
  const bool checked = entry[form].get<bool>(), unchecked = entry[form + "_unchecked"].get<bool>();
  const auto read = [&](point_check check) {
    affine<F> p;
    return compressed ? read_compressed(raw, check, p) : read_uncompressed(raw, check, p);
  };
  if (what.rfind("valid", 0) == 0) {
    CHECK(read(point_check::subgroup) == encoding_fault::none);
    CHECK(read(point_check::curve) == encoding_fault::none);
    return;
  }
  const auto fault = expected_fault(what, compressed);
  CHECK(read(point_check::subgroup) == fault);
  CHECK(read(point_check::curve) == (fault == encoding_fault::off_subgroup ? encoding_fault::none : fault));
  CHECK(unchecked == (fault == encoding_fault::off_subgroup || checked));
  // The reference's uncompressed readers take compressed points too; ours refuses them.
  const bool stricter = !compressed && fault == encoding_fault::form;
  CHECK((!checked || stricter));
}

} // namespace

TEMPLATE_TEST_CASE("every encoding of the vectors is read or refused for the right reason", "", fp, fp2) {
  for (const nlohmann::json& entry : math_vectors()["invalid_encodings"][group_name<TestType>()])
    check_case<TestType>(entry);
}

TEMPLATE_TEST_CASE("points survive both encodings", "", fp, fp2) {
  using F = TestType;
  const nlohmann::json& data = math_vectors()[group_name<F>()];
  for (const nlohmann::json& v : data["multiples"]) {
    const auto small = unhex(v["compressed"].get<std::string>()), large = unhex(v["uncompressed"].get<std::string>());
    const auto p = decode_compressed<F>(small, point_check::subgroup);
    const auto q = decode_uncompressed<F>(large, point_check::subgroup);
    REQUIRE(p);
    REQUIRE(q);
    CHECK(*p == *q);
    CHECK(to_hex(encode_compressed(*p)) == v["compressed"].get<std::string>());
    CHECK(to_hex(encode_uncompressed(*p)) == v["uncompressed"].get<std::string>());
  }
  const auto infinity = affine<F>::infinity();
  CHECK(to_hex(encode_compressed(infinity)) == data["infinity_compressed"].get<std::string>());
  CHECK(to_hex(encode_uncompressed(infinity)) == data["infinity_uncompressed"].get<std::string>());
  CHECK(to_hex(encode_compressed(generator<F>())) == data["generator_compressed"].get<std::string>());
  CHECK(to_hex(encode_uncompressed(generator<F>())) == data["generator_uncompressed"].get<std::string>());
}

TEMPLATE_TEST_CASE("a wrong length and a failed read leave the output alone", "", fp, fp2) {
  using F = TestType;
  auto large = encode_uncompressed(generator<F>());
  affine<F> p = generator<F>();
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, compressed_size<F> - 1, uncompressed_size<F> - 1}) {
    CHECK(read_compressed(byte_view(large).first(n), point_check::curve, p) == encoding_fault::length);
    CHECK(read_uncompressed(byte_view(large).first(n), point_check::curve, p) == encoding_fault::length);
  }
  large.back() ^= 1;
  CHECK(read_uncompressed(large, point_check::curve, p) == encoding_fault::off_curve);
  CHECK(p == generator<F>());
  const auto failed = decode_uncompressed<F>(large, point_check::curve);
  REQUIRE_FALSE(failed);
  CHECK(failed.err().code == errc::bad_input);
  CHECK(failed.err().text == "the point is not on the curve");
}
