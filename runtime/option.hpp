#pragma once
// One option: declared once, with everything help, checks, the example file and the environment need to know.
#include "runtime/options.hpp"
#include "runtime/units.hpp"

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cuzk {

/// Where the value of an option lives. The type decides what texts are accepted.
using option_field =
  std::variant<bool*, std::uint64_t*, byte_size*, milliseconds*, std::string*, std::vector<std::string>*>;

/// A declared option. All text in it is written for an operator.
struct option {
  std::string_view section, key;
  option_field (*field)(node_options&);
  std::string_view standard;  ///< the default, as it would be written in the file (without quotes)
  std::string_view unit;      ///< of a plain number: "threads", "jobs"; empty elsewhere
  std::string_view sentence;  ///< what it does
  std::uint64_t at_least = 0; ///< numbers, sizes (bytes) and durations (ms)
  std::uint64_t at_most = std::numeric_limits<std::uint64_t>::max();
  bool automatic = false;                  ///< "auto" is accepted; the field then holds 0 or an empty text
  bool needs_restart = true;               ///< false: taken over on SIGHUP
  std::vector<std::string_view> choices{}; ///< texts: the only values

  /// "section.key"
  std::string name() const;
  /// "CUZK_SECTION_KEY"
  std::string environment_name() const;
};

/// Every option, by section, in the order of the example file.
std::span<const option> all_options();
/// nullptr when there is none.
const option* find_option(std::string_view section, std::string_view key);

/// "number", "size", "duration", "text", "truth value", "list of texts".
std::string_view type_name(const option& declared);
/// Sets the field from its textual form (a list: comma separated). Errors: bad_input: type, unit, bounds, choices.
status assign(const option& declared, node_options& options, std::string_view text);
/// The textual form of the field, such that assign() restores it.
std::string print(const option& declared, const node_options& options);
/// The same as a TOML value: quoted, bracketed.
std::string print_toml(const option& declared, const node_options& options);

} // namespace cuzk
