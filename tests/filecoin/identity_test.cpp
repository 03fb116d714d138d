// Prover ids, replica ids, challenges and the graph against values of the reference.
#include "filecoin/graph.hpp"
#include "filecoin/identity.hpp"
#include "filecoin/snap.hpp"
#include "math/hash/poseidon.hpp"
#include "math/hash/sha256.hpp"
#include "tests/filecoin/vanilla_cases.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;
using namespace cuzk::filecoin;
using namespace cuzk::test;

namespace {

digest filled(std::uint8_t byte) {
  digest d;
  d.fill(byte);
  return d;
}

digest porep_id(std::uint8_t number) {
  digest d{};
  d[0] = number;
  return d;
}

/// SHA-256 over 14 numbers of 32 bits for every node.
std::string table_digest(const sdr_graph& graph) {
  sha256 hash;
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
    std::array<std::uint8_t, 4 * parent_count> row;
    const auto parents = graph.parents(v);
    for (unsigned i = 0; i < parents.size(); ++i)
      for (unsigned b = 0; b < 4; ++b)
        row[4 * i + b] = static_cast<std::uint8_t>(parents[i] >> (8 * b));
    hash.update(row);
  }
  return to_hex(hash.finish());
}

} // namespace

TEST_CASE("parent tables of two sizes have the published digests") {
  CHECK(table_digest(sdr_graph(64, porep_id(0), api_version::v1_0_0)) ==
        "3da49221e2ed55371b86d0bf3d6526fcf128af61bed904f966428db1b531750d");
  CHECK(table_digest(sdr_graph(64, porep_id(5), api_version::v1_1_0)) ==
        "840057702eea7652cf97e04306c30fe57174714d90de156a25eddd6075c25b97");
}

TEST_CASE("the parent table of 8 MiB has the published digest", "[slow]") {
  CHECK(table_digest(sdr_graph(std::uint64_t(1) << 18, porep_id(6), api_version::v1_1_0)) ==
        "03cd13565ded97c240a5f52e54295ad127bd0461b57904cb3a4d79b097bbecab");
}

TEST_CASE("a sector of the seal regression records has the known replica id, challenges and parents") {
  const auto d = [](const char* hex) { return read_digest(hex); };
  const sector_identity who{d("101cbe4b9c42604f04c703c396f788c6cb2d6d7d58f45430b12eb2edd640076c"), 9259733836259213201u,
                            porep_id(0)};
  const auto replica = replica_id_of(who, d("e8867f2000d5597a0a5f4382c52b8b89890019df5320d486a067f38e6c68624b"),
                                     d("7e1e149ad957a46d34f58269bc8121aa249bc49f139d94760175f1006fd0a818"));
  CHECK(to_hex(replica) == "eedafd70f8a0dfaa33964fc981f841c1e5f87df7f6a898d5ca77a28934c7f718");
  const auto challenges = porep_challenges(
    {porep_feature::interactive, replica, {}, d("56964257e0d6c11e074117b36172fff3ebd1a6ec18fa79555e58df5a9d889dcb")},
    64, 2, 0);
  CHECK(challenges == std::vector<std::uint64_t>{11, 22});
  const sdr_graph graph(64, who.porep_id, api_version::v1_0_0);
  CHECK(graph.parents(11) == std::array<std::uint32_t, 14>{8, 5, 10, 8, 8, 10, 57, 22, 40, 33, 33, 36, 25, 44});
  CHECK(graph.parents(22) == std::array<std::uint32_t, 14>{13, 3, 10, 21, 21, 21, 19, 13, 41, 61, 50, 7, 16, 50});
}

TEST_CASE("challenges of every feature are those of the sealed sectors") {
  for (const auto& name : porep_cases()) {
    INFO(name);
    const vanilla_case v(name);
    const auto proof = v.proof();
    const auto& shape = shape_of(v.size());
    const porep_challenge_source source{proof.feature, read_digest(v.expected["replica_id"]),
                                        read_digest(v.expected["comm_r"]), read_digest(v.expected["seed"])};
    const sdr_graph graph(shape.nodes(), read_digest(v.expected["porep_id"]), proof.api);
    for (const nlohmann::json& p : v.expected["partitions"]) {
      const auto challenges = porep_challenges(source, shape.nodes(), shape.porep.challenges, p["k"].get<unsigned>());
      CHECK(challenges == p["challenges"].get<std::vector<std::uint64_t>>());
      for (const nlohmann::json& row : p["parents"]) {
        auto expected = row["drg"].get<std::vector<std::uint32_t>>();
        for (const nlohmann::json& e : row["exp"])
          expected.push_back(e.get<std::uint32_t>());
        const auto parents = graph.parents(row["challenge"].get<std::uint32_t>());
        CHECK(std::vector<std::uint32_t>(parents.begin(), parents.end()) == expected);
      }
    }
  }
}

