// Test keys: the seed rule, scalars as JSON, names of files, what is kept and what is refused.
#include "filecoin/parameters.hpp"
#include "groth16/sha512.hpp"
#include "groth16/test_key.hpp"
#include "groth16/toxic_json.hpp"
#include "math/generators.hpp"
#include "math/ntt.hpp"
#include "tests/groth16/made_key.hpp"
#include "tests/support/catch.hpp"

#include <filesystem>

using namespace cuzk;
using namespace cuzk::groth16;
using namespace cuzk::test;

TEST_CASE("SHA-512 equals the standard's examples around the block size") {
  const auto hash = [](const std::string& text) { return to_hex(sha512(as_bytes(text))); };
  CHECK(hash("abc") == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                       "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f");
  CHECK(hash("") == "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                    "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e");
  CHECK(hash(std::string(111, 'x')) == "9a2a120825c2319867758ec277924f6faa254968bf752046dacdd948d8ad299b"
                                       "10359fd04bfd7d3810b5fa1b16a294236138baff981cbb85248478053ac4d3dd");
  CHECK(hash(std::string(112, 'x')) == "a3722b515ef40c910f2419f6e0da8ca51d410114ce6272faae64045f9e9f630e"
                                       "7fa8dd5a3243c9860b899d148c3da4bc0f9e07454542604d030bb55531fe0d5b");
}

TEST_CASE("the scalars of a seed follow the rule") {
  // Computed with another program: SHA-512(tag, seed as u64 LE, i) as a little-endian integer mod r.
  const auto toxic = toxic_of_seed(1);
  CHECK(to_hex(to_le_bytes(toxic.alpha)) == "3306530e982d41eda8d736674657d3a047a454d3e9b3527ed4e3ab5b6fb0e120");
  CHECK(to_hex(to_le_bytes(toxic.tau)) == "e37d709e6441a60195e37d1aa1fcc4fafd04304bbab74ece4b787f1914de7b4c");
  CHECK(to_hex(to_le_bytes(toxic_of_seed(0x0123456789abcdef).delta)) ==
        "c892fad2b48d9c8f8d75a305fdc4532810ec019c14e9bdec569cf7c44906250e");
  CHECK(toxic.g1 == g1_generator());
  CHECK(toxic.g2 == g2_generator());
}

TEST_CASE("scalars are read from JSON, alone or inside a document") {
  for (const std::string name : {"cube", "mixed", "porep-2k"}) {
    const auto vectors = read_vectors("groth16/" + name + ".json");
    const auto expected = read_toxic(vectors["toxic_waste"]);
    const nlohmann::json wrapped = {{"set", "given"}, {"toxic_waste", vectors["toxic_waste"]}};
    for (const auto& text : {vectors["toxic_waste"].dump(), wrapped.dump(2)}) {
      auto read = read_toxic_json(text, "t.json");
      REQUIRE(read);
      CHECK(read->tau == expected.tau);
      CHECK(read->beta == expected.beta);
      CHECK(read->g1 == expected.g1);
      CHECK(read->g2 == expected.g2);
      CHECK(tag_of(*read) == tag_of(expected));
    }
  }
}

TEST_CASE("scalars that are not right are refused by member") {
  const auto good = read_vectors("groth16/cube.json")["toxic_waste"];
  const auto refused = [](const nlohmann::json& document) {
    auto read = read_toxic_json(document.dump(), "t.json");
    REQUIRE_FALSE(read);
    CHECK(read.err().code == errc::bad_input);
    return read.err().message();
  };
  const auto with = [&good](const char* member, const nlohmann::json& value) {
    auto out = good;
    out[member] = value;
    return out;
  };
  auto without = good;
  without.erase("tau");
  CHECK(refused(without).find("t.json") != std::string::npos);
  CHECK(refused(with("alpha", "00")).find("/alpha") != std::string::npos);
  CHECK(refused(with("alpha", std::string(64, 'f'))).find("not below the group order") != std::string::npos);
  CHECK(refused(with("g1", std::string(192, '0'))).find("/g1") != std::string::npos);
  CHECK(refused(with("g2", "40" + std::string(382, '0'))).find("infinity") != std::string::npos);
  CHECK(refused(with("toxic_waste", {{"toxic_waste", good}})).find("inside itself") != std::string::npos);
  CHECK(refused(7) != "");
}

TEST_CASE("scalars that make no key are refused") {
  const auto circuit = circuit_of_vectors("cube");
  thread_pool pool(1);
  const auto refused = [&](const toxic_waste& toxic) {
    return generate_key(*circuit.shape, toxic, {}, {pool}).err().code == errc::bad_input;
  };
  const auto good = toxic_of_seed(1);
  auto bad = good;
  bad.delta = fr::zero();
  CHECK(refused(bad));
  bad = good;
  bad.tau = fr::zero();
  CHECK(refused(bad));
  bad.tau = root_of_unity(3); // on the domain of eight rows
  CHECK(refused(bad));
  bad.tau = root_of_unity(4); // on its odd coset
  CHECK(refused(bad));
}

TEST_CASE("an equal key is kept, another one refused unless forced, and damage noticed") {
  const temp_dir dir;
  thread_pool pool(2);
  const auto name = *filecoin::parse_circuit_name("window-2k");
  test_key_request request{name, toxic_of_seed(1), "1", dir.path(), false};
  auto made = generate_test_key(request, {pool});
  REQUIRE(made);
  CHECK_FALSE(made->kept);
  const std::string stem = dir / ("insecure-test-1-" + filecoin::parameter_stem(name));
  CHECK(made->paths.params == stem + ".params");
  CHECK(made->paths.vk == stem + ".vk");
  CHECK(std::filesystem::file_size(made->paths.params) == 11'501'496);
  CHECK(std::distance(std::filesystem::directory_iterator(dir.path()), {}) == 3); // no temporary file is left
  const auto params = read_file(made->paths.params);

  auto again = generate_test_key(request, {pool});
  REQUIRE(again);
  CHECK(again->kept);

  request.toxic = toxic_of_seed(2); // under the name of seed 1
  CHECK(generate_test_key(request, {pool}).err().code == errc::conflict);
  CHECK(read_file(made->paths.params) == params);
  request.force = true;
  REQUIRE(generate_test_key(request, {pool}));
  CHECK(read_file(made->paths.params) != params);

  request = {name, toxic_of_seed(1), "1", dir.path(), true};
  REQUIRE(generate_test_key(request, {pool}));
  CHECK(read_file(made->paths.params) == params);
  std::filesystem::resize_file(made->paths.derived, 5000);
  request.force = false;
  CHECK(generate_test_key(request, {pool}).err().code == errc::conflict);
}
