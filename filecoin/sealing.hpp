#pragma once
// Real sealing of small sectors in memory: labels, columns, trees, replica, commitments.
#include "filecoin/identity.hpp"
#include "filecoin/merkle_tree.hpp"
#include "runtime/base/error.hpp"

#include <vector>

namespace cuzk::filecoin {

/// What is sealed and for whom.
struct sealing_order {
  sector_size size = sector_size::k2;
  api_version api = api_version::v1_1_0;
  sector_identity who;
  digest ticket{};
};

/// A sealed sector with all that proofs are made from. About (5 + layers) times the sector's size in memory.
struct sealed_sector {
  sealing_order order;
  digest replica_id{};
  std::vector<std::vector<digest>> layers; ///< labels, layer 1 first
  merkle_tree tree_d;                      ///< leaves: the data
  merkle_tree tree_c;                      ///< leaves: column hashes
  merkle_tree tree_r;                      ///< leaves: the replica
  digest comm_r{};

  const digest& comm_d() const { return tree_d.root(); }
  const digest& comm_c() const { return tree_c.root(); }
  const digest& comm_r_last() const { return tree_r.root(); }
};

/// The largest sector that is sealed in memory.
inline constexpr sector_size largest_sealed = sector_size::m512;

/// Seals data nodes (Fr32-padded, as many as the sector has).
/// Cost: one core for the labels (about 1 us a node and layer), the pool for parents and trees.
/// Errors: bad_input; a wrong number of nodes, a node not below the modulus, a sector above 512 MiB.
result<sealed_sector> seal(const sealing_order& order, std::vector<digest> data, thread_pool& pool);

/// comm_r = Poseidon(comm_c, comm_r_last); both below the modulus.
digest comm_r_of(const digest& comm_c, const digest& comm_r_last);

} // namespace cuzk::filecoin