TEST_CASE("synthetic challenges are those of the reference") {
  const vanilla_case v("porep-2k-synth");
  CHECK(synthetic_challenges(read_digest(v.expected["replica_id"]), read_digest(v.expected["comm_r"]), 64) ==
        v.expected["synthetic"]["challenges"].get<std::vector<std::uint64_t>>());
  // storage-proofs-porep's own test: 1024 nodes, replica id 55, comm_r 101.
  digest replica{}, comm_r{};
  replica[0] = 55;
  comm_r[0] = 101;
  auto all = synthetic_challenges(replica, comm_r, 1024);
  all.resize(21);
  CHECK(all == std::vector<std::uint64_t>{178, 297, 869, 211, 875, 477, 94,  781, 124, 332, 856,
                                          801, 176, 692, 429, 691, 290, 204, 986, 210, 973});
}

TEST_CASE("the winning sector and the PoSt leaves of the small sealed sector are the known ones") {
  digest prover = filled(1), randomness = filled(4);
  prover[31] = 0;
  randomness[31] = 0;
  CHECK(winning_choice(prover, randomness, 100) == 62);
  CHECK(winning_choice(prover, randomness, 1) == 0);
  const std::uint64_t leaves[] = {15, 63, 50, 52, 9, 5, 38, 4, 22, 62};
  for (std::uint64_t i = 0; i < 10; ++i)
    CHECK(post_challenge(randomness, 7, i, 64) == leaves[i]);
  const vanilla_case v("winning-2k");
  const nlohmann::json& choice = v.expected["winning_choice"];
  CHECK(winning_choice(read_digest(v.expected["prover_id"]), read_digest(v.expected["randomness"]),
                       choice["sector_set"].size()) == choice["chosen_index"].get<std::uint64_t>());
}

TEST_CASE("challenge indexes count through before V1_2_0 and restart after it") {
  const post_shape window{2349, 10}, winning{66, 1};
  CHECK(post_challenge_index(api_version::v1_2_0, window, 3, 17, 4) == 4);
  CHECK(post_challenge_index(api_version::v1_0_0, window, 3, 17, 4) == (3 * 2349 + 17) * 10 + 4);
  CHECK(post_challenge_index(api_version::v1_1_0, window, 0, 0, 9) == 9);
  CHECK(post_challenge_index(api_version::v1_0_0, winning, 0, 65, 0) == 65);
}

TEST_CASE("update challenges are those of the vectors") {
  for (const auto& name : snap_cases()) {
    INFO(name);
    const vanilla_case v(name);
    const auto comm_r_new = to_fr(read_digest(v.expected["comm_r_new"]));
    REQUIRE(comm_r_new);
    for (const nlohmann::json& p : v.expected["partitions"])
      CHECK(snap_challenges(*comm_r_new, p["k"].get<unsigned>(), shape_of(v.size())) ==
            p["challenges"].get<std::vector<std::uint64_t>>());
  }
}

TEST_CASE("update challenges of 32 GiB are those asserted by the reference") {
  // The first scalar of its seeded generator.
  auto d = read_digest("6c0740d6edb22eb13054f4587d6d2dcbc688f796c303c7044f60429c4bbe1c10");
  std::reverse(d.begin(), d.end());
  auto first = snap_challenges(*to_fr(d), 0, shape_of(sector_size::g32));
  REQUIRE(first.size() == 86);
  first.resize(5);
  CHECK(first == std::vector<std::uint64_t>{1019125, 27985696, 15282860, 11586600, 44651330});
}

TEST_CASE("miner addresses become prover ids") {
  CHECK(to_hex(*prover_id_of_miner("t01000")) == "e807" + std::string(60, '0'));
  CHECK(*prover_id_of_miner("f01000") == *prover_id_of_miner("1000"));
  CHECK(to_hex(*prover_id_of_miner("t00")) == std::string(64, '0'));
  CHECK(to_hex(prover_id_of_actor(~std::uint64_t(0))).substr(0, 20) == "ffffffffffffffffff01");
  for (const char* bad : {"", "t0", "t", "t1abc", "x01000", "t0-1", "t01000 ", "t099999999999999999999"}) {
    INFO(bad);
    CHECK_FALSE(prover_id_of_miner(bad));
  }
}
