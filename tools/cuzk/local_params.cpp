// params generate-test, params check: key files.
#include "circuits/catalog.hpp"
#include "filecoin/parameters.hpp"
#include "groth16/proving_key.hpp"
#include "groth16/test_key.hpp"
#include "math/encoding.hpp"
#include "math/field_bytes.hpp"
#include "math/hash/blake2.hpp"
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

result<fr> read_scalar(const json& object, const char* name) {
  const std::string where = std::string("$.") + name;
  if (!object.contains(name) || !object[name].is_string())
    return bad_input(where, "missing; expected 64 hex digits, little endian");
  CUZK_TRY(data, parse_bytes32(object[name].get<std::string>(), where));
  const auto value = from_le_bytes<fr>(data);
  if (!value)
    return bad_input(where, "is not below the group order");
  return *value;
}

template <class F>
result<affine<F>> read_generator(const json& object, const char* name) {
  const std::string where = std::string("$.") + name;
  if (!object.contains(name) || !object[name].is_string())
    return bad_input(where, "missing; expected an uncompressed point in hex");
  auto data = from_hex(object[name].get<std::string>());
  if (!data)
    return bad_input(where, data.err().message());
  auto point = decode_uncompressed<F>(*data, point_check::subgroup);
  if (!point || point->is_infinity())
    return bad_input(where, point ? "is the point at infinity" : point.err().text);
  return point;
}

result<groth16::toxic_waste> read_toxic(const std::string& path) {
  CUZK_TRY(text, read_file(path));
  auto object = json::parse(text.begin(), text.end(), nullptr, false);
  if (object.is_object() && object.contains("toxic_waste"))
    object = json(object["toxic_waste"]);
  if (!object.is_object())
    return bad_input(path, "is not a JSON object with alpha, beta, gamma, delta, tau, g1, g2");
  CUZK_TRY(alpha, read_scalar(object, "alpha"));
  CUZK_TRY(beta, read_scalar(object, "beta"));
  CUZK_TRY(gamma, read_scalar(object, "gamma"));
  CUZK_TRY(delta, read_scalar(object, "delta"));
  CUZK_TRY(tau, read_scalar(object, "tau"));
  CUZK_TRY(g1_base, read_generator<fp>(object, "g1"));
  CUZK_TRY(g2_base, read_generator<fp2>(object, "g2"));
  return groth16::toxic_waste{alpha, beta, gamma, delta, tau, g1_base, g2_base};
}

result<groth16::test_key_request> to_request(const generate_flags& f) {
  CUZK_TRY(circuit, filecoin::parse_circuit_name(f.circuit));
  groth16::test_key_request out{circuit, {}, std::to_string(f.seed), params_dir(f.dir), f.force};
  if (f.toxic_file.empty()) {
    out.toxic = groth16::toxic_of_seed(f.seed);
    return out;
  }
  CUZK_TRY(toxic, read_toxic(f.toxic_file));
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
  auto made = groth16::generate_test_key(*request, pool, [&](std::string_view what, double done) {
    ctx.out.progress(static_cast<unsigned>(done * 100), std::string(what));
  });
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

std::string digest_of_file(const groth16::mapped_file& file) {
  return groth16::vk_digest(file.bytes()); // the same rule: BLAKE2b-512, first 16 bytes
}

/// What check finds of one circuit's key.
struct key_verdict {
  std::string circuit, path, state = "ok", digest, expected;
  std::uint64_t bytes = 0;
  bool good = true;
};

key_verdict check_key(const filecoin::circuit_name& name, const std::string& path) {
  key_verdict out{to_string(name), path, "ok", "", "", 0, true};
  const auto spoil = [&](const std::string& why) {
    out.state = why;
    out.good = false;
    return out;
  };
  const auto expected = filecoin::published(name);
  auto file = groth16::mapped_file::open(path);
  if (!file)
    return spoil(file.err().text);
  out.bytes = file->bytes().size();
  auto layout = groth16::read_key_layout(file->bytes(), path);
  if (!layout)
    return spoil(layout.err().message());
  auto vk = groth16::read_verifying_key(file->bytes().first(layout->vk_bytes()), path);
  if (!vk)
    return spoil(vk.err().message());
  out.digest = digest_of_file(*file);
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
  for (const auto& [name, path] : keys) {
    ctx.out.progress(0, "checking " + fs::path(path).filename().string());
    const auto v = check_key(name, path);
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

} // namespace

void add_params_commands(CLI::App& app, context& ctx) {
  auto* params = app.add_subcommand("params", "Key files");
  params->require_subcommand(1);
  auto f = std::make_shared<generate_flags>();
  auto* make = params->add_subcommand("generate-test", "Make an INSECURE key in the real layout, with its derived key");
  make->add_option("CIRCUIT", f->circuit, "Such as porep-2k")->required();
  make->add_option("--seed", f->seed, "The key's scalars follow from it")->default_val(1);
  make->add_option("--toxic", f->toxic_file, "JSON file with alpha, beta, gamma, delta, tau, g1, g2 instead");
  make->add_option("--dir", f->dir, "Folder; default: the parameter cache");
  make->add_option("--threads", f->threads, "0: one per processor");
  make->add_flag("--force", f->force, "Replace files that hold another key");
  make->callback([&ctx, f] { ctx.run = [&ctx, f] { return generate(ctx, *f); }; });

  auto dir = std::make_shared<std::string>();
  auto circuit = std::make_shared<std::string>();
  auto seed = std::make_shared<std::uint64_t>(1);
  auto* look = params->add_subcommand("check", "Path, size, digest and state of the key files that are there");
  look->add_option("CIRCUIT", *circuit, "Only this circuit; its key must be there");
  look->add_option("--dir", *dir, "Folder; default: the parameter cache");
  look->add_option("--seed", *seed, "Which test keys to look for")->default_val(1);
  look->callback(
    [&ctx, dir, circuit, seed] { ctx.run = [&ctx, dir, circuit, seed] { return check(ctx, *dir, *circuit, *seed); }; });
}

} // namespace cuzk::client
