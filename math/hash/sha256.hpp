#pragma once
// SHA-256: streaming, one shot, raw compression, and the two-to-one node of tree D.
#include "math/hash/digest.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace cuzk {

using sha256_state = std::array<std::uint32_t, 8>;
inline constexpr sha256_state sha256_iv = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
/// Round constants, for circuits too.
extern const std::array<std::uint32_t, 64> sha256_k;

/// Runs `count` blocks of 64 bytes through the compression function. The SHA instructions are used where the processor
/// has them.
void sha256_compress(sha256_state& state, const std::uint8_t* blocks, std::size_t count);
/// The portable form, whatever the processor.
void sha256_compress_portable(sha256_state& state, const std::uint8_t* blocks, std::size_t count);
/// Whether sha256_compress uses SHA instructions here.
bool sha256_accelerated() noexcept;

/// Streaming hash.
class sha256 {
public:
  sha256& update(std::span<const std::uint8_t> data);
  /// The digest; the object must not be used after it.
  digest finish();

private:
  sha256_state state_ = sha256_iv;
  std::array<std::uint8_t, 64> buffer_{};
  std::uint64_t length_ = 0;
};

digest sha256_of(std::span<const std::uint8_t> data);
/// Node of tree D: SHA-256 of two children, trimmed to 254 bits.
digest sha256_node(const digest& left, const digest& right);

} // namespace cuzk
