#include "runtime/memory.hpp"

#include "runtime/units.hpp"

#include <algorithm>
#include <fstream>
#include <unistd.h>

namespace cuzk {
namespace {

/// "MemTotal:  16384 kB" → bytes; 0 when there is no such line.
std::uint64_t line_of_meminfo(const std::string& root, const std::string& name) {
  std::ifstream in(root + "/proc/meminfo");
  std::string key;
  std::uint64_t kilobytes = 0;
  while (in >> key >> kilobytes) {
    if (key == name + ":")
      return kilobytes << 10;
    in.ignore(64, '\n');
  }
  return 0;
}

/// The cgroup v2 path of this process: the line "0::/path"; empty without cgroup v2.
std::string own_group(const std::string& root) {
  std::ifstream in(root + "/proc/self/cgroup");
  std::string line;
  while (std::getline(in, line))
    if (line.starts_with("0::"))
      return line.substr(3);
  return {};
}

/// The number in a memory.max; 0 for "max" or no file.
std::uint64_t limit_in(const std::string& file) {
  std::ifstream in(file);
  std::string word;
  in >> word;
  const auto number = parse_number(word);
  return number ? *number : 0;
}

} // namespace

memory_limits read_memory_limits(const std::string& root) {
  memory_limits limits;
  limits.machine_bytes = line_of_meminfo(root, "MemTotal");
  limits.limit_bytes = limits.machine_bytes;
  limits.limited_by = "machine";
  // A group's limit holds for all below it, so every group on the way up counts. Inside a container the path may not
  // exist under the mounted tree; then the tree's own root is the container's group.
  auto group = own_group(root);
  for (;;) {
    const auto file = root + "/sys/fs/cgroup" + (group == "/" ? "" : group) + "/memory.max";
    if (const auto limit = limit_in(file); limit != 0 && (limits.limit_bytes == 0 || limit < limits.limit_bytes)) {
      limits.limit_bytes = limit;
      limits.limited_by = file.substr(root.size());
    }
    if (group.empty() || group == "/")
      return limits;
    group.resize(group.rfind('/'));
  }
}

std::uint64_t automatic_budget(const memory_limits& limits) noexcept {
  return std::max<std::uint64_t>(limits.limit_bytes / 5 * 4, 256ull << 20);
}

std::uint64_t resident_bytes(const std::string& root) {
  std::ifstream in(root + "/proc/self/statm");
  std::uint64_t total = 0, resident = 0;
  in >> total >> resident;
  return in ? resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

} // namespace cuzk
