#pragma once
// PoSt inputs of any size without sectors: of tree R just the challenged paths.
#include "filecoin/filler.hpp"
#include "filecoin/prove_vanilla.hpp"

namespace cuzk::filecoin {

/// The proof of sector number `sector` at a place. Which leaves are opened depends on randomness and sector number
/// alone, so the opened leaves are free values, comm_r_last the root above them, and comm_c free.
/// Cost: one path of hashes a challenge; about 4 ms of a core for Window at 32 GiB.
post_sector make_sparse_post_sector(std::uint64_t sector, const post_place& place, const filler& free,
                                    thread_pool& pool);

} // namespace cuzk::filecoin
