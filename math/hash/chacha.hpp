#pragma once
// ChaCha key streams: the 8-round generator of the graph's parents and the IETF cipher of synthetic challenges.
#include "math/hash/digest.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace cuzk {

/// One 64-byte block. `tail` are words 12..15 of the initial state (counter and nonce). Source: Bernstein 2008, RFC
/// 8439.
std::array<std::uint32_t, 16> chacha_block(const digest& key, const std::array<std::uint32_t, 4>& tail, int rounds);

/// ChaCha8 with a 64-bit block counter from 0 and nonce 0 (rand_chacha's ChaCha8Rng).
class chacha8_rng {
public:
  explicit chacha8_rng(const digest& seed) : key_(seed) {}
  std::uint32_t next_u32();
  /// Low word first.
  std::uint64_t next_u64();

private:
  digest key_;
  std::array<std::uint32_t, 16> block_{};
  std::uint64_t counter_ = 0;
  unsigned used_ = 16;
};

/// ChaCha20, RFC 8439: 96-bit nonce, 32-bit counter from 0. Writes key stream bytes [offset, offset + out.size()).
void chacha20_keystream(const digest& key, const std::array<std::uint8_t, 12>& nonce, std::uint64_t offset,
                        std::span<std::uint8_t> out);

} // namespace cuzk
