// generate-test: an insecure key in the real layout.
#include "groth16/mapped_file.hpp"
#include "groth16/test_key.hpp"
#include "groth16/toxic_json.hpp"
#include "tools/cuzk-bench/commands.hpp"
#include "tools/cuzk-bench/meter.hpp"

#include <cstdio>

namespace cuzk::bench {

const command& generate_spec() {
  static const command spec = {
    "generate-test",
    "CIRCUIT",
    "Makes an INSECURE test key: .params, .vk and .params.derived. Anybody can forge its proofs.",
    {{"--seed", "N", "scalars by the seed rule; default 1"},
     {"--toxic", "FILE", "JSON with alpha, beta, gamma, delta, tau and perhaps g1, g2 instead"},
     {"--dir", "DIR", "where the files go; default: the current folder"},
     {"--force", "", "replace files of another key"},
     {"--threads", "N", "default: one per processor"},
     {"--quiet", "", "no progress lines"},
     {"--json", "", "one JSON object"}}};
  return spec;
}

namespace {

result<groth16::test_key_request> to_request(const arguments& args) {
  CUZK_TRY(circuit, filecoin::parse_circuit_name(args.positional()));
  CUZK_TRY(seed, args.number("--seed", 1, ~std::uint64_t{0}));
  groth16::test_key_request out{circuit, groth16::toxic_of_seed(seed), std::to_string(seed),
                                args.text("--dir").value_or("."), args.has("--force")};
  if (const auto path = args.text("--toxic")) {
    if (args.has("--seed"))
      return bad_input("--toxic", "excludes --seed");
    auto file = groth16::mapped_file::open(*path);
    if (!file)
      return bad_input(*path, file.err().text);
    const std::string_view text(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
    CUZK_TRY(toxic, groth16::read_toxic_json(text, *path));
    out.toxic = toxic;
    out.tag = groth16::tag_of(toxic);
  }
  return out;
}

} // namespace

outcome run_generate(const arguments& args) {
  CUZK_TRY(request, to_request(args));
  CUZK_TRY(threads, args.number("--threads", 0, 4096));
  thread_pool pool(static_cast<unsigned>(threads));
  memory_watch watch;
  int shown = -1;
  const bool quiet = args.has("--quiet");
  const auto start = now();
  groth16::key_work work{pool};
  work.told = [&](std::string_view what, double done) {
    const int percent = static_cast<int>(100 * done);
    if (!quiet && percent / 10 != shown) {
      shown = percent / 10;
      std::fprintf(stderr, "%3d %%  %s\n", percent, std::string(what).c_str());
    }
  };
  CUZK_TRY(made, groth16::generate_test_key(request, work));
  const auto spent = now() - start;
  report out;
  out.text("circuit", to_string(request.circuit));
  out.text("params", made.paths.params);
  out.text("vk", made.paths.vk);
  out.text("derived", made.paths.derived);
  out.flag("kept", made.kept);
  out.real("wall_seconds", spent.wall);
  out.real("cpu_seconds", spent.cpu());
  out.number("peak_anonymous_bytes", watch.peak().anonymous);
  return out;
}

} // namespace cuzk::bench
