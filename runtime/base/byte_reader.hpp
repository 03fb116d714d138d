#pragma once
// Bounds-checked reading of little-endian binary data (bincode's fixed-width layout).
#include "runtime/base/hex.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace cuzk {

/// Walks over bytes that it does not own. After the first failure every read gives zeros and `failure` tells why, so
/// callers check once per record instead of once per number.
class byte_reader {
public:
  explicit byte_reader(byte_view data) : data_(data) {}

  std::size_t offset() const noexcept { return at_; }
  std::size_t left() const noexcept { return data_.size() - at_; }
  bool good() const noexcept { return good_; }

  std::uint32_t u32() { return static_cast<std::uint32_t>(little_endian(4)); }
  std::uint64_t u64() { return little_endian(8); }
  template <std::size_t N>
  std::array<std::uint8_t, N> array() {
    std::array<std::uint8_t, N> out{};
    if (need(N)) {
      std::copy_n(data_.begin() + static_cast<std::ptrdiff_t>(at_), N, out.begin());
      at_ += N;
    }
    return out;
  }

  /// Records the first failure, at offset `at`.
  void fail(std::size_t at, std::string text) {
    if (!good_)
      return;
    good_ = false;
    failure_ = bad_input("byte " + std::to_string(at), std::move(text));
  }
  const error& failure() const noexcept { return failure_; }
  status state() const { return good_ ? status(unit{}) : status(failure_); }

private:
  bool need(std::size_t n) {
    if (good_ && left() < n)
      fail(at_, "the data ends here; expected " + std::to_string(n) + " more bytes, found " + std::to_string(left()));
    return good_;
  }
  std::uint64_t little_endian(std::size_t n) {
    std::uint64_t x = 0;
    if (!need(n))
      return 0;
    for (std::size_t i = 0; i < n; ++i)
      x |= std::uint64_t(data_[at_ + i]) << (8 * i);
    at_ += n;
    return x;
  }

  byte_view data_;
  std::size_t at_ = 0;
  bool good_ = true;
  error failure_;
};

} // namespace cuzk
