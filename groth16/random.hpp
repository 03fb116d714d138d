#pragma once
// Secure randomness from the operating system.
#include "math/field.hpp"
#include "runtime/base/error.hpp"

#include <cstdint>
#include <span>

namespace cuzk::groth16 {

/// Fills `out` from the kernel's generator. Errors: internal, when the kernel gives none.
status random_bytes(std::span<std::uint8_t> out);

/// A uniform scalar below the group order, by rejection.
result<fr> random_scalar();

} // namespace cuzk::groth16
