// Names, shapes and proof types.
#include "filecoin/merkle_layout.hpp"
#include "filecoin/registered_proof.hpp"
#include "filecoin/shapes.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;
using namespace cuzk::filecoin;

TEST_CASE("every circuit's name is read back") {
  for (const auto kind : all_proof_kinds)
    for (const auto size : all_sector_sizes) {
      const circuit_name name{kind, size};
      const auto read = parse_circuit_name(to_string(name));
      if (kind == proof_kind::snap && size == sector_size::g1) {
        CHECK_FALSE(read); // the one that does not exist
        continue;
      }
      REQUIRE(read);
      CHECK(*read == name);
    }
}

TEST_CASE("other spellings of kinds and sizes are accepted and printed in the first one") {
  struct row {
    const char* spelled;
    const char* printed;
  };
  for (const auto& r :
       {row{"update-2k", "snap-2k"}, row{"winning-post-2KiB", "winning-2k"}, row{"porep-32GiB", "porep-32g"},
        row{"window-post-512m", "window-512m"}, row{"porep-8MiB", "porep-8m"}, row{"snap-64gib", "snap-64g"}}) {
    const auto read = parse_circuit_name(r.spelled);
    REQUIRE(read);
    CHECK(to_string(*read) == r.printed);
  }
}

TEST_CASE("unknown names are refused with what was expected") {
  for (const char* text :
       {"", "porep", "porep-", "-2k", "porep-3k", "seal-2k", "porep-2kb", "Porep-2k", "snap-1g", "porep_2k"}) {
    INFO(text);
    const auto read = parse_circuit_name(text);
    REQUIRE_FALSE(read);
    CHECK(read.err().code == errc::bad_input);
  }
  CHECK_FALSE(sector_size_of_bytes(2047));
  CHECK_FALSE(sector_size_of_bytes(0));
  CHECK(*sector_size_of_bytes(std::uint64_t(1) << 36) == sector_size::g64);
}

TEST_CASE("the trees of a size hold exactly its nodes") {
  for (const auto size : all_sector_sizes) {
    INFO(to_string(size));
    const auto& s = shape_of(size);
    CHECK(s.size == size);
    CHECK(s.nodes() * 32 == bytes_of(size));
    CHECK(level_weight(s.tree, s.tree.levels()) == s.nodes());
    CHECK(level_weight(s.tree_d, s.tree_d.levels()) == s.nodes());
    CHECK(first_sibling(s.tree, s.tree.levels()) == s.tree.siblings());
  }
}

TEST_CASE("shapes of the two production sizes and the smallest are the protocol's") {
  const auto& small = shape_of(sector_size::k2);
  CHECK(small.porep.layers == 2);
  CHECK(small.window.slots == 2);
  CHECK(small.snap.partitions == 1);
  CHECK(small.snap.h_select == 1);
  const auto& g32 = shape_of(sector_size::g32);
  CHECK(g32.tree.levels() == 10);
  CHECK(g32.porep.layers == 11);
  CHECK(g32.porep.challenges * g32.porep.partitions == 180);
  CHECK(g32.porep.ni_partitions == 126);
  CHECK(g32.window.slots == 2349);
  CHECK(g32.snap.partitions == 16);
  CHECK(g32.snap.h_select == 8);
  const auto& g64 = shape_of(sector_size::g64);
  CHECK(std::string(variant_name(g64.tree)) == "Top");
  CHECK(g64.tree.siblings() == 9 * 7 + 7 + 1);
  CHECK(g64.window.slots == 2300);
  CHECK(shape_of(sector_size::g1).snap.partitions == 0);
  CHECK(shape_of(sector_size::m8).snap.partitions == 4);
}

TEST_CASE("chain names of proof types carry number, API version and feature") {
  struct row {
    proof_kind kind;
    const char* name;
    sector_size size;
    api_version api;
    int number;
  };
  const row rows[] = {
    {proof_kind::porep, "StackedDrg2KiBV1", sector_size::k2, api_version::v1_0_0, 0},
    {proof_kind::porep, "StackedDrg32GiBV1_1", sector_size::g32, api_version::v1_1_0, 8},
    {proof_kind::porep, "StackedDrg64GiBV1_1_Feat_SyntheticPoRep", sector_size::g64, api_version::v1_2_0, 14},
    {proof_kind::porep, "StackedDrg512MiBV1_2_Feat_NonInteractivePoRep", sector_size::m512, api_version::v1_2_0, 17},
    {proof_kind::winning, "StackedDrgWinning64GiBV1", sector_size::g64, api_version::v1_0_0, 4},
    {proof_kind::window, "StackedDrgWindow8MiBV1", sector_size::m8, api_version::v1_0_0, 6},
    {proof_kind::window, "StackedDrgWindow32GiBV1_2", sector_size::g32, api_version::v1_2_0, 13},
    {proof_kind::snap, "StackedDrg512MiBV1", sector_size::m512, api_version::v1_1_0, 2},
    {proof_kind::porep, "StackedDrg4KiBV1_1", sector_size::k4, api_version::v1_1_0, -1}};
  for (const auto& r : rows) {
    INFO(r.name);
    const auto proof = parse_registered_proof(r.kind, r.name);
    REQUIRE(proof);
    CHECK(proof->size == r.size);
    CHECK(proof->api == r.api);
    CHECK(proof->number.has_value() == (r.number >= 0));
    if (proof->number) {
      CHECK(int(*proof->number) == r.number);
    }
    CHECK(to_string(*proof) == r.name);
    CHECK(default_porep_id(*proof).has_value() == proof->number.has_value());
  }
  for (const char* name : {"", "StackedDrg2KiBV9", "StackedDrg2KiBV1_2", "StackedDrgWindow2KiBV1", "stackedDrg2KiBV1"})
    CHECK_FALSE(parse_registered_proof(proof_kind::porep, name));
  CHECK_FALSE(parse_registered_proof(proof_kind::winning, "StackedDrg2KiBV1"));
  CHECK(vanilla_proofs_key(sector_size::g32) == "StackedDrg32GiBV1");
  CHECK(parse_api_version("1.2.0"));
  CHECK(parse_api_version("V1_0_0"));
  CHECK_FALSE(parse_api_version("1.3.0"));
}
