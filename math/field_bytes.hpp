#pragma once
// Field elements as bytes. Scalars travel as 32 bytes little endian, coordinates as 48 bytes big endian.
#include "math/field.hpp"

#include <cstring>
#include <optional>
#include <span>

namespace cuzk {

/// Canonical little-endian bytes -> element; empty when the integer is not below the modulus.
template <class F>
std::optional<F> from_le_bytes(std::span<const std::uint8_t, F::byte_size> in) {
  big_int<F::limbs> x{};
  for (std::size_t i = 0; i < in.size(); ++i)
    x.limb[i / 8] |= std::uint64_t(in[i]) << (8 * (i % 8));
  if (!F::is_canonical(x))
    return std::nullopt;
  return F::from_int(x);
}

template <class F>
void to_le_bytes(const F& x, std::span<std::uint8_t, F::byte_size> out) {
  const auto v = x.to_int();
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<std::uint8_t>(v.limb[i / 8] >> (8 * (i % 8)));
}

template <class F>
std::array<std::uint8_t, F::byte_size> to_le_bytes(const F& x) {
  std::array<std::uint8_t, F::byte_size> out;
  to_le_bytes(x, std::span<std::uint8_t, F::byte_size>(out));
  return out;
}

} // namespace cuzk
