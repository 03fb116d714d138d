#pragma once
// The command line of cuzkd: every option of the configuration as a flag, and what else it can do.
#include "runtime/config.hpp"

#include <optional>
#include <string>

namespace cuzk::daemon {

enum class action : std::uint8_t { serve, check_config, dump_config, example_config };

struct arguments {
  action what = action::serve;
  configuration_sources sources;
};

/// Help, version and mistakes are printed; then the value is the exit status instead.
std::variant<arguments, int> parse_arguments(int argc, const char* const* argv);

} // namespace cuzk::daemon
