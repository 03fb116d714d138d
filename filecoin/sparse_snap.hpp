#pragma once
// Update inputs of any size without a sector.
#include "filecoin/filler.hpp"
#include "filecoin/prove_vanilla.hpp"

namespace cuzk::filecoin {

/// All partitions of an update. Its challenges come from comm_r_new, the root of a tree that they open, so no node may
/// be chosen after them: old replica and new data repeat a few free values, which makes their trees, and the new
/// replica's, whole at the cost of a few thousand hashes. comm_c is free.
/// @param size one that has a snap circuit.
std::vector<snap_partition> make_sparse_snap(sector_size size, const filler& free, thread_pool& pool);

} // namespace cuzk::filecoin
