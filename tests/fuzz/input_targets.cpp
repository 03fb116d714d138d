// Job files: C1 outputs, envelopes, PoSt and snap jobs, bare arrays, bincode.
#include "filecoin/input.hpp"
#include "runtime/base/thread_pool.hpp"
#include "tests/filecoin/vanilla_cases.hpp"
#include "tests/fuzz/targets.hpp"

namespace cuzk::fuzz {
namespace {

using namespace filecoin;

thread_pool& pool() {
  static thread_pool one(1);
  return one;
}

void look_at(byte_view file, const input_options& options) {
  const auto job = load_job(file, options);
  if (!job)
    return expect_refusal(job.err(), {errc::bad_input, errc::resources});
  expect(!job->partitions.empty(), "a job without partitions");
  expect(job->partitions.size() == job->public_inputs.size(), "public inputs of other partitions");
  if (const auto checked = check(*job, pool()); !checked)
    expect_refusal(checked.err(), {errc::bad_input});
}

/// As a node takes it: nothing is said beside the file.
void run_job(byte_view input) {
  look_at(input, {});
}

std::vector<bytes> job_seeds() {
  std::vector<bytes> out;
  for (const auto* name : {"porep-2k-c1", "winning-2k", "window-2k", "snap-2k"})
    out.push_back(test::read_file(CUZK_TEST_DATA "/samples/" + std::string(name) + ".json"));
  out.push_back(test::as_bytes(test::envelope(7, out[0], 2048)));
  return out;
}

constexpr sector_size small_sizes[] = {sector_size::k2, sector_size::k4, sector_size::k16, sector_size::k32};

/// Two bytes choose kind and size, the rest is the file: bincode and the inner C1, which do not say what they are.
void run_bincode(byte_view input) {
  if (input.size() < 2)
    return;
  input_options options;
  options.kind = all_proof_kinds[input[0] % std::size(all_proof_kinds)];
  options.proof = default_proof({*options.kind, small_sizes[input[1] % std::size(small_sizes)]});
  if ((input[0] & 0x80) != 0 && *options.kind == proof_kind::porep) {
    options.prover_id = digest{};
    options.sector = input[1];
  }
  look_at(input.subspan(2), options);
}

std::vector<bytes> bincode_seeds() {
  std::vector<bytes> out;
  const auto add = [&](proof_kind kind, std::uint8_t size, const bytes& file) {
    bytes seed{static_cast<std::uint8_t>(kind), size};
    seed.insert(seed.end(), file.begin(), file.end());
    out.push_back(std::move(seed));
  };
  add(proof_kind::porep, 0, test::vanilla_case("porep-2k-v1_1").file("c1-inner.bin"));
  std::uint8_t size = 0;
  for (const auto* suffix : {"2k", "4k"}) {
    add(proof_kind::snap, size, test::vanilla_case(std::string("update-") + suffix).proofs()[0]);
    add(proof_kind::winning, size, test::vanilla_case("winning-2k").proofs()[0]);
    ++size;
  }
  add(proof_kind::window, 0, test::vanilla_case("window-2k-v1_2").proofs()[0]);
  return out;
}

constexpr target targets[] = {
  {"job", run_job, job_seeds, 4 << 20, 64},
  {"bincode", run_bincode, bincode_seeds, 4 << 20, 64},
};

} // namespace

std::span<const target> input_targets() {
  return targets;
}

} // namespace cuzk::fuzz
