#pragma once
// Pieces of JSON's grammar below the level of values: characters, escapes, byte arrays.
#include "math/hash/digest.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace cuzk::filecoin::json_text {

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// What a string may hold as it is: ASCII but quotes, backslashes and control characters.
inline constexpr auto plain_character = [] {
  std::array<bool, 256> out{};
  for (int c = 0x20; c < 0x80; ++c)
    out[static_cast<std::size_t>(c)] = c != '"' && c != '\\';
  return out;
}();

/// -1 when it is none.
int hex_value(char c);
/// Four hex digits known to be good.
unsigned hex4(std::string_view text);
void append_utf8(std::string& out, unsigned code);

/// The rest of a 32-byte array after its bracket; null where the text is anything else than plain integers 0..255
/// (then the caller reads it again, slowly).
const char* scan_bytes32(const char* p, const char* end, digest& out);

/// What stands at the place of a failure, for people: one token or the beginning of it.
std::string found_at(std::string_view text, std::size_t at);

} // namespace cuzk::filecoin::json_text
