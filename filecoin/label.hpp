#pragma once
// SDR labels: what a node of a layer is hashed to.
#include "filecoin/shapes.hpp"
#include "math/hash/sha256.hpp"

#include <cstdint>
#include <span>

namespace cuzk::filecoin {

/// SHA-256(replica_id, layer, node, 20 zero bytes, parents), trimmed. `parents` are the 37 in order, or none for node
/// 0.
/// @param layer 1 … L.
digest label_of(const digest& replica_id, std::uint32_t layer, std::uint64_t node, std::span<const digest> parents);

/// Fills the 37 parents from the 6 or 14 of the node, cyclically.
template <class Parent>
void repeat_parents(std::span<digest, label_parents> out, std::size_t count, Parent&& parent) {
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = parent(i % count);
}

} // namespace cuzk::filecoin
