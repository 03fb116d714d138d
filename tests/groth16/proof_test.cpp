// Keys and proofs of the vectors, byte for byte.
#include "circuits/core/evaluate.hpp"
#include "groth16/quotient.hpp"
#include "groth16/verify.hpp"
#include "tests/groth16/made_key.hpp"
#include "tests/support/catch.hpp"

#include <map>

using namespace cuzk;
using namespace cuzk::groth16;
using namespace cuzk::test;

namespace {

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
  CHECK(read_file(key.vk_path) == read_file(vector_path("groth16/" + name + ".vk")));
}

compact_witness checked_witness(const made_key& key, const nlohmann::json& c, thread_pool& pool) {
  auto witness = key.circuit.witness(c, pool);
  const auto& map = key.circuit.shape->wires;
  std::vector<fr> aux;
  for (std::uint32_t j = 0; j < map.counts().aux(); ++j)
    aux.push_back(witness.aux(map, j));
  CHECK(sha256_hex(aux) == c["aux_sha256"].get<std::string>());
  return witness;
}

// Row values and the quotient, by their digests.
void check_rows_and_h(made_key& key, const nlohmann::json& c, const compact_witness& witness) {
  const auto& of = *key.circuit.shape;
  for (const auto& [name, which] :
       {std::pair{"a", which_matrix::a}, std::pair{"b", which_matrix::b}, std::pair{"c", which_matrix::c}}) {
    std::vector<fr> rows(of.matrices.rows());
    REQUIRE(evaluate(of.matrices, which, witness, rows, key.pool));
    CHECK(sha256_hex(rows) == c["rows_sha256"][name].get<std::string>());
  }
  quotient_run run{of, witness, key.pool};
  auto h = h_coefficients(run);
  REQUIRE(h);
  CHECK(h->span().back().is_zero());
  CHECK(sha256_hex(h->span().first(of.domain() - 1)) == c["h_sha256"].get<std::string>());
}

template <class Point>
std::string uncompressed_hex(const Point& p) {
  return to_hex(encode_uncompressed(p.to_affine()));
}

// The five sums of the seven-transform way; the derived way splits l + h differently.
void check_sums(made_key& key, prove_request request, const nlohmann::json& expected) {
  prove_timings timings;
  request.derived = derived_use::off;
  auto plain = prove_sums(request, key.pool, no_stages, timings);
  REQUIRE(plain);
  const auto text = [&](const char* name) { return expected[name].get<std::string>(); };
  CHECK(uncompressed_hex(plain->a) == text("a"));
  CHECK(uncompressed_hex(plain->b_g1) == text("b_g1"));
  CHECK(uncompressed_hex(plain->b_g2) == text("b_g2"));
  CHECK(uncompressed_hex(plain->l) == text("l"));
  CHECK(uncompressed_hex(plain->h) == text("h"));
  request.derived = derived_use::required;
  auto derived = prove_sums(request, key.pool, no_stages, timings);
  REQUIRE(derived);
  CHECK(derived->a == plain->a);
  CHECK(derived->b_g1 == plain->b_g1);
  CHECK(derived->b_g2 == plain->b_g2);
  CHECK(derived->l + derived->h == plain->l + plain->h);
}

void check_proofs(made_key& key, prove_request request, const nlohmann::json& proofs) {
  for (const auto& p : proofs) {
    request.r = read_scalar(p["r"]);
    request.s = read_scalar(p["s"]);
    for (auto way : {derived_use::required, derived_use::off}) {
      request.derived = way;
      prove_timings timings;
      auto proof = prove(request, key.pool, no_stages, timings);
      REQUIRE(proof);
      CHECK(timings.derived == (way == derived_use::required));
      CHECK(to_hex(encode_proof(*proof)) == p["proof"].get<std::string>());
      CHECK(verify(request.key->vk(), *proof, request.witness->public_inputs()));
    }
  }
}

void check_case(made_key& key, const nlohmann::json& c) {
  const auto opened = key.open();
  REQUIRE(opened->derived() != nullptr);
  CHECK(opened->is_test_key());
  const auto witness = std::make_shared<const compact_witness>(checked_witness(key, c, key.pool));
  check_rows_and_h(key, c, *witness);
  prove_request request{opened, key.circuit.shape, witness};
  check_sums(key, request, c["sums"]);
  check_proofs(key, request, c["proofs"]);
}

