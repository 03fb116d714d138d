#include "actors/production_keys.hpp"

#include "filecoin/parameters.hpp"
#include "groth16/key_check.hpp"
#include "groth16/matrix_file.hpp"

#include <filesystem>

namespace cuzk {
namespace {

namespace fs = std::filesystem;

/// Size of a regular file; nothing for anything else.
std::optional<std::uint64_t> size_of(const std::string& path) {
  std::error_code code;
  if (!fs::is_regular_file(path, code))
    return std::nullopt;
  const auto size = fs::file_size(path, code);
  return code ? std::nullopt : std::optional<std::uint64_t>(size);
}

error missing(const key_found& where) {
  return {errc::params, "the key of " + where.circuit + " is not there", where.path};
}

/// The derived key beside the key, else in the cache; empty when there is none.
std::string derived_file(const production_config& config, const std::string& params) {
  for (const auto& path :
       {params + ".derived", config.cache_dir + "/" + fs::path(params).filename().string() + ".derived"})
    if (size_of(path))
      return path;
  return {};
}

} // namespace

key_found key_file(const production_config& config, const filecoin::circuit_name& circuit) {
  key_found out;
  out.circuit = to_string(circuit);
  out.path = config.params_dir + "/" + filecoin::params_file_name(circuit);
  auto size = size_of(out.path);
  if (!size && config.allow_test_keys) {
    const auto stem = filecoin::test_parameter_stem(circuit, std::to_string(config.test_seed));
    const auto path = config.params_dir + "/" + stem + ".params";
    if ((size = size_of(path))) {
      out.path = path;
      out.test_key = true;
    }
  }
  out.present = size.has_value();
  out.bytes = size.value_or(0);
  return out;
}

result<std::vector<key_found>> find_keys(const production_config& config, const std::vector<std::string>& circuits) {
  std::vector<key_found> found;
  for (const auto& name : circuits) {
    auto circuit = filecoin::parse_circuit_name(name);
    if (!circuit)
      return bad_input("params.circuits", circuit.err().text);
    found.push_back(key_file(config, *circuit));
  }
  if (!circuits.empty())
    return found;
  for (const auto kind : filecoin::all_proof_kinds)
    for (const auto size : filecoin::all_sector_sizes)
      if (auto key = key_file(config, {kind, size}); key.present)
        found.push_back(std::move(key));
  return found;
}

result<opened_key> open_key(const production_config& config, circuit_table& circuits, const std::string& name,
                            thread_pool& pool) {
  CUZK_TRY(known, circuits.find(name));
  const auto file = key_file(config, known->circuit->name());
  if (!file.present)
    return missing(file);
  CUZK_TRY(circuit, groth16::load_circuit(*known->circuit, config.cache_dir));
  groth16::key_options options;
  options.use_derived = config.derived != groth16::derived_use::off;
  if (options.use_derived)
    options.derived_path = derived_file(config, file.path);
  CUZK_TRY(key, groth16::proving_key::open(file.path, *circuit, options));
  if (config.derived == groth16::derived_use::required && !key->derived())
    return error{errc::params, "prover.derived_key is \"required\", but there is no derived key beside this one",
                 file.path};
  if (key->is_test_key() && !config.allow_test_keys)
    return error{errc::params,
                 "not a published key (the digest of its verifying key is unknown), and params.allow_test_keys is off",
                 file.path};
  CUZK_CHECK(groth16::check_key(*key, {pool, config.cache_dir + "/checked-files"}));
  auto opened = std::make_shared<real_key>();
  opened->test_key = key->is_test_key();
  opened->key = key;
  opened->circuit = circuit;
  opened_key out;
  out.size.host = known->need.key.host;
  out.test_key = opened->test_key;
  out.path = file.path;
  out.key = std::move(opened);
  return out;
}

} // namespace cuzk
