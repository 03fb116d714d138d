#pragma once
// A running node, from a checked configuration to its end.
#include "runtime/config.hpp"

namespace cuzk::daemon {

/// Runs until it is stopped by a signal, or until it cannot go on. The value is the exit status.
/// @param sources are read again on SIGHUP.
int serve(const configuration& config, const configuration_sources& sources);

} // namespace cuzk::daemon
