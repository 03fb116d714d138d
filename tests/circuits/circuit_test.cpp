// The circuits of every sector size against the reference: digest, counts, densities, and digests on the way.
#include "circuits/core/r1cs_digest.hpp"
#include "circuits/info.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

#include <map>
#include <vector>

using namespace cuzk;
using namespace cuzk::circuits;
using filecoin::circuit_name;
using filecoin::proof_kind;
using filecoin::sector_size;

namespace {

std::map<std::string, nlohmann::json> circuit_vectors() {
  std::map<std::string, nlohmann::json> out;
  for (const auto& entry : test::read_vectors("r1cs.json"))
    if (entry.at("kind") == "circuit")
      if (const auto name = filecoin::parse_circuit_name(entry.at("name").get<std::string>()))
        out[to_string(*name)] = entry;
  return out;
}

/// Size of every parameter file of the ceremony's layout, bytes.
const std::map<std::string, std::uint64_t> params_bytes = {
  {"porep-2k", 1114707768},    {"porep-4k", 1142600952},    {"porep-16k", 1193287800},  {"porep-32k", 1221180984},
  {"porep-8m", 1429027896},    {"porep-16m", 1456921080},   {"porep-512m", 1988841144}, {"porep-1g", 2016734328},
  {"porep-32g", 47373928632},  {"porep-64g", 47624967288},  {"winning-2k", 47299128},   {"winning-4k", 55263480},
  {"winning-16k", 60674424},   {"winning-32k", 81221688},   {"winning-8m", 113383224},  {"winning-16m", 121347576},
  {"winning-512m", 165299640}, {"winning-1g", 173263992},   {"winning-32g", 192050232}, {"winning-64g", 200014584},
  {"window-2k", 11501496},     {"window-4k", 13914936},     {"window-16k", 15554616},   {"window-32k", 21113784},
  {"window-8m", 30859704},     {"window-16m", 39564600},    {"window-512m", 45257400},  {"window-1g", 47670840},
  {"window-32g", 60780374232}, {"window-64g", 62556733560}, {"snap-2k", 655789464},     {"snap-4k", 979673496},
  {"snap-16k", 2477541240},    {"snap-32k", 2600098680},    {"snap-8m", 4268165208},    {"snap-16m", 4390722648},
  {"snap-512m", 21741422712},  {"snap-32g", 34453501368},   {"snap-64g", 35507495352},
};

std::shared_ptr<const circuit> find(const circuit_name& name) {
  auto found = find_circuit(name);
  REQUIRE(found);
  return *found;
}

void check_info(const circuit_name& name) {
  INFO(to_string(name));
  const auto expected = circuit_vectors().at(to_string(name));
  const auto info = info_of(*find(name));
  REQUIRE(info);
  const auto json = nlohmann::json::parse(to_json(*info));
  for (const char* member : {"inputs", "aux", "rows", "nnz_a", "nnz_b", "nnz_c", "a_aux_density", "b_input_density",
                             "b_aux_density", "hash"}) {
    INFO(member);
    CHECK(json.at(member) == expected.at(member));
  }
  CHECK(info->params_bytes == params_bytes.at(to_string(name)));
}

/// Digests of the rows so far, at the prefixes and at the end of every named part of the reference.
void check_on_the_way(const circuit_name& name) {
  INFO(to_string(name));
  const auto expected = circuit_vectors().at(to_string(name));
  std::map<std::uint64_t, std::string> wanted;
  for (const auto& [rows, hash] : expected.at("prefixes").get<std::map<std::string, std::string>>())
    wanted[std::stoull(rows)] = hash;
  if (expected.contains("marks"))
    for (const nlohmann::json& mark : expected.at("marks"))
      wanted[mark.at(3).get<std::uint64_t>()] = mark.at(4).get<std::string>();
  std::vector<std::uint64_t> rows;
  for (const auto& [n, hash] : wanted)
    rows.push_back(n);
  r1cs_prefix_digests sink(rows);
  REQUIRE(find(name)->read_rows(sink));
  for (const auto& [n, hash] : wanted) {
    INFO("first " << n << " rows");
    REQUIRE(sink.digests().count(n) == 1);
    CHECK(to_hex(sink.digests().at(n)) == hash);
  }
}

constexpr proof_kind kinds[] = {proof_kind::porep, proof_kind::winning, proof_kind::window, proof_kind::snap};

bool exists(const circuit_name& name) {
  return name != circuit_name{proof_kind::snap, sector_size::g1};
}

} // namespace

TEST_CASE("the circuits of the test sectors have the digests, counts and densities of the reference") {
  for (const auto kind : kinds)
    for (const auto size : {sector_size::k2, sector_size::k4, sector_size::k16, sector_size::k32})
      if (kind != proof_kind::snap || size <= sector_size::k4)
        check_info({kind, size});
}

TEST_CASE("the update circuits of 16 and 32 KiB have the digests, counts and densities of the reference", "[slow]") {
  check_info({proof_kind::snap, sector_size::k16});
  check_info({proof_kind::snap, sector_size::k32});
}

TEST_CASE("the circuits of 8 MiB to 1 GiB have the digests, counts and densities of the reference", "[slow]") {
  for (const auto kind : kinds)
    for (const auto size : {sector_size::m8, sector_size::m16, sector_size::m512, sector_size::g1})
      if (exists({kind, size}))
        check_info({kind, size});
}

TEST_CASE("the circuits of 32 and 64 GiB have the digests, counts and densities of the reference", "[slow]") {
  for (const auto kind : kinds)
    for (const auto size : {sector_size::g32, sector_size::g64})
      check_info({kind, size});
}

TEST_CASE("rows agree with the reference at every mark on the way") {
  for (const auto kind : kinds)
    check_on_the_way({kind, sector_size::k2});
  check_on_the_way({proof_kind::winning, sector_size::g32});
}

TEST_CASE("info tells the parameter file, its size, the key's size and the domain") {
  const auto info = info_of(*find({proof_kind::window, sector_size::k2}));
  REQUIRE(info);
  CHECK(info->domain_size == 32768);
  CHECK(info->params_bytes == 11501496);
  CHECK(info->vk_bytes == 868 + 96 * 23);
  CHECK(info->params_file == "v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
                             "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0.params");
  const auto text = to_text(*info);
  CHECK(text.find("\ndomain_size: 32768\n") != std::string::npos);
  CHECK(text.find("name: window-2k\n") == 0);
}

TEST_CASE("a circuit that does not exist is refused") {
  const auto none = find_circuit({proof_kind::snap, sector_size::g1});
  REQUIRE(!none);
  CHECK(none.err().code == errc::bad_input);
  CHECK(none.err().text.find("snap-1g") != std::string::npos);
}
