#include "filecoin/filler.hpp"

#include "math/hash/sha256.hpp"

#include <array>

namespace cuzk::filecoin {

filler::filler(std::uint64_t seed) {
  key_ = at("cuzk sparse sector", seed);
}

digest filler::at(std::string_view name, std::uint64_t a, std::uint64_t b) const {
  std::array<std::uint8_t, 17> place;
  for (int i = 0; i < 8; ++i) {
    place[i] = static_cast<std::uint8_t>(a >> (8 * i));
    place[8 + i] = static_cast<std::uint8_t>(b >> (8 * i));
  }
  place[16] = static_cast<std::uint8_t>(name.size()); // so that the name has an end
  const std::span text(reinterpret_cast<const std::uint8_t*>(name.data()), name.size());
  return trimmed(sha256().update(key_).update(place).update(text).finish());
}

filler filler::of(std::string_view name, std::uint64_t n) const {
  filler out = *this;
  out.key_ = at(name, n);
  return out;
}

} // namespace cuzk::filecoin
