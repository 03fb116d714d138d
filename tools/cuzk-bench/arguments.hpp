#pragma once
// A small command-line parser: this program builds with a compiler alone.
#include "runtime/base/error.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cuzk::bench {

/// One option of a command. `value` is what stands for it in the help; empty for a switch.
struct option {
  std::string_view name;  ///< with its dashes
  std::string_view value; ///< "FILE", "N"; empty: a switch
  std::string_view help;
};

/// One command of the program.
struct command {
  std::string_view name;
  std::string_view positional; ///< "INPUT"; empty: none
  std::string_view help;
  std::vector<option> options;
};

/// The words of one command line, checked against the command's table.
class arguments {
public:
  /// Errors: bad_input for an unknown option, a missing or superfluous word, an option given twice.
  static result<arguments> parse(const command& spec, const std::vector<std::string>& words);

  const std::string& positional() const noexcept { return positional_; }
  bool has(std::string_view name) const { return values_.contains(name); }
  std::optional<std::string> text(std::string_view name) const;
  /// Errors: bad_input when the option is absent.
  result<std::string> required(std::string_view name) const;
  /// `fallback` when the option is absent. Errors: bad_input for no number or one above `most`.
  result<std::uint64_t> number(std::string_view name, std::uint64_t fallback, std::uint64_t most) const;
  /// "on" or "off"; empty when the option is absent.
  result<std::optional<bool>> on_off(std::string_view name) const;

private:
  std::string positional_;
  std::map<std::string, std::string, std::less<>> values_;
};

/// A decimal number. Errors: bad_input at `where`.
result<std::uint64_t> parse_number(std::string_view text, std::uint64_t most, const std::string& where);

/// Help of one command, and of all.
std::string help_of(const command& spec);
std::string help_of(const std::vector<command>& all);

} // namespace cuzk::bench
