#pragma once
// Sizes and durations as people write them in configuration and on command lines.
#include "runtime/base/error.hpp"

#include <chrono>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace cuzk {

/// A number of bytes. A type of its own, so that an option knows it is a size.
struct byte_size {
  std::uint64_t bytes = 0;
  friend auto operator<=>(const byte_size&, const byte_size&) = default;
};

using std::chrono::milliseconds;

/// "256GiB", "64 MiB", "512KiB", "17B", "0"; binary units only, so that a size never means two things.
/// Errors: bad_input with what was read and the units there are.
result<byte_size> parse_size(std::string_view text);
/// The shortest exact spelling: "256GiB", "1000B".
std::string print_size(byte_size size);
/// For people: "1.5 GiB", "17 B".
std::string about_size(std::uint64_t bytes);

/// "250ms", "30s", "5m", "2h", "7d", "0s". Errors: bad_input with what was read and the units there are.
result<milliseconds> parse_duration(std::string_view text);
/// The shortest exact spelling.
std::string print_duration(milliseconds duration);
/// For people: "0.35 s", "12.4 s", "3 min 20 s", "2 h 5 min".
std::string about_duration(double seconds);

/// A whole number in decimal, all of the text. Errors: bad_input.
result<std::uint64_t> parse_number(std::string_view text);
/// 0/1/true/false/yes/no/on/off. Errors: bad_input.
result<bool> parse_bool(std::string_view text);

} // namespace cuzk
