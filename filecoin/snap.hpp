#pragma once
// Rules of the empty-sector update (SnapDeals). Source: storage-proofs-update vanilla.rs, challenges.rs.
#include "filecoin/shapes.hpp"
#include "math/hash/digest.hpp"

#include <cstdint>
#include <vector>

namespace cuzk::filecoin {

/// phi = Poseidon_rand(comm_d_new, comm_r_old)
fr snap_phi(const fr& comm_d_new, const fr& comm_r_old);
/// rho of a node = Poseidon_rand(phi, its top h bits)
fr snap_rho(const fr& phi, std::uint64_t node, const sector_shape& shape);

/// Challenges of partition k.
std::vector<std::uint64_t> snap_challenges(const fr& comm_r_new, unsigned k, const sector_shape& shape);

/// Root of the binary SHA-256 tree over nodes; their number a power of two.
digest sha256_root(std::vector<digest> nodes);

} // namespace cuzk::filecoin
