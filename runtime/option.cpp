#include "runtime/option.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>

namespace cuzk {
namespace {

template <class... F>
struct overloaded : F... {
  using F::operator()...;
};
template <class... F>
overloaded(F...) -> overloaded<F...>;

std::string upper(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

/// A text as TOML writes it.
std::string toml_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", byte);
      out += code;
      continue;
    }
    if (c == '"' || c == '\\')
      out += '\\';
    out += c;
  }
  return out + "\"";
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> items;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    auto item = text.substr(0, comma);
    while (!item.empty() && item.front() == ' ')
      item.remove_prefix(1);
    while (!item.empty() && item.back() == ' ')
      item.remove_suffix(1);
    if (!item.empty())
      items.emplace_back(item);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return items;
}

std::string in_words(const option& declared, std::uint64_t value) {
  const auto type = type_name(declared);
  if (type == "size")
    return print_size({value});
  if (type == "duration")
    return print_duration(milliseconds(value));
  return std::to_string(value) + (declared.unit.empty() ? "" : " " + std::string(declared.unit));
}

status check_bounds(const option& declared, std::uint64_t value) {
  if (value < declared.at_least)
    return bad_input({},
                     in_words(declared, value) + " is too small; at least " + in_words(declared, declared.at_least));
  if (value > declared.at_most)
    return bad_input({}, in_words(declared, value) + " is too large; at most " + in_words(declared, declared.at_most));
  return ok();
}

status check_choice(const option& declared, std::string_view text) {
  const auto& list = declared.choices;
  if (list.size() == 0 || std::find(list.begin(), list.end(), text) != list.end())
    return ok();
  std::string names;
  for (const auto c : list)
    names += (names.empty() ? "" : ", ") + std::string(c);
  return bad_input({}, quoted(text) + " is not one of: " + names);
}

/// Parses with `read`, checks the bounds of the number behind it, stores.
template <class T, class Read, class Number>
status assign_number(const option& declared, T& field, std::string_view text, Read read, Number number) {
  CUZK_TRY(value, read(text));
  CUZK_CHECK(check_bounds(declared, number(value)));
  field = value;
  return ok();
}

void set_automatic(const option& declared, node_options& options) {
  std::visit([](auto* field) { *field = {}; }, declared.field(options));
}

} // namespace

std::string option::name() const {
  return std::string(section) + "." + std::string(key);
}

std::string option::environment_name() const {
  return "CUZK_" + upper(section) + "_" + upper(key);
}

const option* find_option(std::string_view section, std::string_view key) {
  for (const auto& o : all_options())
    if (o.section == section && o.key == key)
      return &o;
  return nullptr;
}

std::string_view type_name(const option& declared) {
  node_options none;
  return std::visit(overloaded{[](bool*) { return "truth value"; }, [](std::uint64_t*) { return "number"; },
                               [](byte_size*) { return "size"; }, [](milliseconds*) { return "duration"; },
                               [](std::string*) { return "text"; },
                               [](std::vector<std::string>*) { return "list of texts"; }},
                    declared.field(none));
}

status assign(const option& declared, node_options& options, std::string_view text) {
  if (declared.automatic && text == "auto") {
    set_automatic(declared, options);
    return ok();
  }
  const auto same = [](std::uint64_t n) { return n; };
  return std::visit(
    overloaded{[&](bool* field) -> status {
                 CUZK_TRY(value, parse_bool(text));
                 *field = value;
                 return ok();
               },
               [&](std::uint64_t* field) { return assign_number(declared, *field, text, parse_number, same); },
               [&](byte_size* field) {
                 return assign_number(declared, *field, text, parse_size, [](byte_size s) { return s.bytes; });
               },
               [&](milliseconds* field) {
                 return assign_number(declared, *field, text, parse_duration,
                                      [](milliseconds d) { return static_cast<std::uint64_t>(d.count()); });
               },
               [&](std::string* field) -> status {
                 CUZK_CHECK(check_choice(declared, text));
                 *field = text;
                 return ok();
               },
               [&](std::vector<std::string>* field) -> status {
                 *field = split(text);
                 return ok();
               }},
    declared.field(options));
}

std::string print(const option& declared, const node_options& options) {
  auto copy = options;
  const auto automatic = [&](bool is) { return declared.automatic && is; };
  return std::visit(
    overloaded{[](const bool* f) { return std::string(*f ? "true" : "false"); },
               [&](const std::uint64_t* f) { return automatic(*f == 0) ? "auto" : std::to_string(*f); },
               [&](const byte_size* f) { return automatic(f->bytes == 0) ? "auto" : print_size(*f); },
               [&](const milliseconds* f) { return automatic(f->count() == 0) ? "auto" : print_duration(*f); },
               [&](const std::string* f) { return automatic(f->empty()) ? "auto" : *f; },
               [](const std::vector<std::string>* f) {
                 std::string out;
                 for (const auto& item : *f)
                   out += (out.empty() ? "" : ",") + item;
                 return out;
               }},
    declared.field(copy));
}

std::string print_toml(const option& declared, const node_options& options) {
  auto text = print(declared, options);
  const auto type = type_name(declared);
  if (type == "truth value" || (type == "number" && text != "auto"))
    return text;
  if (type != "list of texts")
    return toml_text(text);
  std::string out;
  for (const auto& item : split(text))
    out += (out.empty() ? "" : ", ") + toml_text(item);
  return "[" + out + "]";
}

} // namespace cuzk
