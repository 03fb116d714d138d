#include "filecoin/base64.hpp"

#include <algorithm>
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

error first_wrong(std::string_view text, std::size_t at) {
  while (values[static_cast<unsigned char>(text[at])] != 0xff)
    ++at;
  return wrong(at, "not in the alphabet A-Z a-z 0-9 + /");
}

} // namespace

result<bytes> from_base64(std::string_view text) {
  if (text.size() % 4 != 0)
    return wrong(text.size(), "the length is no multiple of 4");
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  const std::size_t digits = text.size() - padding;
  bytes out(text.size() / 4 * 3 - padding);
  std::uint8_t* next = out.data();
  const auto value = [&](std::size_t i) { return std::uint32_t(values[static_cast<unsigned char>(text[i])]); };
  std::size_t i = 0;
  for (; i + 4 <= digits; i += 4, next += 3) {
    const std::uint32_t a = value(i), b = value(i + 1), c = value(i + 2), d = value(i + 3);
    if ((a | b | c | d) & 0xc0)
      return first_wrong(text, i);
    const std::uint32_t word = a << 18 | b << 12 | c << 6 | d;
    next[0] = static_cast<std::uint8_t>(word >> 16);
    next[1] = static_cast<std::uint8_t>(word >> 8);
    next[2] = static_cast<std::uint8_t>(word);
  }
  if (padding == 0)
    return out;
  // The last group holds 2 or 3 digits; bits beyond the last byte must be zero, so that one value has one spelling.
  const std::uint32_t a = value(i), b = value(i + 1), c = padding == 1 ? value(i + 2) : 0;
  if ((a | b | c) & 0xc0)
    return first_wrong(text, i);
  const std::uint32_t word = a << 18 | b << 12 | c << 6;
  if (word & (padding == 1 ? 0xffu : 0xffffu))
    return wrong(digits - 1, "unused bits are not zero");
  next[0] = static_cast<std::uint8_t>(word >> 16);
  if (padding == 1)
    next[1] = static_cast<std::uint8_t>(word >> 8);
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
