#pragma once
// BLAKE2b and BLAKE2s, streaming, with key and chosen digest length (RFC 7693).
#include "math/hash/digest.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace cuzk {

/// One hash of the family: Word is 64 bits for 2b, 32 bits for 2s.
template <class Word>
class blake2 {
public:
  static constexpr std::size_t block_size = 16 * sizeof(Word);
  static constexpr std::size_t max_size = 8 * sizeof(Word);

  /// @param size bytes of the digest, 1 to max_size. @param key at most max_size bytes; empty: not keyed.
  explicit blake2(std::size_t size = max_size, std::span<const std::uint8_t> key = {});
  blake2& update(std::span<const std::uint8_t> data);
  /// Writes the first min(out.size(), size) bytes; the object must not be used after it.
  void finish(std::span<std::uint8_t> out);

private:
  void compress(const std::uint8_t* block, bool last);

  std::array<Word, 8> h_;
  std::array<std::uint8_t, block_size> buffer_{};
  std::size_t held_ = 0;
  std::uint64_t total_ = 0;
  std::size_t size_;
};

extern template class blake2<std::uint64_t>;
extern template class blake2<std::uint32_t>;
using blake2b = blake2<std::uint64_t>;
using blake2s = blake2<std::uint32_t>;

/// BLAKE2b of 64 bytes.
std::array<std::uint8_t, 64> blake2b_512(std::span<const std::uint8_t> data);
/// BLAKE2b of 32 bytes under a key.
digest blake2b_256_keyed(std::span<const std::uint8_t> key, std::span<const std::uint8_t> data);
/// BLAKE2s of 32 bytes.
digest blake2s_256(std::span<const std::uint8_t> data);

} // namespace cuzk
