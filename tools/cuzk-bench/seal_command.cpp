// seal: a small sector really sealed, and the job files that come of it.
#include "filecoin/sealed_input.hpp"
#include "groth16/mapped_file.hpp"
#include "runtime/base/thread_pool.hpp"
#include "tools/cuzk-bench/commands.hpp"
#include "tools/cuzk-bench/meter.hpp"

#include <filesystem>

namespace cuzk::bench {

const command& seal_spec() {
  static const command spec = {
    "seal",
    "",
    "Seals a sector in memory and writes its job files: c1.json, c1-envelope.json, winning.json, window.json and, with "
    "other data in it, snap.json.",
    {{"--sector-size", "SIZE", "2KiB ... 512MiB"},
     {"--out", "DIR", "where the files go"},
     {"--data", "FILE", "what is sealed, zeros after it; default: made from the seed"},
     {"--seed", "N", "equal seeds give equal files; default 1"},
     {"--api-version", "VERSION", "1.0.0 or 1.1.0 where interactive, else 1.2.0; default the highest"},
     {"--feature", "NAME", "of the PoRep: interactive, synthetic or non-interactive; default interactive"},
     {"--miner", "ID", "actor id; default 1000"},
     {"--sector", "N", "sector number; default 1"},
     {"--threads", "N", "default: one per processor"},
     {"--json", "", "one JSON object"}}};
  return spec;
}

namespace {

result<filecoin::porep_feature> feature_of(const std::string& name) {
  using enum filecoin::porep_feature;
  for (const auto& [known, value] : {std::pair("interactive", interactive), std::pair("synthetic", synthetic),
                                     std::pair("non-interactive", non_interactive)})
    if (name == known)
      return value;
  return bad_input("--feature", "'" + name + "' is none of interactive, synthetic, non-interactive");
}

result<filecoin::sealed_request> to_request(const arguments& args) {
  filecoin::sealed_request out;
  CUZK_TRY(size_text, args.required("--sector-size"));
  CUZK_TRY(size, filecoin::parse_sector_size(size_text));
  CUZK_TRY(feature, feature_of(args.text("--feature").value_or("interactive")));
  const char* highest = feature == filecoin::porep_feature::interactive ? "1.1.0" : "1.2.0";
  CUZK_TRY(api, filecoin::parse_api_version(args.text("--api-version").value_or(highest)));
  CUZK_TRY(seed, args.number("--seed", 1, ~std::uint64_t{0}));
  CUZK_TRY(actor, args.number("--miner", 1000, ~std::uint64_t{0}));
  CUZK_TRY(sector, args.number("--sector", 1, ~std::uint64_t{0}));
  out = {size, api, feature, actor, sector, seed, {}};
  if (const auto path = args.text("--data")) {
    auto file = groth16::mapped_file::open(*path);
    if (!file)
      return bad_input(*path, file.err().text);
    out.data.emplace(file->bytes().begin(), file->bytes().end());
  }
  return out;
}

status write_file(const std::string& path, const std::string& text) {
  CUZK_TRY(file, groth16::file_writer::create(path));
  CUZK_CHECK(file.append({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
  return file.commit();
}

} // namespace

outcome run_seal(const arguments& args) {
  CUZK_TRY(request, to_request(args));
  CUZK_TRY(dir, args.required("--out"));
  CUZK_TRY(threads, args.number("--threads", 0, 4096));
  std::error_code failed;
  std::filesystem::create_directories(dir, failed);
  if (failed)
    return error{errc::resources, "the folder cannot be made: " + failed.message(), dir};
  thread_pool pool(static_cast<unsigned>(threads));
  memory_watch watch;
  const auto start = now();
  CUZK_TRY(made, filecoin::make_sealed_files(request, pool));
  CUZK_CHECK(write_file(dir + "/c1.json", made.c1));
  CUZK_CHECK(write_file(dir + "/c1-envelope.json", made.envelope));
  CUZK_CHECK(write_file(dir + "/winning.json", made.winning));
  CUZK_CHECK(write_file(dir + "/window.json", made.window));
  if (made.snap)
    CUZK_CHECK(write_file(dir + "/snap.json", *made.snap));
  const auto spent = now() - start;
  report out;
  out.text("folder", dir);
  out.text("comm_d", to_hex(made.comm_d));
  out.text("comm_r", to_hex(made.comm_r));
  out.text("replica_id", to_hex(made.replica_id));
  out.text("beside", "--miner t0" + std::to_string(request.actor) + " --sector " + std::to_string(request.sector) +
                       (made.beside.porep_id == digest{} ? " --porep-id " + to_hex(digest{}) : ""));
  out.flag("snap", made.snap.has_value());
  out.flag("vanilla_checked", true);
  out.real("wall_seconds", spent.wall);
  out.real("cpu_seconds", spent.cpu());
  out.number("peak_anonymous_bytes", watch.peak().anonymous);
  return out;
}

} // namespace cuzk::bench
