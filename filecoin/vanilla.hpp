#pragma once
// Vanilla proofs as typed values: what the circuits fill their witnesses from.
// Counts (levels, siblings, rows, parents) always fit the sector's shape: the readers refuse anything else.
#include "filecoin/shapes.hpp"
#include "math/hash/digest.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace cuzk::filecoin {

/// A Merkle path from a leaf to a root.
struct merkle_proof {
  digest leaf{};
  digest root{};
  std::uint64_t index = 0;      ///< of the leaf in the whole tree; its mixed-radix digits are the positions per level
  std::vector<digest> siblings; ///< level by level, leaves first; arity - 1 a level, the path's own place left out
};

/// Labels of one node, layer 1 first, and the path of their hash in tree C.
struct column_proof {
  std::vector<digest> rows;
  merkle_proof path; ///< path.index is the node
};

/// What a label was hashed from; the circuits do not read it.
struct labeling_proof {
  std::vector<digest> parents;
  std::uint32_t layer_index = 0;
  std::uint64_t node = 0;
};

/// One challenge of a PoRep partition.
struct porep_challenge {
  std::uint64_t challenge = 0;                    ///< node that is opened
  merkle_proof tree_d;                            ///< leaf: the data node
  merkle_proof tree_r;                            ///< leaf: the replica node
  column_proof column;                            ///< of the node itself
  std::array<column_proof, parent_count> parents; ///< 6 DRG parents, then 8 expander parents
  std::vector<labeling_proof> labels;             ///< layer 1 … L
  labeling_proof encoding;
};

struct porep_partition {
  digest replica_id{};
  digest comm_d{};
  digest comm_r{};
  std::vector<porep_challenge> challenges;

  const digest& comm_c() const { return challenges.front().column.path.root; }
  const digest& comm_r_last() const { return challenges.front().tree_r.root; }
};

/// One sector of a PoSt; Winning holds 66 paths, Window 10.
struct post_sector {
  std::uint64_t sector = 0;
  digest comm_r{};
  digest comm_c{};
  digest comm_r_last{};
  std::vector<merkle_proof> paths;
};

/// One sector slot of a PoSt circuit.
struct post_slot {
  const post_sector& sector;
  std::span<const merkle_proof> paths;
};

/// Winning: one sector, unrolled into 66 slots of one path. Window: a slot a sector; the last sector fills what is
/// left.
struct post_partition {
  std::vector<post_sector> sectors; ///< at least one
  post_shape shape;

  std::size_t slots() const { return shape.slots; }
  post_slot slot(std::size_t i) const {
    if (shape.challenges == 1)
      return {sectors.front(), std::span(sectors.front().paths).subspan(i, 1)};
    const auto& s = sectors[i < sectors.size() ? i : sectors.size() - 1];
    return {s, s.paths};
  }
};

struct snap_challenge {
  merkle_proof tree_r_old;
  merkle_proof tree_d_new;
  merkle_proof tree_r_new;
};

struct snap_partition {
  unsigned index = 0;
  digest comm_r_old{};
  digest comm_d_new{};
  digest comm_r_new{};
  digest comm_c{};
  std::vector<digest> apex_leaves;
  std::vector<snap_challenge> challenges;

  const digest& root_r_old() const { return challenges.front().tree_r_old.root; }
  const digest& root_r_new() const { return challenges.front().tree_r_new.root; }
};

using vanilla_partition = std::variant<porep_partition, post_partition, snap_partition>;

} // namespace cuzk::filecoin
