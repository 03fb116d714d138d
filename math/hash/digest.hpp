#pragma once
// 32-byte digests and their reading as scalars.
#include "math/field_bytes.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace cuzk {

/// 32 bytes in file order. As a field element: canonical integer, little endian.
using digest = std::array<std::uint8_t, 32>;

/// Empty when the integer is not below r.
inline std::optional<fr> to_fr(const digest& d) {
  return from_le_bytes<fr>(std::span<const std::uint8_t, 32>(d));
}
inline digest to_digest(const fr& x) {
  return to_le_bytes(x);
}
/// Clears bits 254 and 255, so that the integer is below r ("trim to Fr32").
inline digest trimmed(digest d) {
  d[31] &= 0x3f;
  return d;
}

} // namespace cuzk
