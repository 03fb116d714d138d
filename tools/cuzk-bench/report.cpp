#include "tools/cuzk-bench/report.hpp"

#include <cstdio>

namespace cuzk::bench {

namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      out += code;
      continue;
    }
    out += c;
  }
  return out + "\"";
}

std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

} // namespace

void report::add(std::string_view name, std::string json, std::string plain, std::vector<report> nested) {
  members_.push_back({std::string(name), std::move(json), std::move(plain), std::move(nested)});
}

void report::text(std::string_view name, std::string_view value) {
  add(name, quoted(value), std::string(value));
}

void report::number(std::string_view name, std::uint64_t value) {
  add(name, std::to_string(value), std::to_string(value));
}

void report::real(std::string_view name, double value, int digits) {
  add(name, fixed(value, digits), fixed(value, digits));
}

void report::flag(std::string_view name, bool value) {
  add(name, value ? "true" : "false", value ? "yes" : "no");
}

void report::list(std::string_view name, const std::vector<report>& items) {
  std::string json = "[";
  for (const auto& item : items)
    json += (json.size() == 1 ? "" : ",") + item.json();
  add(name, json + "]", "", items);
}

void report::object(std::string_view name, const report& value) {
  add(name, value.json(), "", {value});
}

std::string report::json() const {
  std::string out = "{";
  for (const auto& m : members_)
    out += (out.size() == 1 ? "" : ",") + quoted(m.name) + ":" + m.json;
  return out + "}";
}

std::string report::lines(const std::string& indent) const {
  std::string out;
  for (const auto& m : members_) {
    out += indent + m.name + (m.plain.empty() ? "\n" : ": " + m.plain + "\n");
    for (const auto& item : m.nested)
      out += item.lines(indent + "  ");
  }
  return out;
}

} // namespace cuzk::bench
