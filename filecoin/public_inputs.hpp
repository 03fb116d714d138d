#pragma once
// Public inputs of a partition, without ONE, in the order of its circuit.
#include "filecoin/graph.hpp"
#include "filecoin/identity.hpp"
#include "filecoin/vanilla.hpp"
#include "math/field.hpp"

#include <span>
#include <vector>

namespace cuzk::filecoin {

/// Replica id, comm_d, comm_r, then per challenge: itself, its 14 parents, itself three times.
/// The commitments must be below the modulus. @param parents 14 per challenge, in order.
std::vector<fr> porep_inputs(const porep_partition& about, std::span<const std::uint64_t> challenges,
                             const sdr_graph& graph);
/// The same as the vanilla proof has them, where nobody says who proves.
std::vector<fr> porep_inputs_as_given(const porep_partition& partition);

/// Which leaves a PoSt opens.
struct post_challenge_rule {
  digest randomness{};
  api_version api = api_version::v1_2_0;
  std::uint64_t nodes = 0;
  std::uint32_t partition = 0;
  post_shape shape;

  /// Leaf of challenge n at slot `position` that holds `sector`.
  std::uint64_t leaf(std::uint64_t sector, std::size_t position, unsigned n) const {
    return post_challenge(randomness, sector, post_challenge_index(api, shape, partition, position, n), nodes);
  }
};

/// Per slot: comm_r, then the leaves its paths open. Slots beyond the last sector repeat its block.
std::vector<fr> post_inputs(const post_partition& partition, const post_challenge_rule& rule);
std::vector<fr> post_inputs_as_given(const post_partition& partition);

/// Partition and h_select packed, comm_r_old, comm_d_new, comm_r_new.
std::vector<fr> snap_inputs(const snap_partition& partition, const snap_shape& shape);

} // namespace cuzk::filecoin
