#pragma once
// The SDR graph: six DRG parents and eight expander parents of a node.
#include "filecoin/registered_proof.hpp"
#include "filecoin/shapes.hpp"

#include <array>
#include <cstdint>

namespace cuzk::filecoin {

/// Parents depend on the porep id, the number of nodes and the API version only.
/// Source: storage-proofs-porep stacked/vanilla/graph.rs, storage-proofs-core drgraph.rs.
class sdr_graph {
public:
  sdr_graph(std::uint64_t nodes, const digest& porep_id, api_version api);

  std::uint64_t nodes() const noexcept { return nodes_; }
  /// DRG parents (in graph order), then expander parents. node < nodes.
  std::array<std::uint32_t, parent_count> parents(std::uint32_t node) const;

private:
  void drg_parents(std::uint32_t node, std::uint32_t* out) const;
  std::uint32_t expander_parent(std::uint32_t node, unsigned i) const;

  std::uint64_t nodes_;
  api_version api_;
  std::array<std::uint8_t, 28> drg_seed_{};
  std::array<std::uint64_t, 3> feistel_keys_{};
  unsigned half_bits_ = 1;
};

} // namespace cuzk::filecoin
