// matrices: the matrices of a circuit, built into its cache file and mapped from there.
#include "circuits/catalog.hpp"
#include "groth16/matrix_file.hpp"
#include "tools/cuzk-bench/commands.hpp"
#include "tools/cuzk-bench/meter.hpp"

#include <filesystem>

namespace cuzk::bench {

const command& matrices_spec() {
  static const command spec = {
    "matrices",
    "CIRCUIT",
    "Keeps the matrices of a circuit in DIR as a node does (DIR is its cache folder), then opens them again.",
    {{"--dir", "DIR", "where the file is or goes; default: the current folder"}, {"--json", "", "one JSON object"}}};
  return spec;
}

outcome run_matrices(const arguments& args) {
  CUZK_TRY(name, filecoin::parse_circuit_name(args.positional()));
  CUZK_TRY(text, circuits::find_circuit(name));
  const auto dir = args.text("--dir").value_or(".");
  std::error_code failed;
  std::filesystem::create_directories(dir, failed);
  if (failed)
    return error{errc::resources, "the folder cannot be made: " + failed.message(), dir};
  report out;
  out.text("circuit", to_string(name));
  memory_watch watch;
  for (const char* what : {"first_open_seconds", "again_open_seconds", "third_open_seconds"}) {
    const auto start = now();
    CUZK_TRY(of, groth16::load_circuit(*text, dir));
    out.real(what, (now() - start).wall);
    if (std::string_view(what) != "third_open_seconds")
      continue;
    const auto& m = of->matrices;
    out.number("rows", m.rows());
    out.number("entries_a", m.a.entries());
    out.number("entries_b", m.b.entries());
    out.number("entries_c", m.c.entries());
    out.number("bytes_a_b", m.a.bytes() + m.b.bytes());
    out.number("bytes", m.bytes());
  }
  out.number("peak_anonymous_bytes", watch.peak().anonymous);
  return out;
}

} // namespace cuzk::bench
