// make-input: a job file of production shape, without a sector.
#include "filecoin/sparse_input.hpp"
#include "groth16/mapped_file.hpp"
#include "runtime/base/thread_pool.hpp"
#include "tools/cuzk-bench/commands.hpp"
#include "tools/cuzk-bench/meter.hpp"

namespace cuzk::bench {

const command& make_input_spec() {
  static const command spec = {
    "make-input",
    "KIND",
    "Makes a job file of full shape from a sparse sector: real where it is opened, free elsewhere. "
    "KIND: porep, winning, window or snap.",
    {{"--sector-size", "SIZE", "2KiB ... 64GiB"},
     {"--out", "FILE", "where the file goes"},
     {"--seed", "N", "equal seeds give equal files; default 1"},
     {"--sectors", "N", "window: any number; default: one full partition"},
     {"--envelope", "", "porep: lotus' envelope around the C1 output"},
     {"--threads", "N", "default: one per processor"},
     {"--json", "", "one JSON object"}}};
  return spec;
}

namespace {

result<filecoin::sparse_request> to_request(const arguments& args) {
  CUZK_TRY(kind, filecoin::parse_proof_kind(args.positional()));
  CUZK_TRY(size_text, args.required("--sector-size"));
  CUZK_TRY(size, filecoin::parse_sector_size(size_text));
  CUZK_TRY(seed, args.number("--seed", 1, ~std::uint64_t{0}));
  CUZK_TRY(sectors, args.number("--sectors", 0, filecoin::max_sparse_sectors));
  return filecoin::sparse_request{{kind, size}, seed, sectors, args.has("--envelope")};
}

status write_file(const std::string& path, const std::string& text) {
  CUZK_TRY(file, groth16::file_writer::create(path));
  CUZK_CHECK(file.append({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
  return file.commit();
}

/// Options that other commands need beside the file, as they are typed.
std::string options_of(const filecoin::input_options& beside) {
  std::string out;
  if (beside.prover_id)
    out += "--miner t0" + std::to_string(filecoin::sparse_actor) + " --sector " + std::to_string(*beside.sector);
  if (beside.porep_id && *beside.porep_id == digest{})
    out += " --porep-id " + to_hex(*beside.porep_id);
  return out;
}

} // namespace

outcome run_make_input(const arguments& args) {
  CUZK_TRY(request, to_request(args));
  CUZK_TRY(path, args.required("--out"));
  CUZK_TRY(threads, args.number("--threads", 0, 4096));
  thread_pool pool(static_cast<unsigned>(threads));
  memory_watch watch;
  const auto start = now();
  CUZK_TRY(made, filecoin::make_sparse_input(request, pool));
  CUZK_CHECK(write_file(path, made.text));
  const auto spent = now() - start;
  report out;
  out.text("circuit", to_string(request.circuit));
  out.text("file", path);
  out.number("file_bytes", made.text.size());
  if (request.circuit.kind == filecoin::proof_kind::porep)
    out.text("beside", options_of(made.beside));
  out.flag("vanilla_checked", true);
  out.real("wall_seconds", spent.wall);
  out.real("cpu_seconds", spent.cpu());
  out.number("peak_anonymous_bytes", watch.peak().anonymous);
  return out;
}

} // namespace cuzk::bench
