#pragma once
// Values that no check looks behind: deterministic field elements from a seed and a name.
#include "math/hash/digest.hpp"

#include <cstdint>
#include <string_view>

namespace cuzk::filecoin {

/// A family of values below the modulus; equal seeds and names give equal values. Copies are cheap.
class filler {
public:
  explicit filler(std::uint64_t seed);
  /// The value of a named place, SHA-256 trimmed to 254 bits.
  digest at(std::string_view name, std::uint64_t a = 0, std::uint64_t b = 0) const;
  /// A family of its own for thing `n` of a kind.
  filler of(std::string_view name, std::uint64_t n) const;

private:
  digest key_{};
};

} // namespace cuzk::filecoin
