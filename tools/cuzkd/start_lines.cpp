#include "tools/cuzkd/start_lines.hpp"

#include "tools/cuzkd/settings.hpp"
#include "tools/version.hpp"

#include <unistd.h>

namespace cuzk::daemon {
namespace {

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "?";
}

void say_who(const logger& log, const configuration& config, const memory_limits& limits) {
  const auto& o = config.options;
  const auto origin = config.origins.find("params.dir");
  const auto number = [](std::uint64_t n) { return std::to_string(n); };
  log.write(log_level::info, "node-starting",
            pairs({{"version", version_text()},
                   {"node", o.node.name.empty() ? host_name() : o.node.name},
                   {"pid", number(static_cast<std::uint64_t>(::getpid()))},
                   {"device", o.prover.device}}));
  log.write(log_level::info, "node-folders",
            pairs({{"state", o.node.state_dir},
                   {"params", o.params.dir},
                   {"params_from", origin == config.origins.end() ? "default" : origin->second},
                   {"cache", o.params.cache_dir}}));
  log.write(log_level::info, "node-memory",
            pairs({{"budget_bytes", number(node_config_of(o, limits).memory.host)},
                   {"limit_bytes", number(limits.limit_bytes)},
                   {"limited_by", limits.limited_by}}));
}

} // namespace

std::string pairs(std::initializer_list<std::pair<const char*, std::string>> list) {
  std::string out;
  for (const auto& [key, value] : list)
    out += (out.empty() ? "" : " ") + pair_text(key, value);
  return out;
}

status say_what_is_there(const logger& log, const configuration& config, const memory_limits& limits) {
  const auto& o = config.options;
  say_who(log, config, limits);
  if (o.params.allow_test_keys)
    log.write(log_level::warn, "test-keys-allowed", "text=\"proofs made with test keys are worthless outside tests\"");
  CUZK_TRY(keys, find_keys(production_config_of(o), o.params.circuits));
  for (const auto& k : keys)
    log.write(k.present ? log_level::info : log_level::error, k.present ? "key-found" : "key-missing",
              pairs({{"circuit", k.circuit}, {"path", k.path}, {"test_key", k.test_key ? "true" : "false"}}));
  if (keys.empty())
    log.write(log_level::warn, "no-keys", pairs({{"params", o.params.dir}}));
  for (const auto& k : keys)
    if (!k.present)
      return error{errc::params,
                   "the key of " + k.circuit + ", which params.circuits asks for, is not there; fetch it with " +
                     "`lotus fetch-params` or `curio fetch-params`, or take the circuit out",
                   k.path};
  return ok();
}

} // namespace cuzk::daemon
