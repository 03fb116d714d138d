#include "math/hash/sha256.hpp"

#include "math/cpu_features.hpp"

#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cuzk {

const std::array<std::uint32_t, 64> sha256_k = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

namespace {

std::uint32_t load_be(const std::uint8_t* p) {
  return std::uint32_t(p[0]) << 24 | std::uint32_t(p[1]) << 16 | std::uint32_t(p[2]) << 8 | p[3];
}

void store_be(std::uint8_t* p, std::uint32_t x) {
  for (int i = 0; i < 4; ++i)
    p[i] = static_cast<std::uint8_t>(x >> (24 - 8 * i));
}

void compress_block(sha256_state& state, const std::uint8_t* block) {
  std::uint32_t w[64];
  for (int i = 0; i < 16; ++i)
    w[i] = load_be(block + 4 * i);
  for (int i = 16; i < 64; ++i) {
    const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (int i = 0; i < 64; ++i) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + sha256_k[i] + w[i];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const std::uint32_t add[8] = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i)
    state[i] += add[i];
}

#if defined(__x86_64__)
// Four rounds per step; the instruction set keeps the state as (a, b, e, f) and (c, d, g, h).
__attribute__((target("sha,sse4.1,ssse3"))) void compress_sha_ni(sha256_state& state, const std::uint8_t* blocks,
                                                                 std::size_t count) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const auto* in = reinterpret_cast<const __m128i*>(state.data());
  const __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128(in), 0xb1);
  const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(in + 1), 0x1b);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
  for (; count > 0; --count, blocks += 64) {
    const __m128i abef_before = abef;
    const __m128i cdgh_before = cdgh;
    __m128i w[4];
    for (int i = 0; i < 4; ++i)
      w[i] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(blocks) + i), swap);
#pragma GCC unroll 16
    for (int step = 0; step < 16; ++step) {
      const __m128i k = _mm_loadu_si128(reinterpret_cast<const __m128i*>(sha256_k.data()) + step);
      const __m128i wk = _mm_add_epi32(w[step % 4], k);
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(wk, 0x0e));
      if (step < 12) { // w[step + 4] takes the place of w[step]
        const __m128i w1 = w[(step + 1) % 4];
        const __m128i w2 = w[(step + 2) % 4];
        const __m128i w3 = w[(step + 3) % 4];
        const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[step % 4], w1), _mm_alignr_epi8(w3, w2, 4));
        w[step % 4] = _mm_sha256msg2_epu32(sum, w3);
      }
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  auto* out = reinterpret_cast<__m128i*>(state.data());
  _mm_storeu_si128(out, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(out + 1, _mm_alignr_epi8(dchg, feba, 8));
}
#endif

} // namespace

bool sha256_accelerated() noexcept {
#if defined(__x86_64__)
  return cpu().sha;
#else
  return false;
#endif
}

void sha256_compress_portable(sha256_state& state, const std::uint8_t* blocks, std::size_t count) {
  for (; count > 0; --count, blocks += 64)
    compress_block(state, blocks);
}

void sha256_compress(sha256_state& state, const std::uint8_t* blocks, std::size_t count) {
#if defined(__x86_64__)
  if (sha256_accelerated())
    return compress_sha_ni(state, blocks, count);
#endif
  sha256_compress_portable(state, blocks, count);
}

sha256& sha256::update(std::span<const std::uint8_t> data) {
  const std::size_t held = length_ % 64;
  length_ += data.size();
  if (held + data.size() < 64) {
    if (!data.empty())
      std::memcpy(buffer_.data() + held, data.data(), data.size());
    return *this;
  }
  if (held > 0) {
    std::memcpy(buffer_.data() + held, data.data(), 64 - held);
    sha256_compress(state_, buffer_.data(), 1);
    data = data.subspan(64 - held);
  }
  sha256_compress(state_, data.data(), data.size() / 64);
  const auto rest = data.subspan(data.size() / 64 * 64);
  if (!rest.empty())
    std::memcpy(buffer_.data(), rest.data(), rest.size());
  return *this;
}

digest sha256::finish() {
  const std::uint64_t bits = length_ * 8;
  std::array<std::uint8_t, 72> padding{0x80};
  const std::size_t zeros = (119 - length_ % 64) % 64; // so that one byte, the zeros and eight bytes end a block
  for (int i = 0; i < 8; ++i)
    padding[1 + zeros + i] = static_cast<std::uint8_t>(bits >> (56 - 8 * i));
  update(std::span(padding).first(1 + zeros + 8));
  digest out;
  for (int i = 0; i < 8; ++i)
    store_be(out.data() + 4 * i, state_[i]);
  return out;
}

digest sha256_of(std::span<const std::uint8_t> data) {
  return sha256().update(data).finish();
}

digest sha256_node(const digest& left, const digest& right) {
  // Two children fill one block; the second block is padding alone.
  std::array<std::uint8_t, 128> block{};
  std::memcpy(block.data(), left.data(), 32);
  std::memcpy(block.data() + 32, right.data(), 32);
  block[64] = 0x80;
  block[126] = 2; // 512 bits
  sha256_state state = sha256_iv;
  sha256_compress(state, block.data(), 2);
  digest out;
  for (int i = 0; i < 8; ++i)
    store_be(out.data() + 4 * i, state[i]);
  return trimmed(out);
}

} // namespace cuzk
