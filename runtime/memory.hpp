#pragma once
// How much memory this process may use: the machine, the control groups above it, and what is left now.
#include <cstdint>
#include <string>

namespace cuzk {

struct memory_limits {
  std::uint64_t machine_bytes = 0; ///< all of the machine's
  std::uint64_t limit_bytes = 0;   ///< the least of the machine and every control group above this process
  std::string limited_by;          ///< "machine", or the control group's file
};

/// Reads /proc and the cgroup v2 tree under `root` ("" is the real one; tests give a folder).
memory_limits read_memory_limits(const std::string& root = {});

/// What work may reserve when the operator does not say: 80 % of the limit, but at least 256 MiB.
std::uint64_t automatic_budget(const memory_limits& limits) noexcept;

/// Resident bytes of this process now; 0 when it cannot be told.
std::uint64_t resident_bytes(const std::string& root = {});

} // namespace cuzk
