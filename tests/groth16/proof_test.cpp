// Keys and proofs of the vectors, byte for byte.
#include "groth16/prove.hpp"
#include "groth16/proving_key.hpp"
#include "groth16/verify.hpp"
#include "math/hash/sha256.hpp"
#include "tests/groth16/toy_circuits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temp_dir.hpp"

#include <map>

using namespace cuzk;
using namespace cuzk::groth16;
using namespace cuzk::test;

namespace {

const auto silent = [](std::string_view, double) {};

/// A key made from the vectors' toxic scalars, in a folder of its own.
struct made_key {
  temp_dir dir;
  std::string path = dir.path() + "/key.params";
  nlohmann::json vectors;
  ready_circuit circuit;
  thread_pool pool{2};

  explicit made_key(const std::string& name)
    : vectors(read_vectors("groth16/" + name + ".json")), circuit(circuit_of_vectors(name)) {
    auto made = generate_key(*circuit.shape, read_toxic(vectors["toxic_waste"]),
                             {path, dir.path() + "/key.vk", path + ".derived"}, pool, silent);
    if (!made)
      throw std::runtime_error(made.err().message());
  }
};

std::string sha256_hex(byte_view data) {
  return to_hex(sha256_of(data));
}

void check_key_bytes(const made_key& key, const std::string& name) {
  auto file = mapped_file::open(key.path);
  REQUIRE(file);
  const auto& expected = key.vectors["params"];
  CHECK(file->bytes().size() == expected["bytes"].get<std::size_t>());
  std::size_t at = 0;
  for (const auto& part : expected["sections"]) {
    const auto size = part["bytes"].get<std::size_t>();
    INFO(name << " section " << part["name"]);
    CHECK(sha256_hex(file->bytes().subspan(at, size)) == part["sha256"].get<std::string>());
    at += size;
  }
  CHECK(read_file(key.dir.path() + "/key.vk") == read_file(vector_path("groth16/" + name + ".vk")));
}

compact_witness checked_witness(const made_key& key, const nlohmann::json& c, thread_pool& pool) {
  auto witness = key.circuit.witness(c, pool);
  sha256 hash;
  const auto& map = key.circuit.shape->wires;
  for (std::uint32_t j = 0; j < map.counts().aux(); ++j)
    hash.update(to_le_bytes(witness.aux(map, j)));
  CHECK(to_hex(hash.finish()) == c["aux_sha256"].get<std::string>());
  return witness;
}

void check_case(made_key& key, const nlohmann::json& c) {
  const auto witness = std::make_shared<const compact_witness>(checked_witness(key, c, key.pool));
  auto opened = proving_key::open(key.path, *key.circuit.shape, {});
  REQUIRE(opened);
  REQUIRE((*opened)->derived() != nullptr);
  CHECK((*opened)->is_test_key());
  for (const auto& p : c["proofs"]) {
    std::map<derived_use, std::string> got;
    for (auto way : {derived_use::required, derived_use::off}) {
      prove_timings timings;
      auto proof = prove(
        {*opened, key.circuit.shape, witness, read_scalar(p["r"]), read_scalar(p["s"]), way, {}}, key.pool,
        [](stage, double) {}, timings);
      REQUIRE(proof);
      CHECK(timings.derived == (way == derived_use::required));
      got[way] = to_hex(encode_proof(*proof));
      CHECK(verify((*opened)->vk(), *proof, witness->public_inputs()));
    }
    CHECK(got[derived_use::required] == p["proof"].get<std::string>());
    CHECK(got[derived_use::off] == p["proof"].get<std::string>());
  }
}

void check_verdicts(const made_key& key) {
  auto vk = read_verifying_key(read_file(key.dir.path() + "/key.vk"), "key.vk");
  REQUIRE(vk);
  for (const auto& v : key.vectors["verdicts"]) {
    std::vector<bytes> inputs;
    for (const auto& x : v["public_inputs"])
      inputs.push_back(unhex(x.get<std::string>()));
    const auto verdict = v["verdict"].get<std::string>();
    INFO(v["what"]);
    auto proof = decode_proof(unhex(v["proof"].get<std::string>()));
    auto values = read_inputs(inputs);
    if (verdict == "proof unreadable") {
      CHECK_FALSE(proof);
      continue;
    }
    REQUIRE(proof);
    CHECK(values.has_value() == (verdict != "input not canonical"));
    if (!values)
      continue;
    auto outcome = verify(*vk, *proof, *values);
    CHECK(outcome.has_value() == (verdict == "accepted"));
    if (!outcome)
      CHECK(outcome.err().code == (verdict == "refused" ? errc::self_check_failed : errc::bad_input));
  }
}

void check_all(const std::string& name) {
  made_key key(name);
  check_key_bytes(key, name);
  for (const auto& c : key.vectors["cases"])
    check_case(key, c);
  check_verdicts(key);
}

} // namespace

