#pragma once
// The configuration of a node from its four sources: command line > environment > file > default.
#include "runtime/base/error.hpp"
#include "runtime/option.hpp"
#include "runtime/paths.hpp"

#include <map>
#include <string>
#include <vector>

namespace cuzk {

/// What the sources said together.
struct configuration {
  node_options options;
  std::map<std::string, std::string> origins; ///< "section.key" → "line 3 of FILE", "$CUZK_X", "--x"; absent: default
  std::vector<error> mistakes;                ///< all of them, each with its place; empty = usable
  std::vector<std::string> warnings;          ///< one sentence each
};

/// Where values come from. Nothing is read but the file.
struct configuration_sources {
  std::string file; ///< empty: none
  environment env;
  std::map<std::string, std::string> command_line; ///< "section.key" → textual value
  unsigned uid = 0;                                ///< decides default folders
};

/// Reads, checks and merges; what is `auto` and depends on the machine's folders is filled in. Never fails: see
/// `mistakes`.
configuration load_configuration(const configuration_sources& sources);

/// The file with every option at its default and its sentence: etc/cuzk.example.toml.
std::string example_file();
/// The options in force as a file that gives the same, each with its origin.
std::string dump(const configuration& config);
/// Names of the options that differ.
std::vector<std::string> differences(const node_options& a, const node_options& b);

/// One line of a TOML file.
struct file_value {
  std::string section, key;
  std::string text;  ///< as assign() takes it
  std::string type;  ///< as type_name() says it; sizes and durations are texts here
  std::string where; ///< "FILE:line"
};
/// All `key = value` of all `[section]`s in file order. Errors go to `mistakes`: unreadable file, syntax, a value of a
/// type no option has.
std::vector<file_value> read_toml(const std::string& path, std::vector<error>& mistakes);

} // namespace cuzk
