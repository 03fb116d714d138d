// key=value texts, there and back, and as JSON.
#include "runtime/log.hpp"

#include <algorithm>
#include <cstdio>

namespace cuzk {
namespace {

bool plain(std::string_view value) {
  return !value.empty() && std::none_of(value.begin(), value.end(), [](char c) {
    return c == ' ' || c == '"' || c == '\\' || c == '=' || static_cast<unsigned char>(c) < 0x20;
  });
}

/// Takes a quoted text, with its escapes, off the front of `rest`. A missing end quote ends with the text.
std::string take_quoted(std::string_view& rest) {
  std::string value;
  std::size_t at = 1;
  for (; at < rest.size() && rest[at] != '"'; ++at) {
    if (rest[at] == '\\' && at + 1 < rest.size())
      ++at;
    value += rest[at];
  }
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return value;
}

std::string take_word(std::string_view& rest) {
  const auto end = std::min(rest.find(' '), rest.size());
  std::string word(rest.substr(0, end));
  rest.remove_prefix(end);
  return word;
}

/// A JSON number exactly as written: no leading zeros or plus, no hexadecimal, so that ids and digests stay texts.
bool is_number(std::string_view text) {
  if (!text.empty() && text.front() == '-')
    text.remove_prefix(1);
  const auto digits = [&text] {
    std::size_t n = 0;
    while (n < text.size() && text[n] >= '0' && text[n] <= '9')
      ++n;
    return n;
  };
  const auto whole = digits();
  if (whole == 0 || whole > 15 || (whole > 1 && text.front() == '0'))
    return false;
  text.remove_prefix(whole);
  if (text.empty())
    return true;
  if (text.front() != '.')
    return false;
  text.remove_prefix(1);
  return digits() > 0 && digits() == text.size();
}

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

} // namespace

std::string pair_text(std::string_view key, std::string_view value) {
  std::string out = std::string(key) + "=";
  if (plain(value))
    return out.append(value);
  out += '"';
  for (const char c : value) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c; // one event, one line
  }
  return out + '"';
}

std::vector<std::pair<std::string, std::string>> split_pairs(std::string_view rest) {
  std::vector<std::pair<std::string, std::string>> pairs;
  std::string words;
  while (!rest.empty()) {
    if (rest.front() == ' ') {
      rest.remove_prefix(1);
      continue;
    }
    const auto equals = rest.find('=');
    if (equals == std::string_view::npos || equals == 0 || rest.substr(0, equals).find(' ') != std::string_view::npos) {
      words += (words.empty() ? "" : " ") + take_word(rest);
      continue;
    }
    std::string key(rest.substr(0, equals));
    rest.remove_prefix(equals + 1);
    const bool quoted = !rest.empty() && rest.front() == '"';
    pairs.emplace_back(std::move(key), quoted ? take_quoted(rest) : take_word(rest));
  }
  if (!words.empty())
    pairs.emplace_back("text", std::move(words));
  return pairs;
}

std::string json_members(std::string_view event, std::string_view pairs) {
  std::string out = "\"event\":" + json_text(event);
  for (const auto& [key, value] : split_pairs(pairs)) {
    const bool bare = is_number(value) || value == "true" || value == "false";
    out += "," + json_text(key) + ":" + (bare ? value : json_text(value));
  }
  return out;
}

} // namespace cuzk
