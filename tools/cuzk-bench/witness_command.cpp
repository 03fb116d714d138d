// witness: fills a circuit from a job file.
#include "circuits/core/evaluate.hpp"
#include "math/field_bytes.hpp"
#include "math/hash/sha256.hpp"
#include "tools/cuzk-bench/commands.hpp"
#include "tools/cuzk-bench/job_options.hpp"
#include "tools/cuzk-bench/meter.hpp"

namespace cuzk::bench {

const command& witness_spec() {
  static const command spec = {
    "witness", "INPUT",
    "Checks the vanilla proof of each partition, makes its compact witness and says what both took.",
    with_job_options({{"--partition", "K", "this partition alone"},
                      {"--threads", "N", "default 1: seconds of one core"},
                      {"--repeat", "N", "the best of N; default 3"},
                      {"--check", "", "evaluate all rows over each witness"},
                      {"--json", "", "one JSON object"}})};
  return spec;
}

namespace {

std::string aux_digest(const wire_map& map, const compact_witness& w) {
  sha256 hash;
  for (std::uint32_t j = 0; j < map.counts().aux(); ++j)
    hash.update(to_le_bytes(w.aux(map, j)));
  return to_hex(hash.finish());
}

struct measured {
  compact_witness witness;
  seconds best;
};

result<measured> measure(const circuits::circuit& text, const filecoin::vanilla_partition& partition, thread_pool& pool,
                         std::uint64_t repeats) {
  measured out;
  for (std::uint64_t i = 0; i < repeats; ++i) {
    const auto start = now();
    CUZK_TRY(witness, text.witness(partition, pool));
    const auto spent = now() - start;
    if (i == 0 || spent.wall < out.best.wall)
      out.best = spent;
    out.witness = std::move(witness);
  }
  return out;
}

} // namespace

outcome run_witness(const arguments& args) {
  CUZK_TRY(threads, args.number("--threads", 1, 4096));
  CUZK_TRY(repeats, args.number("--repeat", 3, 1000));
  thread_pool pool(static_cast<unsigned>(threads));
  memory_watch watch;
  CUZK_TRY(job, load_job(args));
  CUZK_TRY(chosen, partitions_of(args, job));
  CUZK_TRY(text, circuits::find_circuit(job.circuit));
  std::optional<loaded_circuit> rows;
  if (args.has("--check")) {
    CUZK_TRY(loaded, load_circuit(job.circuit));
    rows = std::move(loaded);
  }
  std::vector<report> list;
  for (const auto k : chosen) {
    const auto start = now();
    CUZK_CHECK(filecoin::check_partition(job, k, pool));
    const auto checked = now() - start;
    CUZK_TRY(made, measure(*text, job.partitions[k], pool, std::max<std::uint64_t>(repeats, 1)));
    report one;
    one.number("partition", k);
    one.real("vanilla_check_ms", 1e3 * checked.wall);
    one.real("wall_ms", 1e3 * made.best.wall);
    one.real("cpu_ms", 1e3 * made.best.cpu());
    one.number("bytes", made.witness.bytes());
    one.text("aux_sha256", aux_digest(text->wires(), made.witness));
    if (rows) {
      CUZK_TRY(broken, first_broken_row(rows->shape->matrices, made.witness, pool));
      if (broken != rows->shape->matrices.circuit_rows)
        return error{errc::bad_input, "row " + std::to_string(broken) + " does not hold",
                     args.positional() + ", partition " + std::to_string(k)};
      one.flag("all_rows_hold", true);
    }
    list.push_back(std::move(one));
  }
  report out;
  out.text("circuit", to_string(job.circuit));
  out.text("identity", to_string(job.identity));
  out.number("inputs", text->wires().counts().inputs);
  out.number("aux", text->wires().counts().aux());
  out.number("rows", text->size().rows);
  out.number("threads", pool.threads());
  out.number("peak_anonymous_bytes", watch.peak().anonymous);
  out.list("partitions", list);
  return out;
}

} // namespace cuzk::bench
