#pragma once
// SHA-512, used by the seed rule of test keys only.
#include "runtime/base/hex.hpp"

#include <array>
#include <cstdint>

namespace cuzk::groth16 {

/// Source: FIPS 180-4.
std::array<std::uint8_t, 64> sha512(byte_view message);

} // namespace cuzk::groth16
