#pragma once
// Who proves: prover id of a miner, replica id of a sector, challenges of both.
#include "filecoin/registered_proof.hpp"
#include "filecoin/shapes.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace cuzk::filecoin {

/// Actor id as LEB128, left-aligned in 32 bytes.
digest prover_id_of_actor(std::uint64_t actor);
/// "t01000", "f01000" or "1000". Errors: bad_input; an address that is no id address.
result<digest> prover_id_of_miner(std::string_view text);

/// Whose sector it is.
struct sector_identity {
  digest prover_id{};
  std::uint64_t sector = 0;
  digest porep_id{};
};

/// SHA-256(prover_id, sector big endian, ticket, comm_d, porep_id), trimmed.
digest replica_id_of(const sector_identity& who, const digest& ticket, const digest& comm_d);

/// What the challenges of a PoRep are drawn from.
struct porep_challenge_source {
  porep_feature feature = porep_feature::interactive;
  digest replica_id{};
  digest comm_r{}; ///< synthetic and non-interactive
  digest seed{};   ///< interactive and synthetic
};

/// Challenges of partition k, `count` of them, each in [1, nodes). Source: storage-proofs-porep challenges.rs.
std::vector<std::uint64_t> porep_challenges(const porep_challenge_source& source, std::uint64_t nodes, unsigned count,
                                            unsigned k);
/// All synthetic challenges of a sector: min(nodes, 2^18).
std::vector<std::uint64_t> synthetic_challenges(const digest& replica_id, const digest& comm_r, std::uint64_t nodes);

/// Leaf opened by challenge `index` of a sector in a PoSt.
std::uint64_t post_challenge(const digest& randomness, std::uint64_t sector, std::uint64_t index, std::uint64_t nodes);
/// Index of challenge n at position `position` of partition k: n alone from V1_2_0 on, counted through before.
std::uint64_t post_challenge_index(api_version api, const post_shape& shape, unsigned k, std::size_t position,
                                   unsigned n);
/// Which of `set_size` eligible sectors a WinningPoSt is about. set_size > 0.
std::uint64_t winning_choice(const digest& prover_id, const digest& randomness, std::uint64_t set_size);

} // namespace cuzk::filecoin
