#include "math/hash/chacha.hpp"

#include <bit>

namespace cuzk {
namespace {

void quarter_round(std::uint32_t& a, std::uint32_t& b, std::uint32_t& c, std::uint32_t& d) {
  a += b;
  d = std::rotl(d ^ a, 16);
  c += d;
  b = std::rotl(b ^ c, 12);
  a += b;
  d = std::rotl(d ^ a, 8);
  c += d;
  b = std::rotl(b ^ c, 7);
}

std::uint32_t load_le(const std::uint8_t* p) {
  return std::uint32_t(p[0]) | std::uint32_t(p[1]) << 8 | std::uint32_t(p[2]) << 16 | std::uint32_t(p[3]) << 24;
}

} // namespace

std::array<std::uint32_t, 16> chacha_block(const digest& key, const std::array<std::uint32_t, 4>& tail, int rounds) {
  std::array<std::uint32_t, 16> in = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}; // "expand 32-byte k"
  for (int i = 0; i < 8; ++i)
    in[4 + i] = load_le(key.data() + 4 * i);
  for (int i = 0; i < 4; ++i)
    in[12 + i] = tail[i];
  auto x = in;
  for (int i = 0; i < rounds; i += 2) {
    for (int j = 0; j < 4; ++j)
      quarter_round(x[j], x[4 + j], x[8 + j], x[12 + j]);
    for (int j = 0; j < 4; ++j)
      quarter_round(x[j], x[4 + (j + 1) % 4], x[8 + (j + 2) % 4], x[12 + (j + 3) % 4]);
  }
  for (int i = 0; i < 16; ++i)
    x[i] += in[i];
  return x;
}

std::uint32_t chacha8_rng::next_u32() {
  if (used_ == 16) {
    block_ = chacha_block(key_, {std::uint32_t(counter_), std::uint32_t(counter_ >> 32), 0, 0}, 8);
    ++counter_;
    used_ = 0;
  }
  return block_[used_++];
}

std::uint64_t chacha8_rng::next_u64() {
  const std::uint64_t low = next_u32();
  return low | std::uint64_t(next_u32()) << 32;
}

void chacha20_keystream(const digest& key, const std::array<std::uint8_t, 12>& nonce, std::uint64_t offset,
                        std::span<std::uint8_t> out) {
  std::array<std::uint32_t, 16> block{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t at = offset + i;
    if (i == 0 || at % 64 == 0)
      block =
        chacha_block(key, {std::uint32_t(at / 64), load_le(&nonce[0]), load_le(&nonce[4]), load_le(&nonce[8])}, 20);
    out[i] = static_cast<std::uint8_t>(block[at % 64 / 4] >> (8 * (at % 4)));
  }
}

} // namespace cuzk
