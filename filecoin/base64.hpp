#pragma once
// Base64 with the standard alphabet and padding (RFC 4648, section 4).
#include "runtime/base/hex.hpp"

#include <string>
#include <string_view>

namespace cuzk::filecoin {

/// Errors: bad_input naming the offset of the first wrong character, a wrong length or unused bits that are not zero.
result<bytes> from_base64(std::string_view text);
std::string to_base64(byte_view data);

} // namespace cuzk::filecoin
