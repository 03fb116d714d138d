// Poseidon: generated constants by their checksums, digests by the reference vectors.
#include "math/hash/poseidon_permutation.hpp"
#include "math/hash/sha256.hpp"
#include "tests/math/math_vectors.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;
using namespace cuzk::test;

namespace {

/// SHA-256 over the canonical little-endian bytes of the values.
std::string checksum(const std::vector<fr>& values) {
  sha256 s;
  for (const auto& x : values)
    s.update(to_digest(x));
  return to_hex(s.finish());
}

struct checksums {
  unsigned arity;
  const char* compressed;
  const char* mds;
  const char* pre_sparse;
  const char* sparse;
};
constexpr checksums expected[] = {{2, "b768b730ce5198394d948d76421ab53b08cc16ec1ac082cf503f370192253e16",
                                   "b55e71db69c416c830c28ca9871f933b6c27220eae309801c981ee3b0885ee51",
                                   "13d6e8e5ba45b0d2096617d055499f36adad1aab6853de143ed42b14eea9a0f6",
                                   "a2fe507a83bddb8d57e5a00e7e58e79800c272b0db7dd4141943f6e567e99138"},
                                  {4, "3e4ec19ded2c86a89f3d6bddc13d9571a0cc5473e7207cfbaf6a8169a69f5709",
                                   "42a9ccbf22e42dc598fbe106f6b5019b46d545a725eb7538ba6bcf3765b350ab",
                                   "aee67dfb1ae8c43eca89f5742a745c6309f2d302ab741b75d2641b7025d87413",
                                   "f1c3c3a9fe9ea4a3c38c91971e5f379da38123fe1dcf960b461d84c5ba759f2b"},
                                  {8, "f5a94aea73a583d080abdf7d71259fab9107f5523a4a1eddc41468f94564dd16",
                                   "82d366586a4b49ae74f4c5bbc94bbed0a0eb064584097367d926ae1f11e30894",
                                   "dcfbdaea3eb7e347664c8f881c5443b1895f10c85cab0878022eb287defa8587",
                                   "3f823785875d8cc161c963d2a62d103a3fefab30eb4244cef877d8e624fb79f4"},
                                  {11, "2d7c0e4e9b98eda82102b69f1a964ae59ccf98b0008b6d3d632d86f4fea79d1d",
                                   "7ef350e5db367cae7828071ca354fefd25c59fe77e31261d27fb2ce8f14ff956",
                                   "f2a7353f0ce5ad724a7a58bf2db0e37f7c5662f064a6c97466021af83279a96e",
                                   "810a4d7f126f6e5fb3eb1980b57c70f90bb835219373d955726e30b3ca931556"}};

/// The permutation as defined: constants, S-boxes and the dense mix in every round.
fr plain_hash(const std::vector<fr>& preimage, const fr& tag) {
  const auto arity = static_cast<unsigned>(preimage.size());
  const auto& table = poseidon_table(arity);
  const auto raw = poseidon_round_constants(arity);
  std::vector<fr> state{tag};
  state.insert(state.end(), preimage.begin(), preimage.end());
  const unsigned rounds = table.full_rounds + table.partial_rounds;
  for (unsigned round = 0; round < rounds; ++round) {
    const bool full = round < 4 || round >= 4 + table.partial_rounds;
    for (unsigned i = 0; i < table.width; ++i) {
      state[i] += raw[round * table.width + i];
      if (full || i == 0)
        state[i] = state[i].pow(5);
    }
    std::vector<fr> mixed(table.width, fr::zero());
    for (unsigned i = 0; i < table.width; ++i)
      for (unsigned j = 0; j < table.width; ++j)
        mixed[j] += state[i] * table.mds_at(i, j);
    state = mixed;
  }
  return state[1];
}

} // namespace

TEST_CASE("the generated Poseidon constants have the known checksums") {
  for (const auto& e : expected) {
    INFO(e.arity);
    const auto& t = poseidon_table(e.arity);
    CHECK(t.compressed.size() == 8 * t.width + t.partial_rounds);
    CHECK(checksum(t.compressed) == e.compressed);
    CHECK(checksum(t.mds) == e.mds);
    CHECK(checksum(t.pre_sparse) == e.pre_sparse);
    CHECK(checksum(t.sparse) == e.sparse);
  }
}

