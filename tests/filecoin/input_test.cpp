// Every sealed sector of the vectors, in every form of file, becomes a job with the public inputs of its verifier and
// passes the vanilla checks.
#include "filecoin/input.hpp"
#include "filecoin/public_inputs.hpp"
#include "runtime/base/thread_pool.hpp"
#include "tests/filecoin/vanilla_cases.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;
using namespace cuzk::filecoin;
using namespace cuzk::test;

namespace {

job_input must_load(const bytes& file, const input_options& options = {}) {
  auto job = load_job(file, options);
  if (!job)
    FAIL(job.err().message());
  return *std::move(job);
}

void must_check(const job_input& job) {
  thread_pool pool(2);
  const auto done = check(job, pool);
  if (!done)
    FAIL(done.err().message());
}

/// The refusal of a file that must be refused.
std::string refusal(const bytes& file, const input_options& options = {}) {
  const auto job = load_job(file, options);
  REQUIRE_FALSE(job);
  return job.err().message();
}

void public_inputs_match(const job_input& job, const vanilla_case& v) {
  const nlohmann::json& partitions = v.expected["partitions"];
  REQUIRE(job.public_inputs.size() == partitions.size());
  for (std::size_t k = 0; k < partitions.size(); ++k) {
    const nlohmann::json& expected = partitions[k]["public_inputs"];
    REQUIRE(job.public_inputs[k].size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      CHECK(to_digest(job.public_inputs[k][i]) == read_digest(expected[i]));
  }
}

bool has_c1(const std::string& name) {
  return name.find("-4k") == std::string::npos && name.find("-16k") == std::string::npos &&
         name.find("-32k") == std::string::npos;
}

} // namespace

TEST_CASE("a C1 output with its identity gives the verifier's public inputs and passes the checks") {
  for (const auto& name : porep_cases()) {
    if (!has_c1(name))
      continue;
    INFO(name);
    const vanilla_case v(name);
    const auto job = must_load(v.file("c1.json"), v.identity());
    CHECK(job.circuit == v.circuit());
    CHECK(job.identity == identity_state::checked);
    public_inputs_match(job, v);
    must_check(job);
  }
}

TEST_CASE("without an identity the same job is unchecked and takes its public inputs from the proofs") {
  for (const auto& name : porep_cases()) {
    if (!has_c1(name))
      continue;
    INFO(name);
    const vanilla_case v(name);
    const auto job = must_load(v.file("c1.json"));
    CHECK(job.identity == identity_state::unchecked);
    public_inputs_match(job, v);
    must_check(job);
  }
}

TEST_CASE("inner C1 outputs in JSON and in bincode are the same job") {
  for (const auto& name : porep_cases()) {
    INFO(name);
    const vanilla_case v(name);
    const auto job = must_load(v.file("c1-inner.bin"), v.inner_identity());
    public_inputs_match(job, v);
    must_check(job);
    if (has_c1(name))
      continue;
    const auto same = must_load(v.file("c1-inner.json"), v.inner_identity());
    public_inputs_match(same, v);
    must_check(same);
  }
}

TEST_CASE("the envelope gives the sector number") {
  const vanilla_case v("porep-2k-v1_1");
  auto options = v.identity();
  options.sector.reset();
  const auto job = must_load(as_bytes(envelope(7, v.file("c1.json"), 2048)), options);
  CHECK(job.identity == identity_state::checked);
  public_inputs_match(job, v);
  options.sector = 8;
  CHECK(refusal(as_bytes(envelope(7, v.file("c1.json"), 2048)), options).find("SectorNum") != std::string::npos);
}

TEST_CASE("PoSt and snap jobs give the verifier's public inputs and pass the checks") {
  auto names = post_cases();
  names.insert(names.end(), snap_cases().begin(), snap_cases().end());
  for (const auto& name : names) {
    INFO(name);
    const vanilla_case v(name);
    const auto job = must_load(as_bytes(v.document()));
    CHECK(job.circuit == v.circuit());
    CHECK(job.identity == identity_state::checked);
    public_inputs_match(job, v);
    must_check(job);
  }
}

TEST_CASE("a bare array of base64 strings takes kind, proof type and the rest from beside it") {
  for (const char* name : {"window-2k-v1_0", "window-2k-v1_2", "winning-2k", "update-16k"}) {
    INFO(name);
    const vanilla_case v(name);
    const auto file = as_bytes(v.document()["proofs"]);
    input_options options;
    CHECK(refusal(file, options).find("kind") != std::string::npos);
    options.kind = v.kind();
    CHECK(refusal(file, options).find("registered_proof") != std::string::npos);
    options.proof = v.proof();
    if (v.kind() == proof_kind::snap) {
      CHECK(refusal(file, options).find("comm_r_old") != std::string::npos);
      options.comm_r_old = read_digest(v.expected["comm_r_old"]);
      options.comm_d_new = read_digest(v.expected["comm_d_new"]);
      options.comm_r_new = read_digest(v.expected["comm_r_new"]);
    } else {
      const auto unchecked = must_load(file, options);
      CHECK(unchecked.identity == identity_state::unchecked);
      public_inputs_match(unchecked, v);
      must_check(unchecked);
      options.randomness = read_digest(v.expected["randomness"]);
      options.prover_id = read_digest(v.expected["prover_id"]);
    }
    const auto job = must_load(file, options);
    CHECK(job.identity == identity_state::checked);
    public_inputs_match(job, v);
    must_check(job);
  }
}

TEST_CASE("bincode proofs in a row are the same job") {
  for (const char* name : {"window-2k-v1_2", "winning-16k", "update-8m"}) {
    INFO(name);
    const vanilla_case v(name);
    bytes row;
    for (const auto& p : v.proofs())
      row.insert(row.end(), p.begin(), p.end());
    input_options options;
    CHECK(refusal(row, options).find("expected { or [") != std::string::npos);
    options.kind = v.kind();
    options.proof = v.proof();
    if (v.kind() == proof_kind::snap) {
      options.comm_r_old = read_digest(v.expected["comm_r_old"]);
      options.comm_d_new = read_digest(v.expected["comm_d_new"]);
      options.comm_r_new = read_digest(v.expected["comm_r_new"]);
    } else {
      options.randomness = read_digest(v.expected["randomness"]);
    }
    public_inputs_match(must_load(row, options), v);
    row.push_back(0);
    CHECK(refusal(row, options).find("the data ends here") != std::string::npos);
  }
}

TEST_CASE("bincode that begins like JSON is still bincode") {
  const vanilla_case v("winning-2k");
  auto proof = v.proofs()[0];
  input_options options;
  options.kind = v.kind();
  options.proof = v.proof();
  for (const char first : {'{', '[', ' '}) {
    proof[0] = static_cast<std::uint8_t>(first); // the sector number
    const auto job = must_load(proof, options);
    CHECK(std::get<post_partition>(job.partitions[0]).sectors[0].sector == static_cast<std::uint64_t>(first));
  }
}

TEST_CASE("one window partition alone is the same as in the whole proof, whichever API version") {
  for (const char* name : {"window-2k-v1_0", "window-2k-v1_2"}) {
    const vanilla_case v(name);
    const auto whole = v.document();
    for (unsigned k = 0; k < 3; ++k) {
      INFO(name << " partition " << k);
      auto part = whole;
      part["partition"] = k;
      part["proofs"] = nlohmann::json::array();
      part["sectors"] = nlohmann::json::array();
      for (std::size_t i = 2 * k; i < std::min<std::size_t>(5, 2 * k + 2); ++i) {
        part["proofs"].push_back(whole["proofs"][i]);
        part["sectors"].push_back(whole["sectors"][i]);
      }
      const auto job = must_load(as_bytes(part));
      must_check(job);
      REQUIRE(job.public_inputs.size() == 1);
      CHECK(job.public_inputs[0] == must_load(as_bytes(whole)).public_inputs[k]);
    }
  }
}

TEST_CASE("a PoSt of the wrong API version is refused by the check") {
  const vanilla_case v("window-2k-v1_0");
  auto document = v.document();
  document["registered_proof"] = "StackedDrgWindow2KiBV1_2";
  thread_pool pool(1);
  const auto done = check(must_load(as_bytes(document)), pool);
  REQUIRE_FALSE(done);
  CHECK(done.err().message().find("leaf index") != std::string::npos);
}

TEST_CASE("jobs that contradict themselves or what stands beside them are refused") {
  const vanilla_case window("window-2k-v1_2"), winning("winning-2k"), porep("porep-2k-v1_1");
  const auto changed = [](const vanilla_case& v, auto&& change) {
    auto document = v.document();
    change(document);
    return refusal(as_bytes(document));
  };
  const auto says = [](const std::string& text, const char* word) {
    INFO(text);
    CHECK(text.find(word) != std::string::npos);
  };
  says(changed(window, [](auto& d) { std::swap(d["proofs"][0], d["proofs"][1]); }), "expected sector 7");
  says(changed(window, [](auto& d) { d["sectors"].erase(4); }), "one for each of 4 sectors");
  says(changed(window, [](auto& d) { d["partition"] = 0; }), "at most 2");
  says(changed(window,
               [](auto& d) {
                 std::swap(d["proofs"][0], d["proofs"][1]);
                 std::swap(d["sectors"][0], d["sectors"][1]);
               }),
       "ascending");
  says(changed(window,
               [](auto& d) {
                 d["proofs"][1] = d["proofs"][0];
                 d["sectors"][1] = d["sectors"][0];
               }),
       "twice");
  says(changed(window, [](auto& d) { d["proofs"] = nlohmann::json::array(); }), "no proofs");
  says(changed(window, [](auto& d) { d["randomness"] = std::string(64, 'f'); }), "not below the modulus");
  says(changed(window, [](auto& d) { d["prover_id"] = "00"; }), "64 hexadecimal digits");
  says(changed(window, [](auto& d) { d["kind"] = "porep"; }), "expected winning, window or snap");
  says(changed(window, [](auto& d) { d["kind"] = "winning"; }), "no proof type of kind winning");
  says(changed(window, [](auto& d) { d["partition"] = -1; }), "expected an integer");
  says(changed(window, [](auto& d) { d.erase("randomness"); }), "\"randomness\" is missing");
  says(changed(winning,
               [](auto& d) {
                 d["proofs"].push_back(d["proofs"][0]);
                 d["sectors"].push_back(d["sectors"][0]);
               }),
       "about one sector");
  input_options beside;
  beside.randomness = digest{};
  says(refusal(as_bytes(window.document()), beside), "differs from the value beside the file");
  beside = {};
  beside.kind = proof_kind::window;
  says(refusal(porep.file("c1.json"), beside), "C1 output (porep)");
  beside = porep.identity();
  beside.proof = *parse_registered_proof(proof_kind::porep, "StackedDrg2KiBV1");
  says(refusal(porep.file("c1.json"), beside), "beside the file stands");
  beside = porep.identity();
  beside.sector.reset();
  says(refusal(porep.file("c1.json"), beside), "needs the sector number");
  beside = porep.identity();
  beside.prover_id->at(0) ^= 1;
  says(refusal(porep.file("c1.json"), beside), "/replica_id");
  says(refusal(porep.file("c1-inner.bin")), "expected { or [");
  beside = vanilla_case("porep-4k").inner_identity();
  beside.porep_id.reset();
  says(refusal(vanilla_case("porep-4k").file("c1-inner.bin"), beside), "porep_id");
}

TEST_CASE("a file above the limit is refused without reading it") {
  input_options options;
  options.max_bytes = 10;
  const auto job = load_job(vanilla_case("porep-2k-v1_1").file("c1.json"), options);
  REQUIRE_FALSE(job);
  CHECK(job.err().code == errc::resources);
}

TEST_CASE("texts that are no job say what would be one") {
  CHECK(refusal({}).find("empty") != std::string::npos);
  CHECK(refusal(as_bytes(std::string("{}"))).find("vanilla_proofs (C1)") != std::string::npos);
  CHECK(refusal(as_bytes(std::string("{\"x\":1}"))).find("Phase1Out") != std::string::npos);
  CHECK(refusal(as_bytes(std::string("[1]"))).find("base64") != std::string::npos);
  CHECK(refusal(as_bytes(std::string("   "))).find("expected { or [") != std::string::npos);
  CHECK(refusal(as_bytes(std::string("{\"Phase1Out\":1}"))).find("base64") != std::string::npos);
}

TEST_CASE("a window slot beyond the last sector repeats it, a winning slot is one challenge") {
  const auto window = must_load(as_bytes(vanilla_case("window-2k-v1_2").document()));
  const auto& last = std::get<post_partition>(window.partitions[2]);
  REQUIRE(last.slots() == 2);
  CHECK(&last.slot(0).sector == &last.slot(1).sector);
  CHECK(last.slot(1).paths.size() == 10);
  const auto winning = must_load(as_bytes(vanilla_case("winning-2k").document()));
  const auto& one = std::get<post_partition>(winning.partitions[0]);
  REQUIRE(one.slots() == 66);
  CHECK(one.slot(65).paths.size() == 1);
  CHECK(one.slot(65).paths.data() == &one.sectors[0].paths[65]);
}

TEST_CASE("every byte of a small vanilla proof matters") {
  const vanilla_case v("window-2k-v1_2");
  thread_pool pool(1);
  auto proofs = v.proofs();
  for (std::size_t at = 0; at < proofs[0].size(); at += 61) { // a prime step: all kinds of fields are hit
    INFO(at);
    proofs[0][at] ^= 0x10;
    const auto job = load_job(as_bytes(v.document(proofs)));
    CHECK_FALSE((job && check(*job, pool)));
    proofs[0][at] ^= 0x10;
  }
}
