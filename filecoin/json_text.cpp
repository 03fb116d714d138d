#include "filecoin/json_text.hpp"

#include <algorithm>
#include <bit>

namespace cuzk::filecoin::json_text {
namespace {

/// One to three digits and what follows them, read from four bytes at once: no branch per digit.
struct small_number {
  unsigned length; ///< 0: not one to three digits
  unsigned value;
};
small_number scan_small(const char* p) {
  std::uint32_t word = 0;
  for (int i = 0; i < 4; ++i)
    word |= std::uint32_t(static_cast<unsigned char>(p[i])) << (8 * i);
  const std::uint32_t digits = word ^ 0x30303030; // 0..9 in the bytes that are digits
  const std::uint32_t others = (digits | (digits + 0x76767676)) & 0x80808080;
  const auto length = static_cast<unsigned>(std::countr_zero(others)) / 8;
  if (length == 0 || length > 3 || (length > 1 && (digits & 0xff) == 0))
    return {0, 0};
  const std::uint32_t aligned = digits << (8 * (4 - length)) >> 8; // hundreds, tens, units from the lowest byte up
  return {length, 100 * (aligned & 0xff) + 10 * (aligned >> 8 & 0xff) + (aligned >> 16)};
}

} // namespace

int hex_value(char c) {
  if (is_digit(c))
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

unsigned hex4(std::string_view text) {
  unsigned x = 0;
  for (int i = 0; i < 4; ++i)
    x = x << 4 | static_cast<unsigned>(hex_value(text[static_cast<std::size_t>(i)]));
  return x;
}

void append_utf8(std::string& out, unsigned code) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | code >> 12);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0 | code >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

const char* scan_bytes32(const char* p, const char* end, digest& out) {
  const auto space = [&] {
    while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
      ++p;
  };
  for (std::size_t i = 0; i < out.size(); ++i) {
    space();
    if (end - p < 4)
      return nullptr;
    const auto number = scan_small(p);
    if (number.length == 0 || number.value > 255)
      return nullptr;
    out[i] = static_cast<std::uint8_t>(number.value);
    p += number.length;
    space();
    if (p == end || *p != (i + 1 < out.size() ? ',' : ']'))
      return nullptr;
    ++p;
  }
  return p;
}

std::string found_at(std::string_view text, std::size_t at) {
  if (at >= text.size())
    return "the end of the text";
  auto token = text.substr(at, 24);
  if (token.front() == '"')
    token = token.substr(0, token.find('"', 1) + 1);
  else if (token.front() != '[' && token.front() != '{')
    token = token.substr(0, std::max<std::size_t>(1, token.find_first_of(",]} \t\r\n")));
  std::string out(token.empty() ? text.substr(at, 24) : token);
  for (char& c : out)
    c = c >= 0x20 && c < 0x7f ? c : '?';
  return out;
}

} // namespace cuzk::filecoin::json_text
