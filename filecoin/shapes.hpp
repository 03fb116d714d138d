#pragma once
// What depends on the sector size, as data: trees, layers, challenges, partitions.
// Source: filecoin-proofs constants.rs, storage-proofs-update constants.rs.
#include "filecoin/names.hpp"

#include <array>
#include <cstdint>

namespace cuzk::filecoin {

inline constexpr unsigned drg_degree = 6;
inline constexpr unsigned expander_degree = 8;
inline constexpr unsigned parent_count = drg_degree + expander_degree;
/// Parents hashed into one label: the 6 or 14 of a node, repeated cyclically.
inline constexpr unsigned label_parents = 37;
inline constexpr unsigned winning_slots = 66;
inline constexpr unsigned window_challenges = 10;

/// An oct tree of `base_levels` levels, then at most one level of `sub_arity`, then at most one of `top_arity`
/// (0 = no such level). The binary tree D has base arity 2 and nothing above.
struct tree_shape {
  unsigned base_arity = 8;
  unsigned base_levels = 0;
  unsigned sub_arity = 0;
  unsigned top_arity = 0;

  constexpr unsigned levels() const { return base_levels + (sub_arity != 0) + (top_arity != 0); }
  /// Arity of level i, leaves first.
  constexpr unsigned arity(unsigned level) const {
    if (level < base_levels)
      return base_arity;
    return level == base_levels && sub_arity != 0 ? sub_arity : top_arity;
  }
  /// Siblings on one whole path.
  constexpr unsigned siblings() const {
    return base_levels * (base_arity - 1) + (sub_arity ? sub_arity - 1 : 0) + (top_arity ? top_arity - 1 : 0);
  }
};

/// log2 of an arity 2, 4, 8, 16.
constexpr unsigned lg_arity(unsigned arity) {
  unsigned lg = 0;
  while ((1u << lg) < arity)
    ++lg;
  return lg;
}

struct porep_shape {
  unsigned layers = 2;
  unsigned challenges = 2;     ///< per partition
  unsigned partitions = 1;     ///< interactive and synthetic
  unsigned ni_partitions = 13; ///< non-interactive
};

struct post_shape {
  unsigned slots = 0;      ///< sectors of one circuit, padding included
  unsigned challenges = 0; ///< per slot
};

struct snap_shape {
  unsigned partitions = 0; ///< 0: this size has no snap circuit
  unsigned lg_partitions = 0;
  unsigned challenges = 0; ///< per partition
  unsigned apex_leaves = 0;
  std::array<unsigned, 6> hs{};
  unsigned h = 0;        ///< hs[3], the one in use
  unsigned h_select = 0; ///< 1 << position of the first entry equal to h
};

/// All of a sector size.
struct sector_shape {
  sector_size size;
  unsigned lg_nodes; ///< nodes of 32 bytes; also the levels of tree D
  tree_shape tree;   ///< trees C and R
  tree_shape tree_d;
  porep_shape porep;
  post_shape winning;
  post_shape window;
  snap_shape snap;

  constexpr std::uint64_t nodes() const { return std::uint64_t(1) << lg_nodes; }
};

const sector_shape& shape_of(sector_size size) noexcept;

} // namespace cuzk::filecoin
