#pragma once
// Values of math.json in the forms its README gives.
#include "math/encoding.hpp"
#include "math/field_bytes.hpp"
#include "math/fp2.hpp"
#include "tests/support/vectors.hpp"

#include <optional>

namespace cuzk::test {

inline const nlohmann::json& math_vectors() {
  static const auto data = read_vectors("math.json");
  return data;
}

template <class F>
std::optional<F> try_field(const std::string& hex) {
  const auto raw = unhex(hex);
  if (raw.size() != F::byte_size)
    return std::nullopt;
  return from_le_bytes<F>(std::span<const std::uint8_t, F::byte_size>(raw.data(), F::byte_size));
}

/// A little-endian element; the vectors are trusted to be canonical.
template <class F>
F read_field(const nlohmann::json& value) {
  if constexpr (std::is_same_v<F, fp2>)
    return {read_field<fp>(value[0]), read_field<fp>(value[1])};
  else
    return try_field<F>(value.get<std::string>()).value();
}

/// The same where the vector may be null: no such value.
template <class F>
std::optional<F> read_maybe(const nlohmann::json& value) {
  return value.is_null() ? std::nullopt : std::optional<F>(read_field<F>(value));
}

template <class F>
affine<F> read_point(const nlohmann::json& value) {
  auto p = decode_uncompressed<F>(unhex(value.get<std::string>()), point_check::subgroup);
  if (!p)
    throw std::runtime_error(p.err().message());
  return *p;
}

template <class F>
const char* group_name() {
  return std::is_same_v<F, fp> ? "g1" : "g2";
}

} // namespace cuzk::test
