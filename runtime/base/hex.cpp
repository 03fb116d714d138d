#include "runtime/base/hex.hpp"

namespace cuzk {

namespace {
int digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}
} // namespace

std::string to_hex(byte_view data) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out;
  out.reserve(data.size() * 2);
  for (auto b : data) {
    out += digits[b >> 4];
    out += digits[b & 15];
  }
  return out;
}

result<bytes> from_hex(std::string_view text) {
  if (text.size() % 2 != 0)
    return bad_input("", "hex string has an odd length of " + std::to_string(text.size()));
  bytes out(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int d = digit(text[i]);
    if (d < 0)
      return bad_input("character " + std::to_string(i), "not a hex digit");
    out[i / 2] = static_cast<std::uint8_t>(out[i / 2] << 4 | d);
  }
  return out;
}

} // namespace cuzk
