#pragma once
// The label of a node in one layer of the stacked graph, as a circuit.
#include "circuits/core/gadgets/field_hash.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace cuzk::circuits {

inline constexpr unsigned label_parent_count = 37;

/// 32 bytes as SHA-256 reads them.
template <class CS>
using byte_words = std::array<typename CS::word, 8>;

template <class CS>
byte_words<CS> byte_words_of(const number_bits<CS>& bits) {
  byte_words<CS> out;
  for (unsigned i = 0; i < 8; ++i)
    out[i] = bits[i].bytes_swapped();
  return out;
}

/// SHA-256(replica id || layer u32 || node u64 || 20 zero bytes || parents repeated to 37) trimmed to a number.
/// @param node low word first. @param parents at least one, in graph order.
template <class CS>
typename CS::num create_label(CS& cs, const byte_words<CS>& replica_id, std::uint32_t layer,
                              const std::array<typename CS::word, 2>& node, std::span<const byte_words<CS>> parents) {
  using word = typename CS::word;
  std::vector<word> message;
  message.reserve(16 * 20);
  message.insert(message.end(), replica_id.begin(), replica_id.end());
  message.push_back(word::constant(layer));
  message.push_back(node[1]);
  message.push_back(node[0]);
  message.resize(16, word::constant(0));
  for (unsigned i = 0; i < label_parent_count; ++i) {
    const auto& parent = parents[i % parents.size()];
    message.insert(message.end(), parent.begin(), parent.end());
  }
  return pack_digest(cs, sha256_of_words(cs, std::move(message)));
}

} // namespace cuzk::circuits
