#include "math/cpu_features.hpp"
#include "math/hash/sha256.hpp"
#include "math/ntt.hpp"
#include "tests/math/math_vectors.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;
using test::math_vectors;

namespace {

std::vector<ntt_path> paths() {
  std::vector<ntt_path> out{ntt_path::portable};
  if (cpu().avx512ifma)
    out.push_back(ntt_path::ifma);
  return out;
}

std::vector<fr> by_rule(const nlohmann::json& rule, std::size_t n) {
  std::vector<fr> out(n);
  for (std::size_t i = 0; i < n; ++i) {
    fr power = fr::one();
    for (const auto& c : rule) {
      out[i] += fr::from_u64(c.get<std::uint64_t>()) * power;
      power *= fr::from_u64(i);
    }
  }
  return out;
}

/// Compares with a list, or with the digest and the ends.
void check_values(std::span<const fr> got, const nlohmann::json& expected) {
  if (expected.is_array()) {
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i)
      CHECK(got[i] == test::read_field<fr>(expected[i]));
    return;
  }
  sha256 hash;
  for (const auto& x : got)
    hash.update(to_le_bytes(x));
  CHECK(to_hex(hash.finish()) == expected["sha256"].get<std::string>());
  CHECK(got.front() == test::read_field<fr>(expected["first"]));
  CHECK(got.back() == test::read_field<fr>(expected["last"]));
}

const fr seven = fr::from_u64(7);

} // namespace

TEST_CASE("transforms equal the reference's, on every path") {
  thread_pool pool(2);
  const auto& vectors = math_vectors()["ntt"];
  for (auto path : paths())
    for (const auto& c : vectors["cases"]) {
      const auto n = c["n"].get<std::size_t>();
      const ntt_domain domain(std::countr_zero(n), path);
      const auto input = by_rule(vectors["rule"], n);
      std::vector<fr> data = input, scratch(n);
      domain.forward(data, scratch, pool);
      check_values(data, c["fft"]);
      data = input;
      domain.inverse(data, scratch, pool);
      check_values(data, c["ifft"]);
      data = input;
      domain.forward(data, scratch, pool, seven);
      check_values(data, c["coset_fft"]);
      data = input;
      domain.inverse(data, scratch, pool, seven);
      check_values(data, c["icoset_fft"]);
    }
}

TEST_CASE("the quotient of A.4 equals the reference's") {
  thread_pool pool(2);
  const auto& vectors = math_vectors()["quotient"];
  for (const auto& c : vectors["cases"]) {
    const auto m = c["m"].get<std::size_t>(), rows = c["rows"].get<std::size_t>();
    const ntt_domain domain(std::countr_zero(m));
    std::vector<fr> a = by_rule(vectors["rule_a"], rows), b = by_rule(vectors["rule_b"], rows), product(rows);
    for (std::size_t i = 0; i < rows; ++i)
      product[i] = a[i] * b[i];
    std::vector<fr> scratch(m);
    for (auto* v : {&a, &b, &product}) {
      v->resize(m);
      domain.inverse(*v, scratch, pool);
      domain.forward(*v, scratch, pool, seven);
    }
    const fr scale = (seven.pow(m) - fr::one()).inverse();
    for (std::size_t i = 0; i < m; ++i)
      a[i] = (a[i] * b[i] - product[i]) * scale;
    domain.inverse(a, scratch, pool, seven);
    check_values(std::span<const fr>(a).first(m - 1), c["h"]);
  }
}

TEST_CASE("forward gives the polynomial's values, inverse undoes it, on the odd coset too") {
  thread_pool pool(3);
  for (auto path : paths())
    for (int lg = 0; lg <= 13; ++lg) {
      const ntt_domain domain(lg, path);
      const fr odd = root_of_unity(lg + 1);
      CHECK(odd.pow(domain.size()) == -fr::one());
      std::vector<fr> input(domain.size()), scratch(domain.size());
      fr x = fr::from_u64(0x9e3779b97f4a7c15).inverse();
      for (auto& v : input)
        v = x = x.square() + fr::from_u64(3);
      input[0] = -fr::one();
      for (const fr& shift : {fr::one(), seven, odd}) {
        auto data = input;
        domain.forward(data, scratch, pool, shift);
        for (std::size_t k : {std::size_t{0}, domain.size() / 3, domain.size() - 1}) {
          const fr at = shift * domain.root().pow(k);
          fr value = fr::zero();
          for (std::size_t i = input.size(); i-- > 0;)
            value = value * at + input[i];
          CHECK(data[k] == value);
        }
        domain.inverse(data, scratch, pool, shift);
        CHECK(data == input);
      }
    }
}

TEST_CASE("extreme elements go through all stages without overflow") {
  thread_pool pool(2);
  for (auto path : paths()) {
    const ntt_domain domain(12, path), portable(12, ntt_path::portable);
    std::vector<fr> data(domain.size(), -fr::one()), scratch(domain.size());
    for (std::size_t i = 0; i < data.size(); i += 3)
      data[i] = i % 2 == 0 ? fr::zero() : fr::one();
    auto other = data;
    domain.forward(data, scratch, pool, seven);
    portable.forward(other, scratch, pool, seven);
    CHECK(data == other);
  }
}