TEST_CASE("cube: key, proofs on both ways and verdicts equal the reference's") {
  check_all("cube");
  CHECK(made_key("cube").vectors["params"]["bytes"] == read_file(vector_path("groth16/cube.params")).size());
}

TEST_CASE("mixed: key, proofs on both ways and verdicts equal the reference's") {
  check_all("mixed");
}

TEST_CASE("window-2k: key, proofs on both ways and verdicts equal the reference's") {
  check_all("window-2k");
}

TEST_CASE("winning-2k: key, proofs on both ways and verdicts equal the reference's") {
  check_all("winning-2k");
}

TEST_CASE("porep-2k: key, proofs on both ways and verdicts equal the reference's", "[slow]") {
  check_all("porep-2k");
}

TEST_CASE("snap-2k: key, proofs on both ways and verdicts equal the reference's", "[slow]") {
  check_all("update-2k");
}

TEST_CASE("claims are verified together; one false claim spoils them") {
  made_key key("mixed");
  auto vk = read_verifying_key(read_file(key.dir.path() + "/key.vk"), "key.vk");
  REQUIRE(vk);
  std::vector<claim> claims;
  for (const auto& c : key.vectors["cases"])
    for (const auto& p : c["proofs"]) {
      std::vector<fr> inputs;
      for (const auto& x : c["public_inputs"])
        inputs.push_back(read_scalar(x));
      claims.push_back({*decode_proof(unhex(p["proof"].get<std::string>())), inputs});
    }
  CHECK(verify_batch(*vk, claims));
  std::swap(claims[0].proof, claims.back().proof);
  auto spoiled = verify_batch(*vk, claims);
  REQUIRE_FALSE(spoiled);
  CHECK(spoiled.err().code == errc::self_check_failed);
  claims[1].inputs.pop_back();
  CHECK(verify_batch(*vk, claims).err().code == errc::bad_input);
}

TEST_CASE("a prove that is cancelled says so, and a missing derived key too") {
  made_key key("cube");
  const auto& c = key.vectors["cases"][0];
  const auto witness = std::make_shared<const compact_witness>(key.circuit.witness(c, key.pool));
  auto opened = proving_key::open(key.path, *key.circuit.shape, {"", false});
  REQUIRE(opened);
  prove_request request{*opened, key.circuit.shape, witness, fr::one(), fr::one(), derived_use::required, {}};
  prove_timings timings;
  const auto nothing = [](stage, double) {};
  CHECK(prove(request, key.pool, nothing, timings).err().code == errc::params);
  request.derived = derived_use::automatic;
  request.cancel.cancel();
  CHECK(prove(request, key.pool, nothing, timings).err().code == errc::cancelled);
}

TEST_CASE("a derived key of another source is refused") {
  made_key key("cube"), other("mixed");
  auto damaged = read_file(key.path + ".derived");
  const auto try_with = [&](const bytes& data) {
    auto file = file_writer::create(key.dir.path() + "/other.derived");
    REQUIRE(file);
    REQUIRE(file->append(data));
    REQUIRE(file->commit());
    return proving_key::open(key.path, *key.circuit.shape, {key.dir.path() + "/other.derived", true});
  };
  CHECK(try_with(damaged));
  damaged[40] ^= 1; // of the source's digest
  CHECK(try_with(damaged).err().code == errc::params);
  damaged.pop_back();
  CHECK(try_with(damaged).err().code == errc::params);
  CHECK(try_with(read_file(other.path + ".derived")).err().code == errc::params);
}
