#pragma once
// Vanilla proofs of sealed sectors: the inputs that provers are given.
#include "filecoin/c1_output.hpp"
#include "filecoin/sealing.hpp"

#include <span>

namespace cuzk::filecoin {

/// C1 output of a sealed sector: every challenge of every partition opened.
c1_output make_c1(const sealed_sector& sector, porep_feature feature, const digest& seed);

/// The labels of an opened node, from the columns of its parents: layer 1 … L, and the encoding.
void fill_labeling(porep_challenge& challenge, unsigned layers);

/// Where a sector stands in a PoSt.
struct post_place {
  registered_proof proof; ///< kind, size, API version
  digest randomness{};
  std::uint32_t partition = 0;
  std::size_t position = 0; ///< within the partition
};
/// Leaves that are opened of a sector, in order. Winning: 66; Window: 10.
std::vector<std::uint64_t> post_leaves(std::uint64_t sector, const post_place& place);
/// A path to each of post_leaves.
post_sector make_post_sector(const sealed_sector& sector, const post_place& place);

/// New data in a sealed sector.
struct updated_sector {
  sector_size size = sector_size::k2;
  digest comm_c{};
  digest comm_r_old{};
  merkle_tree tree_d; ///< leaves: the new data
  merkle_tree tree_r; ///< leaves: the new replica
  digest comm_r_new{};
};
/// new replica = old replica + new data * rho. Errors: bad_input; a wrong number of nodes, a node not below the
/// modulus.
result<updated_sector> update_sector(const sealed_sector& sector, std::vector<digest> data, thread_pool& pool);
/// The data back out of a replica: (new - old) / rho.
std::vector<digest> decode_update(const sealed_sector& sector, const updated_sector& updated);
snap_partition make_snap_partition(const sealed_sector& sector, const updated_sector& updated, unsigned k);

} // namespace cuzk::filecoin
