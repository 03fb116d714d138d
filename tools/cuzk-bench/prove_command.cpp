// prove: a whole proof in this process, for comparing bytes and for measuring.
#include "groth16/prove.hpp"
#include "groth16/random.hpp"
#include "groth16/verify.hpp"
#include "math/cpu_features.hpp"
#include "math/field_bytes.hpp"
#include "tools/cuzk-bench/commands.hpp"
#include "tools/cuzk-bench/job_options.hpp"
#include "tools/cuzk-bench/meter.hpp"

namespace cuzk::bench {

const command& prove_spec() {
  static const command spec = {
    "prove", "INPUT",
    "Proves the partitions of a job file on the CPU, verifies the proofs and writes them one after another.",
    with_job_options({{"--key", "PARAMS", "the key file"},
                      {"--r", "HEX", "32 bytes, little endian; a comma list for several partitions; default: random"},
                      {"--s", "HEX", "as --r"},
                      {"--out", "FILE", "where the proof bytes go; without it they are printed"},
                      {"--derived", "on|off", "whether the derived key is used; default: where there is one"},
                      {"--partition", "K", "this partition alone"},
                      {"--threads", "N", "default: one per processor"},
                      {"--repeat", "N", "proves N times and reports the fastest; default 1"},
                      {"--json", "", "one JSON object"}})};
  return spec;
}

namespace {

/// r or s of every partition. Errors: bad_input for another number of them than partitions.
result<std::vector<fr>> read_scalars(const arguments& args, std::string_view name, std::size_t count) {
  std::vector<fr> out;
  const auto list = args.text(name);
  while (!list && out.size() < count) {
    CUZK_TRY(random, groth16::random_scalar());
    out.push_back(random);
  }
  for (std::size_t at = 0; list && at <= list->size();) {
    const std::size_t comma = std::min(list->find(',', at), list->size());
    const auto raw = from_hex(std::string_view(*list).substr(at, comma - at));
    const auto value =
      raw && raw->size() == 32 ? from_le_bytes<fr>(std::span<const std::uint8_t, 32>(raw->data(), 32)) : std::nullopt;
    if (!value)
      return bad_input(std::string(name), "expected 64 hex digits, little endian, below the group order");
    out.push_back(*value);
    at = comma + 1;
  }
  if (out.size() != count)
    return bad_input(std::string(name),
                     std::to_string(out.size()) + " values for " + std::to_string(count) + " partitions");
  return out;
}

groth16::derived_use derived_of(const std::optional<bool>& asked) {
  return !asked ? groth16::derived_use::automatic : *asked ? groth16::derived_use::required : groth16::derived_use::off;
}

/// What is the same for all partitions.
struct bench_run {
  filecoin::job_input job;
  loaded_circuit circuit;
  std::shared_ptr<const groth16::proving_key> key;
  groth16::derived_use derived = groth16::derived_use::automatic;
};

/// One proof and what it took.
struct proved {
  groth16::raw_proof proof;
  groth16::prove_timings timings;
  seconds witness, prove, verify;
  seconds total() const {
    seconds out = witness;
    out += prove;
    return out;
  }
};

result<proved> prove_once(const bench_run& run, std::size_t k, const fr& r, const fr& s, thread_pool& pool) {
  proved out;
  const auto start = now();
  CUZK_TRY(witness, run.circuit.text->witness(run.job.partitions[k], pool));
  const auto shared = std::make_shared<const compact_witness>(std::move(witness));
  const auto filled = now();
  out.witness = filled - start;
  groth16::prove_request request{run.key, run.circuit.shape, shared, r, s, run.derived, {}};
  CUZK_TRY(proof, groth16::prove(
                    request, pool, [](groth16::stage, double) {}, out.timings));
  const auto made = now();
  out.prove = made - filled;
  out.proof = proof;
  CUZK_CHECK(groth16::verify(run.key->vk(), proof, shared->public_inputs()));
  out.verify = now() - made;
  return out;
}

report to_report(std::size_t k, const proved& p) {
  report out, stages;
  for (const auto s : groth16::all_stages)
    stages.real(std::string(to_string(s)) + "_ms", 1e3 * p.timings[s], 1);
  out.number("partition", k);
  out.real("witness_seconds", p.witness.wall);
  out.real("transforms_seconds", p.timings[groth16::stage::eval] + p.timings[groth16::stage::ntt]);
  out.real("sums_seconds",
           p.timings[groth16::stage::msm_h] + p.timings[groth16::stage::bits] + p.timings[groth16::stage::tail]);
  out.real("total_wall_seconds", p.total().wall);
  out.real("total_cpu_seconds", p.total().cpu());
  out.real("verify_ms", 1e3 * p.verify.wall, 2);
  out.flag("derived", p.timings.derived);
  out.object("stages", stages);
  out.text("proof", to_hex(groth16::encode_proof(p.proof)));
  return out;
}

status write_out(const std::string& path, byte_view data) {
  CUZK_TRY(file, groth16::file_writer::create(path));
  CUZK_CHECK(file.append(data));
  return file.commit();
}

result<bench_run> prepare(const arguments& args) {
  CUZK_TRY(path, args.required("--key"));
  CUZK_TRY(derived, args.on_off("--derived"));
  bench_run out;
  CUZK_TRY(job, load_job(args));
  out.job = std::move(job);
  CUZK_TRY(circuit, load_circuit(out.job.circuit));
  out.circuit = std::move(circuit);
  CUZK_TRY(key, groth16::proving_key::open(path, *out.circuit.shape, {"", derived.value_or(true)}));
  out.key = std::move(key);
  out.derived = derived_of(derived);
  return out;
}

} // namespace

outcome run_prove(const arguments& args) {
  CUZK_TRY(threads, args.number("--threads", 0, 4096));
  CUZK_TRY(repeats, args.number("--repeat", 1, 1000));
  thread_pool pool(static_cast<unsigned>(threads));
  CUZK_TRY(run, prepare(args));
  CUZK_TRY(chosen, partitions_of(args, run.job));
  CUZK_TRY(r, read_scalars(args, "--r", chosen.size()));
  CUZK_TRY(s, read_scalars(args, "--s", chosen.size()));
  memory_watch watch;
  bytes proofs;
  std::vector<report> list;
  seconds total;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    std::optional<proved> best;
    for (std::uint64_t n = 0; n < std::max<std::uint64_t>(repeats, 1); ++n) {
      CUZK_TRY(made, prove_once(run, chosen[i], r[i], s[i], pool));
      if (!best || made.total().wall < best->total().wall)
        best = made;
    }
    const auto encoded = groth16::encode_proof(best->proof);
    proofs.insert(proofs.end(), encoded.begin(), encoded.end());
    list.push_back(to_report(chosen[i], *best));
    total += best->total();
  }
  if (const auto path = args.text("--out"))
    CUZK_CHECK(write_out(*path, proofs));
  report out;
  out.text("circuit", to_string(run.job.circuit));
  out.text("device", "cpu");
  out.text("cpu_path", cpu_level());
  out.number("threads", pool.threads());
  out.text("identity", to_string(run.job.identity));
  out.flag("test_key", run.key->is_test_key());
  out.list("partitions", list);
  out.real("total_wall_seconds", total.wall);
  out.real("total_cpu_seconds", total.cpu());
  out.number("peak_anonymous_bytes", watch.peak().anonymous);
  out.number("peak_mapped_bytes", watch.peak().mapped);
  out.flag("verified", true);
  return out;
}

} // namespace cuzk::bench
