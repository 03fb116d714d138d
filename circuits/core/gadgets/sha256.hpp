#pragma once
// SHA-256 over words of Booleans. Source: FIPS 180-4; order of additions as the key files need it.
#include "circuits/core/gadgets/words.hpp"
#include "math/hash/sha256.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace cuzk::circuits {

template <class CS>
using sha256_words = std::array<typename CS::word, 8>;

/// rotr(w, p) xor rotr(w, q) xor rest, in this order.
template <class CS>
typename CS::word sha256_sigma(CS& cs, const typename CS::word& w, unsigned p, unsigned q,
                               const typename CS::word& rest) {
  return word_xor(cs, word_xor(cs, w.rotated_right(p), w.rotated_right(q)), rest);
}

/// The 64 message words of a block of 16.
template <class CS>
std::array<typename CS::word, 64> sha256_schedule(CS& cs, multi_eq<CS>& eq, std::span<const typename CS::word> block) {
  std::array<typename CS::word, 64> w;
  for (unsigned i = 0; i < 16; ++i)
    w[i] = block[i];
  for (unsigned i = 16; i < 64; ++i) {
    const auto s0 = sha256_sigma(cs, w[i - 15], 7, 18, w[i - 15].shifted_right(3));
    const auto s1 = sha256_sigma(cs, w[i - 2], 17, 19, w[i - 2].shifted_right(10));
    const typename CS::word operands[] = {w[i - 16], s0, w[i - 7], s1};
    w[i] = add_words(cs, eq, std::span<const typename CS::word>(operands));
  }
  return w;
}

/// One compression. The additions that make a and e are put off until the word is needed, so that the last ones take in
/// the feed-forward.
template <class CS>
void sha256_block(CS& cs, sha256_words<CS>& state, std::span<const typename CS::word> block) {
  using word = typename CS::word;
  multi_eq<CS> eq(cs);
  const auto w = sha256_schedule(cs, eq, block);
  const auto add = [&](auto&&... operands) {
    const word list[] = {operands...};
    return add_words(cs, eq, std::span<const word>(list));
  };
  std::array<word, 6> for_e; // operands of the addition that gives e: h, s1, ch, k, w, d
  std::array<word, 7> for_a; // h, s1, ch, k, w, s0, maj
  word b = state[1], c = state[2], d = state[3], f = state[5], g = state[6], h = state[7];
  for (unsigned i = 0; i < 64; ++i) {
    const word e = i == 0 ? state[4] : add_words(cs, eq, std::span<const word>(for_e));
    const word s1 = sha256_sigma(cs, e, 6, 11, e.rotated_right(25));
    const word ch = word_ch(cs, e, f, g);
    const word a = i == 0 ? state[0] : add_words(cs, eq, std::span<const word>(for_a));
    const word s0 = sha256_sigma(cs, a, 2, 13, a.rotated_right(22));
    const word maj = word_maj(cs, a, b, c);
    const word k = word::constant(sha256_k[i]);
    for_e = {h, s1, ch, k, w[i], d};
    for_a = {h, s1, ch, k, w[i], s0, maj};
    h = g;
    g = f;
    f = e;
    d = c;
    c = b;
    b = a;
  }
  const auto& [a0, a1, a2, a3, a4, a5, a6] = for_a;
  const auto& [e0, e1, e2, e3, e4, e5] = for_e;
  state[0] = add(a0, a1, a2, a3, a4, a5, a6, state[0]);
  state[1] = add(state[1], b);
  state[2] = add(state[2], c);
  state[3] = add(state[3], d);
  state[4] = add(e0, e1, e2, e3, e4, e5, state[4]);
  state[5] = add(state[5], f);
  state[6] = add(state[6], g);
  state[7] = add(state[7], h);
  eq.finish();
}

/// Hash of whole blocks, padding included: words.size() is a multiple of 16.
template <class CS>
sha256_words<CS> sha256_blocks(CS& cs, std::span<const typename CS::word> words) {
  sha256_words<CS> state;
  for (unsigned i = 0; i < 8; ++i)
    state[i] = CS::word::constant(sha256_iv[i]);
  for (std::size_t i = 0; i < words.size(); i += 16)
    sha256_block(cs, state, words.subspan(i, 16));
  return state;
}

/// SHA-256 of a message of big-endian words: appends the padding and hashes.
template <class CS>
sha256_words<CS> sha256_of_words(CS& cs, std::vector<typename CS::word> message) {
  const std::uint64_t bits = 32 * message.size();
  message.push_back(CS::word::constant(0x80000000));
  while (message.size() % 16 != 14)
    message.push_back(CS::word::constant(0));
  message.push_back(CS::word::constant(static_cast<std::uint32_t>(bits >> 32)));
  message.push_back(CS::word::constant(static_cast<std::uint32_t>(bits)));
  return sha256_blocks(cs, std::span<const typename CS::word>(message));
}

} // namespace cuzk::circuits
