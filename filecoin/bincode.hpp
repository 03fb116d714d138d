#pragma once
// Vanilla proofs in bincode 1 (little endian, 64-bit lengths, 32-bit variants).
// Every length is compared with the sector's shape before anything is made of it.
#include "filecoin/c1_output.hpp"
#include "runtime/base/byte_reader.hpp"

namespace cuzk::filecoin {

// Each reads one value at the reader's place. Errors: bad_input naming the byte offset, the value and what was
// expected.

/// An inner C1 output and nothing after it.
result<c1_output> read_c1_bincode(byte_view data, const sector_shape& shape);
/// FallbackPoStSectorProof: Winning with 66 paths, Window with 10.
result<post_sector> read_post_sector(byte_reader& in, const sector_shape& shape, proof_kind kind);
/// PartitionProof of the update; `index` and commitments are left for the caller.
result<snap_partition> read_snap_partition(byte_reader& in, const sector_shape& shape);

} // namespace cuzk::filecoin
