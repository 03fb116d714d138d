#pragma once
// From what an operator set to what each part of the node takes.
#include "actors/node_config.hpp"
#include "actors/services_production.hpp"
#include "gateway/gateway.hpp"
#include "runtime/log.hpp"
#include "runtime/memory.hpp"
#include "runtime/options.hpp"

namespace cuzk::daemon {

/// What is wrong with values that are right by type: addresses, names of circuits.
std::vector<error> mistakes_of(const node_options& options);

log_settings log_settings_of(const node_options& options);
node_config node_config_of(const node_options& options, const memory_limits& limits);
production_config production_config_of(const node_options& options);
/// Reads the token file. Errors: bad_input (no file, an empty first line).
result<gateway_config> gateway_config_of(const node_options& options);

} // namespace cuzk::daemon
