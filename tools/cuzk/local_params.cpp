// params generate-test, check, derive: key files.
#include "circuits/catalog.hpp"
#include "filecoin/parameters.hpp"
#include "groth16/derive.hpp"
#include "groth16/key_check.hpp"
#include "groth16/test_key.hpp"
#include "groth16/toxic_json.hpp"
#include "math/cpu_features.hpp"
#include "messages/names.hpp"
#include "runtime/paths.hpp"
#include "tools/cuzk/arguments.hpp"
#include "tools/cuzk/commands.hpp"

#include <filesystem>
#include <memory>

namespace cuzk::client {

namespace {

namespace fs = std::filesystem;

std::string params_dir(const std::string& given) {
  return given.empty() ? default_params_dir(process_environment()) : given;
}

// -- generate-test
// ------------------------------------------------------------------------------------------------------

struct generate_flags {
  std::string circuit, dir, toxic_file;
  std::uint64_t seed = 1;
  bool force = false;
  unsigned threads = 0;
};

result<groth16::test_key_request> to_request(const generate_flags& f) {
  CUZK_TRY(circuit, filecoin::parse_circuit_name(f.circuit));
  groth16::test_key_request out{circuit, {}, std::to_string(f.seed), params_dir(f.dir), f.force};
  if (f.toxic_file.empty()) {
    out.toxic = groth16::toxic_of_seed(f.seed);
    return out;
  }
  CUZK_TRY(text, read_file(f.toxic_file));
  CUZK_TRY(toxic, groth16::read_toxic_json({reinterpret_cast<const char*>(text.data()), text.size()}, f.toxic_file));
  out.toxic = toxic;
  out.tag = groth16::tag_of(toxic);
  return out;
}

int generate(context& ctx, const generate_flags& f) {
  auto request = to_request(f);
  if (!request)
    return ctx.out.fail(request.err());
  thread_pool pool(f.threads);
  ctx.out.note("INSECURE: anybody can forge proofs of a key made from a seed. For tests only.");
  groth16::key_work work{pool};
  work.told = [&](std::string_view what, double done) {
    ctx.out.progress(static_cast<unsigned>(done * 100), std::string(what));
  };
  auto made = groth16::generate_test_key(*request, work);
  ctx.out.end_progress();
  if (!made)
    return ctx.out.fail(made.err());
  ctx.out.show({{"circuit", to_string(request->circuit)},
                {"params", made->paths.params},
                {"vk", made->paths.vk},
                {"derived", made->paths.derived},
                {"kept", made->kept}},
               (made->kept ? "kept    " : "written ") + made->paths.params);
  return 0;
}

// -- check
// --------------------------------------------------------------------------------------------------------------

/// What check finds of one circuit's key.
struct key_verdict {
  std::string circuit, path, state = "ok", digest, expected;
  std::uint64_t bytes = 0;
  bool good = true;
};

key_verdict look_at(const filecoin::circuit_name& name, const std::string& path, groth16::key_check_options& options) {
  key_verdict out{to_string(name), path, "ok", "", "", 0, true};
  const auto spoil = [&](const std::string& why) {
    out.state = why;
    out.good = false;
    return out;
  };
  const auto expected = filecoin::published(name);
  auto key = groth16::proving_key::open_alone(path);
  if (!key)
    return spoil(key.err().message());
  out.bytes = (*key)->file().bytes().size();
  auto checked = groth16::check_key(**key, options);
  if (!checked)
    return spoil(checked.err().message());
  out.digest = checked->digest;
  out.expected = expected ? std::string(expected->params) : "";
  if (fs::path(path).filename().string().rfind("insecure-test-", 0) == 0)
    out.state = "insecure test key";
  else if (expected && out.digest != out.expected)
    return spoil("digest differs");
  else if (!expected)
    out.state = "no published digest for this circuit";
  return out;
}

std::vector<std::pair<filecoin::circuit_name, std::string>> keys_in(const std::string& dir, const std::string& circuit,
                                                                    const std::string& seed) {
  std::vector<std::pair<filecoin::circuit_name, std::string>> out;
  std::error_code ignored;
  for (const auto kind : filecoin::all_proof_kinds)
    for (const auto size : filecoin::all_sector_sizes) {
      const filecoin::circuit_name name{kind, size};
      const auto published = dir + "/" + filecoin::params_file_name(name);
      const auto test = dir + "/" + filecoin::test_parameter_stem(name, seed) + ".params";
      const bool asked = !circuit.empty() && to_string(name) == circuit;
      if (fs::exists(published, ignored) || (asked && !fs::exists(test, ignored)))
        out.emplace_back(name, published);
      if (fs::exists(test, ignored) && (circuit.empty() || asked))
        out.emplace_back(name, test);
      if (!circuit.empty() && !asked)
        std::erase_if(out, [&](const auto& entry) { return entry.first == name; });
    }
  return out;
}

int check(context& ctx, const std::string& dir_flag, const std::string& circuit_flag, std::uint64_t seed) {
  const auto dir = params_dir(dir_flag);
  std::string circuit;
  if (!circuit_flag.empty()) {
    auto name = filecoin::parse_circuit_name(circuit_flag);
    if (!name)
      return ctx.out.fail(name.err());
    circuit = to_string(*name);
  }
  json list = json::array();
  std::string text;
  bool good = true;
  const auto keys = keys_in(dir, circuit, std::to_string(seed));
  thread_pool pool(0);
  groth16::key_check_options options{pool, ""};
  options.told = [&ctx](std::string_view what, double done) {
    const auto slash = what.rfind('/');
    ctx.out.progress(static_cast<unsigned>(done * 100), std::string(what.substr(slash + 1)));
  };
  for (const auto& [name, path] : keys) {
    const auto v = look_at(name, path, options);
    good = good && v.good;
    list.push_back({{"circuit", v.circuit},
                    {"path", v.path},
                    {"bytes", v.bytes},
                    {"digest", v.digest},
                    {"expected_digest", v.expected},
                    {"state", v.state},
                    {"ok", v.good}});
    text += v.circuit + "  " + human_bytes(v.bytes) + "  " + v.digest + "  " + v.state + "\n  " + v.path + "\n";
  }
  ctx.out.end_progress();
  if (keys.empty())
    return ctx.out.fail({errc::params, "no key file of any circuit is there", dir});
  text.pop_back();
  ctx.out.show({{"dir", dir}, {"keys", list}}, text);
  return good ? 0 : exit_status(errc::params);
}

// -- derive
// -------------------------------------------------------------------------------------------------------------

struct derive_flags {
  std::string circuit, dir;
  std::uint64_t seed = 1;
  bool force = false;
  unsigned threads = 0;
};

/// Derives beside the key, unless a derived key that fits is there.
result<json> derive_beside(context& ctx, const derive_flags& f) {
  CUZK_TRY(name, filecoin::parse_circuit_name(f.circuit));
  const auto keys = keys_in(params_dir(f.dir), to_string(name), std::to_string(f.seed));
  const auto params = keys.front().second; // of one circuit there is always an entry
  CUZK_TRY(text, circuits::find_circuit(name));
  CUZK_TRY(of, groth16::read_circuit(*text));
  CUZK_TRY(key, groth16::proving_key::open(params, *of, {"", false}));
  const auto path = params + ".derived";
  const bool kept = !f.force && groth16::proving_key::open(params, *of, {path, true});
  if (!kept) {
    thread_pool pool(f.threads);
    groth16::derive_options options{pool, cpu().avx512ifma};
    options.told = [&ctx](std::string_view what, double done) {
      ctx.out.progress(static_cast<unsigned>(done * 100), std::string(what));
    };
    CUZK_CHECK(groth16::derive_key(*key, *of, path, options));
  }
  return json{{"circuit", to_string(name)}, {"params", params}, {"derived", path}, {"kept", kept}};
}

int derive(context& ctx, const derive_flags& f) {
  auto made = derive_beside(ctx, f);
  ctx.out.end_progress();
  if (!made)
    return ctx.out.fail(made.err());
  ctx.out.show(*made, ((*made)["kept"].get<bool>() ? "kept    " : "written ") + (*made)["derived"].get<std::string>());
  return 0;
}

} // namespace

void add_params_commands(CLI::App& app, context& ctx) {
  auto* params = app.add_subcommand("params", "Key files");
  params->require_subcommand(1);
  auto f = std::make_shared<generate_flags>();
  auto* make = params->add_subcommand("generate-test", "Make an INSECURE key in the real layout, with its derived key");
  make->add_option("CIRCUIT", f->circuit, "Such as porep-2k")->required();
  make->add_option("--seed", f->seed, "The key's scalars follow from it")->check(whole_number())->default_val(1);
  make->add_option("--toxic", f->toxic_file, "JSON file with alpha, beta, gamma, delta, tau, g1, g2 instead");
  make->add_option("--dir", f->dir, "Folder; default: the parameter cache");
  make->add_option("--threads", f->threads, "0: one per processor")->check(whole_number(4096));
  make->add_flag("--force", f->force, "Replace files that hold another key");
  make->callback([&ctx, f] { ctx.run = [&ctx, f] { return generate(ctx, *f); }; });

  auto dir = std::make_shared<std::string>();
  auto circuit = std::make_shared<std::string>();
  auto seed = std::make_shared<std::uint64_t>(1);
  auto* look = params->add_subcommand("check", "Read the key files that are there in full: digest and every point");
  look->add_option("CIRCUIT", *circuit, "Only this circuit; its key must be there");
  look->add_option("--dir", *dir, "Folder; default: the parameter cache");
  look->add_option("--seed", *seed, "Which test keys to look for")->check(whole_number())->default_val(1);
  look->callback(
    [&ctx, dir, circuit, seed] { ctx.run = [&ctx, dir, circuit, seed] { return check(ctx, *dir, *circuit, *seed); }; });

  auto d = std::make_shared<derive_flags>();
  auto* derived = params->add_subcommand("derive", "Make the derived key of a key: proofs then take four transforms");
  derived->add_option("CIRCUIT", d->circuit, "Such as winning-2k; at most 2^17 rows on a processor")->required();
  derived->add_option("--dir", d->dir, "Folder; default: the parameter cache");
  derived->add_option("--seed", d->seed, "Which test key, where no published key is there")
    ->check(whole_number())
    ->default_val(1);
  derived->add_option("--threads", d->threads, "0: one per processor")->check(whole_number(4096));
  derived->add_flag("--force", d->force, "Also where a derived key is there");
  derived->callback([&ctx, d] { ctx.run = [&ctx, d] { return derive(ctx, *d); }; });
}

} // namespace cuzk::client
