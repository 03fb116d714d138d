// Names of parameter files and their published digests, against the published list.
#include "filecoin/parameters.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

#include <set>
#include <sstream>

using namespace cuzk;
using namespace cuzk::filecoin;

namespace {

struct listed {
  std::string kind, bytes, file, digest;
};

std::vector<listed> published_list() {
  const auto raw = test::read_file(test::vector_path("parameters.tsv"));
  std::istringstream in(std::string(raw.begin(), raw.end()));
  std::vector<listed> out;
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    listed l;
    if (line.front() != '#' && fields >> l.kind >> l.bytes >> l.file >> l.digest)
      out.push_back(l);
  }
  return out;
}

} // namespace

TEST_CASE("every published file of the four kinds has a computed name and its digest in the table") {
  std::set<std::string> found;
  for (const auto& l : published_list()) {
    INFO(l.file);
    if (l.kind == "update-poseidon-twin")
      continue; // published, used by nobody
    bool known = false;
    for (const auto kind : all_proof_kinds) {
      const circuit_name circuit{kind, *sector_size_of_bytes(std::stoull(l.bytes))};
      if (l.file == params_file_name(circuit)) {
        known = true;
        REQUIRE(published(circuit));
        CHECK(published(circuit)->params == l.digest);
      } else if (l.file == vk_file_name(circuit)) {
        known = true;
        REQUIRE(published(circuit));
        CHECK(published(circuit)->vk == l.digest);
        CHECK(circuit_of_published_vk(l.digest) == circuit);
        found.insert(to_string(circuit));
      }
    }
    CHECK(known);
  }
  CHECK(found.size() == 20);
}

TEST_CASE("the sizes without a ceremony have the recomputed names and no digest") {
  struct row {
    const char* circuit;
    const char* hash;
  };
  const row rows[] = {{"porep-4k", "71fadf776fff80d5977d027cdf5b4af941c75de6aafee6530ff15997f7173b9b"},
                      {"porep-1g", "002b03e3cbccd5d23c5f673a39ec4127ae31a1820be2faa32f72fdc75cf262c2"},
                      {"winning-16k", "fb97aa10509b0b9a3663c412f4362c4899d88bc4fcd680ab5898a4b5c594c9ca"},
                      {"window-32k", "0f2270b825bd80be1b341ad648b96c9cbf744a38c50921dc734e4a251a48447b"},
                      {"snap-16m", "05c0e7da0d0341a1e5cb5ed6f34be85cc401bb05d23c10b207bae063b4aab9e3"}};
  for (const auto& r : rows) {
    INFO(r.circuit);
    const auto circuit = parse_circuit_name(r.circuit);
    REQUIRE(circuit);
    CHECK(parameter_stem(*circuit).ends_with(r.hash));
    CHECK_FALSE(published(*circuit));
  }
  CHECK_FALSE(circuit_of_published_vk("00000000000000000000000000000000"));
}
