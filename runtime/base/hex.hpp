#pragma once
// Lower-case hexadecimal.
#include "runtime/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cuzk {

using bytes = std::vector<std::uint8_t>;
using byte_view = std::span<const std::uint8_t>;

std::string to_hex(byte_view data);
/// Errors: bad_input naming the position of the bad digit, or an odd length.
result<bytes> from_hex(std::string_view text);

} // namespace cuzk
