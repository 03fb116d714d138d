#include "runtime/units.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace cuzk {
namespace {

struct named_unit {
  std::string_view name;
  std::uint64_t factor;
};

// Largest first: printing takes the first that divides.
constexpr std::array size_units = {named_unit{"TiB", 1ull << 40}, named_unit{"GiB", 1ull << 30},
                                   named_unit{"MiB", 1ull << 20}, named_unit{"KiB", 1ull << 10}, named_unit{"B", 1}};
constexpr std::array duration_units = {named_unit{"d", 86'400'000}, named_unit{"h", 3'600'000}, named_unit{"m", 60'000},
                                       named_unit{"s", 1000}, named_unit{"ms", 1}};

/// Number, optional blanks, unit. Only zero may stand without a unit.
template <std::size_t N>
result<std::uint64_t> parse_with_unit(std::string_view text, const std::array<named_unit, N>& units, const char* what,
                                      const char* expected) {
  const auto wrong = [&] {
    return error{errc::bad_input, quoted(text) + " is not a " + what + "; expected " + expected};
  };
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc{})
    return wrong();
  auto unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (!unit.empty() && unit.front() == ' ')
    unit.remove_prefix(1);
  if (unit.empty() && number == 0)
    return number;
  for (const auto& u : units) {
    if (u.name != unit)
      continue;
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / u.factor)
      return error{errc::bad_input, "\"" + std::string(text) + "\" is too large"};
    return number * u.factor;
  }
  return wrong();
}

template <std::size_t N>
std::string print_with_unit(std::uint64_t number, const std::array<named_unit, N>& units, const char* zero) {
  if (number == 0)
    return zero;
  for (const auto& u : units)
    if (number % u.factor == 0)
      return std::to_string(number / u.factor) + std::string(u.name);
  return zero;
}

std::string format(const char* pattern, double value) {
  char text[48];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

} // namespace

result<byte_size> parse_size(std::string_view text) {
  CUZK_TRY(bytes, parse_with_unit(text, size_units, "size", "a number with B, KiB, MiB, GiB or TiB, like \"256GiB\""));
  return byte_size{bytes};
}

std::string print_size(byte_size size) {
  return print_with_unit(size.bytes, size_units, "0B");
}

std::string about_size(std::uint64_t bytes) {
  for (const auto& u : size_units)
    if (bytes >= u.factor && u.factor > 1)
      return format(bytes >= 100 * u.factor ? "%.0f " : "%.1f ",
                    static_cast<double>(bytes) / static_cast<double>(u.factor)) +
             std::string(u.name);
  return std::to_string(bytes) + " B";
}

result<milliseconds> parse_duration(std::string_view text) {
  CUZK_TRY(ms, parse_with_unit(text, duration_units, "duration", "a number with ms, s, m, h or d, like \"5m\""));
  return milliseconds(ms);
}

std::string print_duration(milliseconds duration) {
  return print_with_unit(static_cast<std::uint64_t>(duration.count()), duration_units, "0s");
}

std::string about_duration(double seconds) {
  if (seconds < 9.995)
    return format("%.2f s", seconds);
  if (seconds < 59.95)
    return format("%.1f s", seconds);
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole < 3600)
    return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole / 60 % 60) + " min";
}

result<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code == std::errc::result_out_of_range)
    return error{errc::bad_input, "\"" + std::string(text) + "\" is too large"};
  if (code != std::errc{} || end != text.data() + text.size())
    return error{errc::bad_input, "\"" + std::string(text) + "\" is not a whole number"};
  return number;
}

result<bool> parse_bool(std::string_view text) {
  for (const auto yes : {"1", "true", "yes", "on"})
    if (text == yes)
      return true;
  for (const auto no : {"0", "false", "no", "off"})
    if (text == no)
      return false;
  return error{errc::bad_input, "\"" + std::string(text) + "\" is not a truth value; expected true or false"};
}

} // namespace cuzk
