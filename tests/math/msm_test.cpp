#include "math/batch_inverse.hpp"
#include "math/cpu_features.hpp"
#include "math/encoding.hpp"
#include "math/generators.hpp"
#include "math/hash/sha256.hpp"
#include "math/msm.hpp"
#include "math/msm_digits.hpp"
#include "tests/math/math_vectors.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;
using test::math_vectors;

namespace {

std::vector<msm_path> paths() {
  std::vector<msm_path> out{msm_path::plain};
  if (cpu().avx512ifma)
    out.push_back(msm_path::ifma);
  return out;
}

/// (i + 1) G for i < n.
template <class F>
const std::vector<affine<F>>& multiples(std::size_t n) {
  static std::vector<affine<F>> all;
  if (all.size() < n) {
    std::vector<jacobian<F>> sums(n, jacobian<F>::from(generator<F>()));
    for (std::size_t i = 1; i < n; ++i)
      sums[i] = sums[i - 1] + generator<F>();
    all.resize(n);
    batch_to_affine<F>(sums, all);
  }
  return all;
}

fr hashed(const std::string& tag, std::uint64_t seed, std::uint64_t i) {
  sha256 hash;
  hash.update(byte_view(reinterpret_cast<const std::uint8_t*>(tag.data()), tag.size()));
  std::uint8_t numbers[16];
  for (int b = 0; b < 8; ++b) {
    numbers[b] = static_cast<std::uint8_t>(seed >> (8 * b));
    numbers[8 + b] = static_cast<std::uint8_t>(i >> (8 * b));
  }
  auto digest = hash.update(numbers).finish();
  digest[31] &= 0x3f;
  return *from_le_bytes<fr>(digest);
}

bool hashed_bit(std::uint64_t seed, std::uint64_t i) {
  const std::string tag = "bit";
  sha256 hash;
  hash.update(byte_view(reinterpret_cast<const std::uint8_t*>(tag.data()), tag.size()));
  std::uint8_t numbers[16];
  for (int b = 0; b < 8; ++b) {
    numbers[b] = static_cast<std::uint8_t>(seed >> (8 * b));
    numbers[8 + b] = static_cast<std::uint8_t>(i >> (8 * b));
  }
  return (hash.update(numbers).finish()[0] & 1) != 0;
}

fr edge_scalar(std::uint64_t seed, std::uint64_t i) {
  const fr two = fr::from_u64(2);
  switch (i % 8) {
  case 0: return fr::zero();
  case 1: return fr::one();
  case 2: return -fr::one();
  case 3: return two.pow(i % 255);
  case 4: return two.pow(254);
  case 5: return hashed("msm", seed, i);
  case 6: return two.pow(i % 255) - fr::one();
  default: return -fr::from_u64(i);
  }
}

fr scalar_of(const std::string& rule, std::uint64_t seed, std::uint64_t i) {
  if (rule == "hash")
    return hashed("msm", seed, i);
  if (rule == "edge")
    return edge_scalar(seed, i);
  if (rule == "bits")
    return fr::from_u64(hashed_bit(seed, i));
  if (rule == "same")
    return hashed("msm", seed, 0);
  return rule == "index" ? fr::from_u64(i) : fr::zero();
}

template <class F>
std::vector<affine<F>> bases_of(const std::string& rule, std::size_t n) {
  const auto& all = multiples<F>(std::max<std::size_t>(n, 1));
  std::vector<affine<F>> out(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
  for (std::size_t i = 0; i < n; ++i) {
    if (rule == "same")
      out[i] = all[0];
    if (rule == "opposite")
      out[i] = i % 2 == 0 ? all[i / 2] : -all[i / 2];
    if (rule == "holes" && i % 5 == 3)
      out[i] = affine<F>::infinity();
  }
  return out;
}

template <class F>
void check_vectors() {
  thread_pool pool(2);
  const std::uint64_t seed = math_vectors()["seed"].get<std::uint64_t>();
  for (const nlohmann::json& c : math_vectors()["msm"][test::group_name<F>()]) {
    const auto n = c["n"].get<std::size_t>();
    std::vector<fr> scalars;
    for (std::size_t i = 0; i < n; ++i)
      if (!c.contains("density") || c["density"].is_null() || i % 3 != 1)
        scalars.push_back(scalar_of(c["scalars"].get<std::string>(), seed, i));
    const auto bases = bases_of<F>(c["bases"].get<std::string>(), n);
    for (auto path : paths()) {
      auto sum = msm<F>(view_of(bases.data(), bases.size()), {}, scalars, {pool, nullptr, path});
      REQUIRE(sum);
      INFO(c.dump() << " path " << int(path));
      CHECK(to_hex(encode_compressed(sum->to_affine())) == c["compressed"].get<std::string>());
    }
  }
}

/// Points as a parameter file has them.
template <class F>
std::vector<std::byte> in_file_form(std::span<const affine<F>> points) {
  std::vector<std::byte> out;
  for (const auto& p : points)
    for (auto b : encode_uncompressed(p))
      out.push_back(static_cast<std::byte>(b));
  return out;
}

template <class F>
point_view file_view(const std::vector<std::byte>& data, bool check) {
  return {data.data(), data.size() / (2 * sizeof(F)), point_layout::big_endian, check};
}

} // namespace

TEST_CASE("G1 sums equal the reference's, on every path") {
  check_vectors<fp>();
}

TEST_CASE("G2 sums equal the reference's, on every path") {
  check_vectors<fp2>();
}

TEMPLATE_TEST_CASE("masked sums equal sums with scalars 0 and 1, in both layouts", "", fp, fp2) {
  using F = TestType;
  thread_pool pool(2);
  for (std::size_t n : {1u, 7u, 63u, 64u, 65u, 1000u, 40'000u}) {
    if (n > 2000 && std::is_same_v<F, fp2>)
      continue;
    const auto points = bases_of<F>("linear", n);
    const auto file = in_file_form<F>(points);
    for (int pattern = 0; pattern < 4; ++pattern) { // none, all, hashed, the last one
      std::vector<std::uint64_t> mask((n + 63) / 64, 0);
      fr expected = fr::zero();
      for (std::size_t i = 0; i < n; ++i)
        if (pattern == 1 || (pattern == 2 && hashed_bit(1, i)) || (pattern == 3 && i + 1 == n)) {
          mask[i / 64] |= std::uint64_t{1} << (i % 64);
          expected += fr::from_u64(i + 1);
        }
      if (pattern == 1 && n % 64 != 0)
        mask.back() |= ~std::uint64_t{0} << (n % 64); // bits beyond the points say nothing
      const auto right = jacobian<F>::from(generator<F>()).times(expected);
      for (auto path : paths()) {
        const msm_options options{pool, nullptr, path};
        CHECK(*masked_sum<F>(view_of(points.data(), n), mask, options) == right);
        CHECK(*masked_sum<F>(file_view<F>(file, true), mask, options) == right);
      }
    }
  }
}

TEMPLATE_TEST_CASE("equal, opposite and infinite points sum right under one mask", "", fp, fp2) {
  using F = TestType;
  thread_pool pool(1);
  const auto g = generator<F>();
  const auto none = affine<F>::infinity();
  const std::vector<std::vector<affine<F>>> cases = {{g, g},
                                                     {g, -g},
                                                     {none, g},
                                                     {g, none},
                                                     {none, none},
                                                     {g, g, g, g, g, g, g},
                                                     {g, g, -g, -g, g},
                                                     {none, g, -g, none, g}};
  for (const auto& points : cases) {
    auto right = jacobian<F>::infinity();
    for (const auto& p : points)
      right += p;
    const std::uint64_t mask = ~std::uint64_t{0};
    for (auto path : paths())
      CHECK(*masked_sum<F>(view_of(points.data(), points.size()), std::span(&mask, 1), {pool, nullptr, path}) == right);
  }
}

TEMPLATE_TEST_CASE("scattered points: indices pick what each scalar meets", "", fp, fp2) {
  using F = TestType;
  thread_pool pool(2);
  const auto points = bases_of<F>("linear", 300);
  const auto file = in_file_form<F>(points);
  std::vector<std::uint32_t> indices;
  std::vector<fr> scalars;
  fr expected = fr::zero();
  for (std::uint32_t i = 1; i < 300; i += 1 + i % 3) {
    indices.push_back(i);
    scalars.push_back(hashed("msm", 5, i));
    expected += scalars.back() * fr::from_u64(i + 1);
  }
  const auto right = jacobian<F>::from(generator<F>()).times(expected);
  for (auto path : paths()) {
    CHECK(*msm<F>(view_of(points.data(), 300), indices, scalars, {pool, nullptr, path}) == right);
    CHECK(*msm<F>(file_view<F>(file, true), indices, scalars, {pool, nullptr, path}) == right);
  }
  indices.back() = 300;
  CHECK(msm<F>(view_of(points.data(), 300), indices, scalars, {pool}).err().code == errc::bad_input);
  indices.pop_back();
  CHECK(msm<F>(view_of(points.data(), 300), indices, scalars, {pool}).err().code == errc::bad_input);
}

TEMPLATE_TEST_CASE("a damaged point of a file is named by its index", "", fp, fp2) {
  using F = TestType;
  thread_pool pool(2);
  const std::size_t n = 200, size = 2 * sizeof(F);
  const auto points = bases_of<F>("linear", n);
  const std::vector<fr> scalars(n, hashed("msm", 9, 0));
  struct damage {
    std::size_t at, offset;
    std::uint8_t value;
    const char* text;
    bool needs_check;
  };
  for (const auto& d : {damage{100, size - 1, 0x55, "not on the curve", true}, damage{199, 0, 0x1f, "modulus", false},
                        damage{0, 0, 0x40, "infinity", false}, damage{31, size / 2, 0xff, "modulus", false}}) {
    auto file = in_file_form<F>(points);
    file[d.at * size + d.offset] = static_cast<std::byte>(d.value);
    if (std::string(d.text) == "infinity")
      std::fill(file.begin() + 1, file.begin() + static_cast<std::ptrdiff_t>(size), std::byte{0});
    const std::vector<std::uint64_t> mask((n + 63) / 64, ~std::uint64_t{0});
    for (auto path : paths())
      for (const auto& outcome : {msm<F>(file_view<F>(file, true), {}, scalars, {pool, nullptr, path}),
                                  masked_sum<F>(file_view<F>(file, true), mask, {pool, nullptr, path})}) {
        REQUIRE_FALSE(outcome);
        CHECK(outcome.err().code == errc::params);
        CHECK(outcome.err().where == "point " + std::to_string(d.at));
        CHECK(outcome.err().text.find(d.text) != std::string::npos);
      }
    if (d.needs_check)
      CHECK(msm<F>(file_view<F>(file, false), {}, scalars, {pool}));
  }
}

TEST_CASE("a sum that is told to stop says so") {
  thread_pool pool(2);
  const auto points = bases_of<fp>("linear", 100);
  const std::vector<fr> scalars(100, fr::one());
  const std::vector<std::uint64_t> mask(2, 1);
  const std::atomic<bool> stop{true};
  CHECK(msm<fp>(view_of(points.data(), 100), {}, scalars, {pool, &stop}).err().code == errc::cancelled);
  CHECK(masked_sum<fp>(view_of(points.data(), 100), mask, {pool, &stop}).err().code == errc::cancelled);
}

TEST_CASE("signed digits sum to the scalar for every width") {
  const std::vector<fr> scalars = {fr::zero(),
                                   fr::one(),
                                   -fr::one(),
                                   fr::from_u64(2).pow(254),
                                   hashed("msm", 1, 1),
                                   fr::from_u64(2).inverse(),
                                   -fr::from_u64(2).inverse()};
  for (int bits = 2; bits <= 20; ++bits) {
    const msm_windows windows{bits, (255 + bits - 1) / bits};
    for (const auto& k : scalars) {
      std::vector<std::int32_t> digits(static_cast<std::size_t>(windows.count));
      signed_digits(k, windows, digits.data(), 1);
      fr sum = fr::zero(), weight = fr::one();
      for (auto d : digits) {
        CHECK(std::abs(d) <= std::int32_t{1} << (bits - 1));
        const fr value = fr::from_u64(static_cast<std::uint64_t>(std::abs(d))) * weight;
        sum += d < 0 ? -value : value;
        for (int i = 0; i < bits; ++i)
          weight = weight.doubled();
      }
      CHECK(sum == k);
    }
  }
}
