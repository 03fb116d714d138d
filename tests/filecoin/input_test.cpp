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
