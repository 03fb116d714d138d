#include "filecoin/base64.hpp"

#include <array>

namespace cuzk::filecoin {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<std::uint8_t, 256> make_values() {
  std::array<std::uint8_t, 256> out{};
  for (auto& v : out)
    v = 0xff;
  for (std::size_t i = 0; i < alphabet.size(); ++i)
    out[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
  return out;
}
constexpr auto values = make_values();

error wrong(std::size_t at, const char* text) {
  return bad_input("base64 character " + std::to_string(at), text);
}

} // namespace

result<bytes> from_base64(std::string_view text) {
  if (text.size() % 4 != 0)
    return wrong(text.size(), "the length is no multiple of 4");
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  const std::size_t digits = text.size() - padding;
  bytes out;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const std::uint8_t v = values[static_cast<unsigned char>(text[i])];
    if (v == 0xff)
      return wrong(i, "not in the alphabet A-Z a-z 0-9 + /");
    word = word << 6 | v;
    if (i % 4 == 3)
      for (int shift = 16; shift >= 0; shift -= 8)
        out.push_back(static_cast<std::uint8_t>(word >> shift));
  }
  // The last group holds 1 or 2 bytes; bits beyond them must be zero, so that one value has one spelling.
  if (padding > 0 && (word & ((1u << (2 * padding)) - 1)) != 0)
    return wrong(digits - 1, "unused bits are not zero");
  word <<= 6 * padding;
  for (std::size_t i = 0; padding > 0 && i < 3 - padding; ++i)
    out.push_back(static_cast<std::uint8_t>(word >> (16 - 8 * i)));
  return out;
}

std::string to_base64(byte_view data) {
  std::string out;
  out.reserve((data.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < data.size(); i += 3) {
    std::uint32_t word = 0;
    const std::size_t n = data.size() - i < 3 ? data.size() - i : 3;
    for (std::size_t j = 0; j < 3; ++j)
      word = word << 8 | (j < n ? data[i + j] : 0u);
    for (std::size_t j = 0; j < 4; ++j)
      out += j <= n ? alphabet[word >> (18 - 6 * j) & 63] : '=';
  }
  return out;
}

} // namespace cuzk::filecoin
