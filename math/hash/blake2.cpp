#include "math/hash/blake2.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace cuzk {
namespace {

template <class Word>
struct parameters;

template <>
struct parameters<std::uint64_t> {
  static constexpr int rounds = 12;
  static constexpr int r1 = 32, r2 = 24, r3 = 16, r4 = 63;
  static constexpr std::uint64_t iv[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                          0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                          0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
};

template <>
struct parameters<std::uint32_t> {
  static constexpr int rounds = 10;
  static constexpr int r1 = 16, r2 = 12, r3 = 8, r4 = 7;
  static constexpr std::uint32_t iv[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
};

constexpr std::uint8_t sigma[10][16] = {
  {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
  {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
  {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
  {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
  {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

template <class Word>
Word load_le(const std::uint8_t* p) {
  Word x = 0;
  for (std::size_t i = 0; i < sizeof(Word); ++i)
    x |= Word(p[i]) << (8 * i);
  return x;
}

template <class Word>
[[gnu::always_inline]] inline void mix(Word* v, int a, int b, int c, int d, Word x, Word y) {
  using p = parameters<Word>;
  v[a] += v[b] + x;
  v[d] = std::rotr(Word(v[d] ^ v[a]), p::r1);
  v[c] += v[d];
  v[b] = std::rotr(Word(v[b] ^ v[c]), p::r2);
  v[a] += v[b] + y;
  v[d] = std::rotr(Word(v[d] ^ v[a]), p::r3);
  v[c] += v[d];
  v[b] = std::rotr(Word(v[b] ^ v[c]), p::r4);
}

} // namespace

template <class Word>
blake2<Word>::blake2(std::size_t size, std::span<const std::uint8_t> key)
  : size_(std::clamp<std::size_t>(size, 1, max_size)) {
  key = key.first(std::min(key.size(), max_size));
  std::copy_n(parameters<Word>::iv, 8, h_.begin());
  h_[0] ^= 0x01010000 ^ Word(key.size()) << 8 ^ Word(size_); // fanout and depth 1
  if (!key.empty()) {
    std::copy(key.begin(), key.end(), buffer_.begin());
    held_ = block_size; // the key fills a block of its own
  }
}

template <class Word>
void blake2<Word>::compress(const std::uint8_t* block, bool last) {
  using p = parameters<Word>;
  Word m[16];
  for (int i = 0; i < 16; ++i)
    m[i] = load_le<Word>(block + i * sizeof(Word));
  Word v[16];
  std::copy_n(h_.begin(), 8, v);
  std::copy_n(p::iv, 8, v + 8);
  v[12] ^= Word(total_);
  if constexpr (sizeof(Word) == 4)
    v[13] ^= Word(total_ >> 32);
  if (last)
    v[14] = ~v[14];
#pragma GCC unroll 12 // with the schedule known, the state stays in registers
  for (int round = 0; round < p::rounds; ++round) {
    const std::uint8_t* s = sigma[round % 10];
    mix(v, 0, 4, 8, 12, m[s[0]], m[s[1]]);
    mix(v, 1, 5, 9, 13, m[s[2]], m[s[3]]);
    mix(v, 2, 6, 10, 14, m[s[4]], m[s[5]]);
    mix(v, 3, 7, 11, 15, m[s[6]], m[s[7]]);
    mix(v, 0, 5, 10, 15, m[s[8]], m[s[9]]);
    mix(v, 1, 6, 11, 12, m[s[10]], m[s[11]]);
    mix(v, 2, 7, 8, 13, m[s[12]], m[s[13]]);
    mix(v, 3, 4, 9, 14, m[s[14]], m[s[15]]);
  }
  for (int i = 0; i < 8; ++i)
    h_[i] ^= v[i] ^ v[i + 8];
}

template <class Word>
blake2<Word>& blake2<Word>::update(std::span<const std::uint8_t> data) {
  while (!data.empty()) {
    if (held_ == block_size) { // full and not the last one
      total_ += block_size;
      compress(buffer_.data(), false);
      held_ = 0;
    }
    if (held_ == 0) { // straight from the input while another byte follows
      while (data.size() > block_size) {
        total_ += block_size;
        compress(data.data(), false);
        data = data.subspan(block_size);
      }
    }
    const std::size_t take = std::min(block_size - held_, data.size());
    std::memcpy(buffer_.data() + held_, data.data(), take);
    held_ += take;
    data = data.subspan(take);
  }
  return *this;
}

template <class Word>
void blake2<Word>::finish(std::span<std::uint8_t> out) {
  total_ += held_;
  std::fill(buffer_.begin() + static_cast<std::ptrdiff_t>(held_), buffer_.end(), std::uint8_t(0));
  compress(buffer_.data(), true);
  for (std::size_t i = 0; i < std::min(out.size(), size_); ++i)
    out[i] = static_cast<std::uint8_t>(h_[i / sizeof(Word)] >> (8 * (i % sizeof(Word))));
}

template class blake2<std::uint64_t>;
template class blake2<std::uint32_t>;

std::array<std::uint8_t, 64> blake2b_512(std::span<const std::uint8_t> data) {
  std::array<std::uint8_t, 64> out;
  blake2b().update(data).finish(out);
  return out;
}

digest blake2b_256_keyed(std::span<const std::uint8_t> key, std::span<const std::uint8_t> data) {
  digest out;
  blake2b(32, key).update(data).finish(out);
  return out;
}

digest blake2s_256(std::span<const std::uint8_t> data) {
  digest out;
  blake2s(32).update(data).finish(out);
  return out;
}

} // namespace cuzk
