#include "tools/cuzkd/settings.hpp"

#include "filecoin/names.hpp"
#include "gateway/acceptor.hpp"
#include "runtime/disk.hpp"
#include "tools/version.hpp"

#include <algorithm>
#include <charconv>
#include <thread>

namespace cuzk::daemon {
namespace {

/// Witnesses are made with the same threads that prove: more than one in four would only take turns.
std::uint32_t automatic_synthesizers(const node_options& options) {
  const auto threads = options.cpu.threads ? options.cpu.threads : std::thread::hardware_concurrency();
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(threads / 4, 1, 64));
}

bool is_address(const std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0)
    return false;
  unsigned port = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data() + colon + 1, end, port);
  return failed == std::errc() && stop == end && port <= 65535;
}

} // namespace

std::vector<error> mistakes_of(const node_options& options) {
  std::vector<error> out;
  for (const auto& [name, text] : {std::pair("api.tcp", &options.api.tcp), std::pair("api.http", &options.api.http)}) {
    if (text->empty())
      continue;
    if (!is_address(*text))
      out.push_back(bad_input(name, "'" + *text + "' is not HOST:PORT with a port of 0 to 65535"));
    else if (!is_loopback(*text) && options.api.token_file.empty())
      out.push_back(bad_input(name, "'" + *text + "' is beyond loopback, which needs api.token_file"));
  }
  for (const auto& [name, list] :
       {std::pair("params.circuits", &options.params.circuits), std::pair("params.preload", &options.params.preload)})
    for (const auto& circuit : *list)
      if (const auto known = filecoin::parse_circuit_name(circuit); !known)
        out.push_back(bad_input(name, known.err().text));
  return out;
}

log_settings log_settings_of(const node_options& options) {
  return {parse_log_level(options.log.level), options.log.format == "json", options.log.file};
}

node_config node_config_of(const node_options& options, const memory_limits& limits) {
  node_config config;
  const auto budget = options.memory.host_budget.bytes;
  config.memory = {budget ? budget : automatic_budget(limits), 0, 0};
  config.tracker.max_unfinished_jobs = static_cast<std::uint32_t>(options.queue.max_jobs);
  config.tracker.max_queued_input_bytes = options.queue.max_inputs.bytes;
  config.tracker.max_input_bytes = options.api.max_input.bytes;
  config.tracker.keep_results_ms = options.node.keep_results.count();
  config.tracker.keep_results = static_cast<std::uint32_t>(options.queue.keep_jobs);
  config.scheduler.synthesizers = options.prover.synthesizers ? static_cast<std::uint32_t>(options.prover.synthesizers)
                                                              : automatic_synthesizers(options);
  config.scheduler.finalizers = static_cast<std::uint32_t>(options.prover.finalizers);
  config.scheduler.max_attempts = static_cast<std::uint32_t>(options.prover.attempts);
  config.scheduler.faults_to_quarantine = static_cast<std::uint32_t>(options.prover.faults_to_quarantine);
  config.test_keys_allowed = options.params.allow_test_keys;
  config.params_dir = options.params.dir;
  return config;
}

namespace {

std::vector<std::string> devices_of(const std::string& list) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= list.size();) {
    const auto comma = std::min(list.find(',', at), list.size());
    out.push_back(list.substr(at, comma - at));
    at = comma + 1;
  }
  return out;
}

} // namespace

production_config production_config_of(const node_options& options) {
  production_config config;
  config.params_dir = options.params.dir;
  config.cache_dir = options.params.cache_dir;
  config.state_dir = options.node.state_dir;
  config.allow_test_keys = options.params.allow_test_keys;
  config.test_seed = options.params.test_seed;
  config.derived = options.prover.derived_key == "off"        ? groth16::derived_use::off
                   : options.prover.derived_key == "required" ? groth16::derived_use::required
                                                              : groth16::derived_use::automatic;
  config.max_input_bytes = options.api.max_input.bytes;
  config.devices = devices_of(options.prover.device);
  return config;
}

result<gateway_config> gateway_config_of(const node_options& options) {
  gateway_config config;
  config.socket = options.api.socket;
  config.tcp = options.api.tcp;
  config.http = options.api.http;
  config.max_connections = options.api.max_connections;
  config.max_message_bytes = options.api.max_message.bytes;
  config.max_input_bytes = options.api.max_input.bytes;
  config.max_upload_bytes = options.api.max_uploads.bytes;
  config.upload_idle_ms = static_cast<std::uint64_t>(options.api.upload_idle.count());
  config.version = version_text();
  if (options.api.token_file.empty())
    return config;
  auto file = read_whole(options.api.token_file);
  if (!file)
    return bad_input("api.token_file", file.err().message());
  config.token.assign(file->begin(), std::find(file->begin(), file->end(), '\n'));
  if (!config.token.empty() && config.token.back() == '\r')
    config.token.pop_back();
  if (config.token.empty())
    return bad_input("api.token_file", "the first line of " + options.api.token_file + " is empty");
  return config;
}

} // namespace cuzk::daemon
