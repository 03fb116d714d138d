// The only file that knows toml++.
#include "runtime/config.hpp"
#include "runtime/disk.hpp"

#include <toml++/toml.h>

#include <algorithm>

namespace cuzk {
namespace {

std::string place(const std::string& path, const toml::source_region& at) {
  return path + ":" + std::to_string(at.begin.line);
}

std::string type_of(const toml::node& value) {
  switch (value.type()) {
  case toml::node_type::table: return "a table";
  case toml::node_type::array: return "an array";
  case toml::node_type::floating_point: return "a number with a fraction";
  case toml::node_type::date:
  case toml::node_type::time:
  case toml::node_type::date_time: return "a date";
  default: return "a value";
  }
}

/// Textual form and type of a scalar or of an array of texts.
result<std::pair<std::string, std::string>> text_of(const toml::node& value) {
  if (const auto* text = value.as_string())
    return std::pair(**text, std::string("text"));
  if (const auto* number = value.as_integer())
    return std::pair(std::to_string(**number), std::string("number"));
  if (const auto* truth = value.as_boolean())
    return std::pair(std::string(**truth ? "true" : "false"), std::string("truth value"));
  if (const auto* list = value.as_array()) {
    std::string joined;
    for (const auto& item : *list) {
      if (!item.is_string())
        return bad_input({}, "a list may hold texts only");
      joined += (joined.empty() ? "" : ",") + **item.as_string();
    }
    return std::pair(joined, std::string("list of texts"));
  }
  return bad_input({}, "no option takes " + type_of(value));
}

void read_section(const std::string& path, const std::string& section, const toml::table& table,
                  std::vector<file_value>& values, std::vector<error>& mistakes) {
  for (const auto& [key, value] : table) {
    const std::string name(key.str());
    const auto where = place(path, key.source());
    auto text = text_of(value);
    if (text)
      values.push_back({section, name, text->first, text->second, where});
    else
      mistakes.push_back(bad_input(where, printable(section + "." + name) + ": " + text.err().text));
  }
}

/// "FILE:12" before "FILE:100": toml++ sorts by name, people read by line.
long line_of(const std::string& where) {
  return std::strtol(where.c_str() + where.rfind(':') + 1, nullptr, 10);
}

} // namespace

std::vector<file_value> read_toml(const std::string& path, std::vector<error>& mistakes) {
  auto data = read_whole(path);
  if (!data) {
    mistakes.push_back(bad_input(path, data.err().text));
    return {};
  }
  std::vector<file_value> values;
  try {
    const auto file = toml::parse(std::string_view(reinterpret_cast<const char*>(data->data()), data->size()), path);
    for (const auto& [key, value] : file) {
      const std::string name(key.str());
      if (const auto* table = value.as_table())
        read_section(path, name, *table, values, mistakes);
      else
        mistakes.push_back(bad_input(place(path, key.source()), quoted(name) + " stands outside a [section]"));
    }
  } catch (const toml::parse_error& e) {
    mistakes.push_back(bad_input(place(path, e.source()), printable(e.description(), 400)));
  }
  std::stable_sort(values.begin(), values.end(),
                   [](const auto& a, const auto& b) { return line_of(a.where) < line_of(b.where); });
  return values;
}

} // namespace cuzk
