#pragma once
// SHA-256 of field elements: bits in, 254 bits out.
#include "circuits/core/gadgets/numbers.hpp"
#include "circuits/core/gadgets/sha256.hpp"

#include <span>
#include <vector>

namespace cuzk::circuits {

/// Appends 32 bytes, least significant bit first inside, as the big-endian words SHA-256 reads.
template <class CS>
void append_bytes(std::vector<typename CS::word>& message, const number_bits<CS>& bits) {
  for (const auto& w : bits)
    message.push_back(w.bytes_swapped());
}

/// A digest as a number: bytes little endian, the top two bits dropped.
template <class CS>
typename CS::num pack_digest(CS& cs, const sha256_words<CS>& digest) {
  number_bits<CS> bits;
  for (unsigned i = 0; i < 8; ++i)
    bits[i] = digest[i].bytes_swapped();
  return pack_words(cs, std::span<const typename CS::word>(bits));
}

/// SHA-256(le32(x_0) || le32(x_1) …) trimmed to 254 bits. Equal arguments are decomposed each on their own.
template <class CS>
typename CS::num sha256_node(CS& cs, std::span<const typename CS::num> xs) {
  std::vector<typename CS::word> message;
  message.reserve(8 * xs.size() + 32);
  for (const auto& x : xs)
    append_bytes<CS>(message, to_bits(cs, x));
  return pack_digest(cs, sha256_of_words(cs, std::move(message)));
}

} // namespace cuzk::circuits
