#pragma once
// What a node says of itself before it starts.
#include "runtime/config.hpp"
#include "runtime/log.hpp"
#include "runtime/memory.hpp"

#include <initializer_list>
#include <string>
#include <utility>

namespace cuzk::daemon {

/// "key=value key=value" of a log line.
std::string pairs(std::initializer_list<std::pair<const char*, std::string>> list);

/// Logs version, device, folders, memory, and which keys are there. Errors: params, when a circuit that
/// params.circuits asks for has no key; bad_input, when there is no such circuit.
status say_what_is_there(const logger& log, const configuration& config, const memory_limits& limits);

} // namespace cuzk::daemon