TEST_CASE("the Grain generator begins with the known constants") {
  const auto be = [](const fr& x) {
    auto d = to_digest(x);
    std::reverse(d.begin(), d.end());
    return to_hex(d);
  };
  const auto two = poseidon_round_constants(2);
  CHECK(be(two[0]) == "669f064bfa3ae17a23bd51861dbb4a24501eac92a2758b36a7320a009d6ed3d8");
  CHECK(be(two[1]) == "0a61a8defbacca36e4537ff2c84fa66ceee67c9645ac27346e72ab842b9d3f15");
  CHECK(be(poseidon_round_constants(11)[0]) == "1f6c9576e648b5047399bfc5f38902e0d506f18e0f3ab77de6de096bd089bce4");
}

TEST_CASE("Poseidon digests match the reference vectors") {
  for (const nlohmann::json& v : math_vectors()["poseidon"]) {
    INFO(v.dump());
    std::vector<fr> preimage;
    for (const nlohmann::json& x : v["preimage"])
      preimage.push_back(read_field<fr>(x));
    const fr tag = fr::from_u64(v["domain_tag"].get<std::uint64_t>());
    CHECK(poseidon_hash(preimage, tag) == read_field<fr>(v["digest"]));
  }
}

TEST_CASE("Poseidon tags are those of the two hash types") {
  CHECK(poseidon_merkle_tag(2) == fr::from_u64(3));
  CHECK(poseidon_merkle_tag(11) == fr::from_u64(2047));
  CHECK(poseidon_random_tag() == fr::from_u64(1099511627776));
  const std::vector<fr> in{fr::zero(), fr::one()};
  auto d = to_digest(poseidon_hash(in, poseidon_random_tag()));
  std::reverse(d.begin(), d.end());
  CHECK(to_hex(d) == "314a35c4e7f0924ead1fc58134a0fe25e3580bea397367c7e5a74ec4bc077758");
}

TEST_CASE("the optimised permutation is the plain one, also for the largest scalars") {
  for (const unsigned arity : poseidon_arities) {
    INFO(arity);
    std::vector<fr> in(arity, -fr::one());
    CHECK(poseidon_hash(in, -fr::one()) == plain_hash(in, -fr::one()));
    in.front() = fr::zero();
    CHECK(poseidon_hash(in) == plain_hash(in, poseidon_merkle_tag(arity)));
  }
}

TEST_CASE("an inner product is the sum of the products, for every length and for the largest scalars") {
  std::vector<fr> a, b;
  fr expected = fr::zero();
  for (unsigned n = 0; n <= 64; ++n) {
    CHECK(fr_dot(a.data(), b.data(), n) == expected);
    CHECK(fr_dot_portable(a.data(), b.data(), n) == expected);
    a.push_back(n % 3 == 0 ? -fr::one() : fr::from_u64(n).inverse());
    b.push_back(n % 2 == 0 ? fr::zero() - fr::raw({{1, 0, 0, 0}}) : fr::from_u64(n * n + 5).inverse());
    expected += a.back() * b.back();
  }
  const std::vector<fr> top(64, fr::zero() - fr::raw({{1, 0, 0, 0}})); // limbs of r - 1
  fr sum = fr::zero();
  for (const auto& x : top)
    sum += x * x;
  CHECK(fr_dot(top.data(), top.data(), 64) == sum);
  CHECK(fr_dot_portable(top.data(), top.data(), 64) == sum);
}

TEST_CASE("other arities than the five are refused with zero") {
  CHECK(poseidon_hash(std::vector<fr>(3, fr::one())).is_zero());
  CHECK(poseidon_hash(std::vector<fr>()).is_zero());
}

TEST_CASE("every S-box is shown to the visitor with its powers") {
  const auto& table = poseidon_table(2);
  std::array<fr, 3> state = {poseidon_merkle_tag(2), fr::one(), fr::from_u64(7)};
  unsigned seen = 0;
  bool powers_right = true;
  fr first{};
  poseidon_permute<3>(table, state, [&](const fr& x, const fr& x2, const fr& x4, const fr&) {
    if (seen++ == 0)
      first = x;
    powers_right = powers_right && x2 == x * x && x4 == x2 * x2;
  });
  CHECK(seen == 8 * 3 + table.partial_rounds);
  CHECK(powers_right);
  CHECK(first == poseidon_merkle_tag(2) + table.compressed[0]);
  CHECK(state[1] == poseidon_hash(std::vector<fr>{fr::one(), fr::from_u64(7)}));
}
