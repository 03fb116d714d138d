#pragma once
// Fr32 padding and piece commitments: how user bytes become nodes of a sector.
#include "math/hash/digest.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/hex.hpp"

#include <cstdint>
#include <vector>

namespace cuzk::filecoin {

/// 254 bits of data a node, two zero bits at its top: 127 bytes become 4 nodes. The size must be a multiple of 127.
result<std::vector<digest>> fr32_pad(byte_view data);
/// The inverse; nodes come in groups of four and have their top bits clear.
result<bytes> fr32_unpad(std::span<const digest> nodes);

/// A piece: its root and its padded size, a power of two of at least 128 bytes.
struct piece {
  digest comm_p{};
  std::uint64_t padded_size = 0;
};
/// Root of the piece tree over padded nodes; their number a power of two.
piece piece_of(std::vector<digest> nodes);
/// comm_d of a sector of `sector_bytes` from its pieces in order, with zero pieces where alignment and the rest ask for
/// them. Errors: bad_input; a size that is no power of two, or more than the sector holds.
result<digest> comm_d_of(std::span<const piece> pieces, std::uint64_t sector_bytes);

} // namespace cuzk::filecoin