void check_verdicts(const made_key& key) {
  auto vk = read_verifying_key(read_file(key.vk_path), "key.vk");
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

TEST_CASE("every public input of every kind is bound: with one changed, the reference's proof is refused") {
  for (const auto* name : {"porep-2k", "winning-2k", "window-2k", "update-2k"}) {
    const auto vectors = read_vectors("groth16/" + std::string(name) + ".json");
    const auto vk = read_verifying_key(read_file(vector_path("groth16/" + std::string(name) + ".vk")), "key.vk");
    REQUIRE(vk);
    const auto& v = vectors["verdicts"].at(0);
    REQUIRE(v["verdict"] == "accepted");
    const auto proof = decode_proof(unhex(v["proof"].get<std::string>()));
    std::vector<bytes> inputs;
    for (const auto& x : v["public_inputs"])
      inputs.push_back(unhex(x.get<std::string>()));
    auto values = *read_inputs(inputs);
    REQUIRE(verify(*vk, *proof, values));
    for (std::size_t i = 0; i < values.size(); ++i) {
      INFO(name << ", input " << i);
      const fr right = values[i];
      values[i] += fr::one();
      const auto outcome = verify(*vk, *proof, values);
      CHECK((!outcome && outcome.err().code == errc::self_check_failed));
      values[i] = right;
    }
  }
}

TEST_CASE("cube: key, proofs on both ways and verdicts equal the reference's") {
  check_all("cube");
  CHECK(read_file(made_key("cube").path) == read_file(vector_path("groth16/cube.params")));
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
  auto vk = read_verifying_key(read_file(key.vk_path), "key.vk");
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
  auto request = key.request(0, 0, key.open({"", false}));
  request.derived = derived_use::required;
  prove_timings timings;
  CHECK(prove(request, key.pool, no_stages, timings).err().code == errc::params);
  request.derived = derived_use::automatic;
  request.cancel.cancel();
  CHECK(prove(request, key.pool, no_stages, timings).err().code == errc::cancelled);
}

TEST_CASE("witness, key and circuit must belong together") {
  made_key cube("cube"), mixed("mixed");
  const auto try_with = [&](const prove_request& request) {
    prove_timings timings;
    auto proof = prove(request, cube.pool, no_stages, timings);
    REQUIRE_FALSE(proof);
    return proof.err().code;
  };
  auto request = cube.request(0, 0, cube.open());
  request.witness = mixed.request(0, 0, mixed.open()).witness;
  CHECK(try_with(request) == errc::bad_input);
  request = cube.request(0, 0, mixed.open());
  CHECK(try_with(request) == errc::params);
}

TEST_CASE("a damaged point of an array is named when a proof meets it") {
  made_key key("cube");
  auto data = read_file(key.path);
  const auto h = key.open()->points(section::h);
  const std::size_t offset =
    static_cast<std::size_t>(reinterpret_cast<const std::uint8_t*>(h.data) - key.open()->file().bytes().data());
  data[offset + 3 * g1_bytes + 95] ^= 1;
  write_file(key.path, data);
  auto request = key.request(0, 0, key.open({"", false}));
  prove_timings timings;
  auto proof = prove(request, key.pool, no_stages, timings);
  REQUIRE_FALSE(proof);
  CHECK(proof.err().message() == "params: " + key.path + ": section h, point 3: is not on the curve");
}

TEST_CASE("a derived key of another source is refused") {
  made_key key("cube"), other("mixed");
  const std::string beside = key.dir / "other.derived";
  const auto try_with = [&](const bytes& data) {
    write_file(beside, data);
    return proving_key::open(key.path, *key.circuit.shape, {beside, true});
  };
  auto damaged = read_file(key.path + ".derived");
  CHECK(try_with(damaged));
  damaged[40] ^= 1; // of the source's digest
  CHECK(try_with(damaged).err().code == errc::params);
  damaged.pop_back();
  CHECK(try_with(damaged).err().code == errc::params);
  CHECK(try_with(read_file(other.path + ".derived")).err().code == errc::params);
}
