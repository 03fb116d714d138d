#pragma once
// The output of commit phase 1 as it stands in files, before anything is said about who made it.
#include "filecoin/registered_proof.hpp"
#include "filecoin/vanilla.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cuzk::filecoin {

/// Proofs of a sector, partition by partition, and what they are about.
struct c1_output {
  std::optional<registered_proof> proof; ///< empty: the inner type, which does not say
  sector_size size = sector_size::k2;    ///< of the shape the proofs were read with
  std::vector<std::vector<porep_challenge>> partitions;
  digest comm_r{};
  digest comm_d{};
  digest replica_id{};
  digest seed{};
  digest ticket{};
};

} // namespace cuzk::filecoin
