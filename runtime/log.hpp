#pragma once
// The log: one line an event, key=value text or JSON. An event's name is a stable literal to search for.
#include "runtime/base/error.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cuzk {

enum class log_level : std::uint8_t { debug, info, warn, error };
/// "debug", "info", "warn", "error"; info for anything else.
log_level parse_log_level(std::string_view name) noexcept;

struct log_settings {
  log_level level = log_level::info;
  bool json = false;
  std::string file; ///< appended to; empty: standard error
};

/// Writes lines; safe to call from any thread. Copies share one output.
class logger {
public:
  /// Errors: resources when the file cannot be written.
  static result<logger> open(const log_settings& settings);

  /// @param pairs "key=value key=\"some words\" …"; in JSON each becomes a member, numbers and truth values as such.
  void write(log_level level, std::string_view event, std::string_view pairs) const;
  void set_level(log_level level) const;
  /// Opens the file anew by its name: the old one was moved away. Nothing for standard error.
  /// Errors: resources; the old file is then kept.
  status reopen() const;
  /// Everything written so far is out.
  void flush() const;

private:
  struct output;
  std::shared_ptr<output> output_;
};

/// "key=value" as a pair of a line: quoted where the value has blanks, quotes or is empty.
std::string pair_text(std::string_view key, std::string_view value);
/// Takes the pairs apart again; words without '=' come out under the key "text".
std::vector<std::pair<std::string, std::string>> split_pairs(std::string_view pairs);
/// The members of a JSON line for an event: "\"event\":…,\"job\":17".
std::string json_members(std::string_view event, std::string_view pairs);

} // namespace cuzk
