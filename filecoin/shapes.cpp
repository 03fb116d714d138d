#include "filecoin/shapes.hpp"

#include <algorithm>
#include <iterator>

namespace cuzk::filecoin {
namespace {

// B.8.4 of the protocol facts: sub and top arity, levels of one base tree, sectors of a window circuit.
struct size_row {
  unsigned lg_nodes;
  unsigned base_levels;
  unsigned sub;
  unsigned top;
  unsigned window_sectors;
};
constexpr size_row rows[] = {{6, 2, 0, 0, 2},     {7, 2, 2, 0, 2},    {9, 2, 8, 0, 2},  {10, 2, 8, 2, 2},
                             {18, 6, 0, 0, 2},    {19, 6, 2, 0, 2},   {24, 8, 0, 0, 2}, {25, 8, 2, 0, 2},
                             {30, 9, 8, 0, 2349}, {31, 9, 8, 2, 2300}};

constexpr snap_shape snap_of(sector_size size) {
  snap_shape s;
  const bool production_hs = size >= sector_size::m8;
  s.hs = production_hs ? std::array<unsigned, 6>{7, 8, 9, 10, 11, 12} : std::array<unsigned, 6>{1, 1, 1, 1, 1, 1};
  s.h = s.hs[3];
  s.h_select = production_hs ? 1u << 3 : 1u;
  s.apex_leaves = size <= sector_size::k4 ? 8 : 128;
  s.challenges = size >= sector_size::m512 ? 86 : 10;
  if (size <= sector_size::k4)
    s.lg_partitions = 0;
  else if (size <= sector_size::k32)
    s.lg_partitions = 1;
  else if (size <= sector_size::m16)
    s.lg_partitions = 2;
  else
    s.lg_partitions = 4;
  s.partitions = size == sector_size::g1 ? 0 : 1u << s.lg_partitions;
  return s;
}

constexpr sector_shape shape_from(sector_size size) {
  const auto& row = rows[static_cast<unsigned>(size)];
  const bool large = size >= sector_size::g32;
  sector_shape s{};
  s.size = size;
  s.lg_nodes = row.lg_nodes;
  s.tree = {8, row.base_levels, row.sub, row.top};
  s.tree_d = {2, row.lg_nodes, 0, 0};
  s.porep = large ? porep_shape{11, 18, 10, 126} : porep_shape{2, 2, 1, 13};
  s.winning = {winning_slots, 1};
  s.window = {row.window_sectors, window_challenges};
  s.snap = snap_of(size);
  return s;
}

template <std::size_t... I>
constexpr std::array<sector_shape, sizeof...(I)> all_shapes(std::index_sequence<I...>) {
  return {shape_from(static_cast<sector_size>(I))...};
}
constexpr auto shapes = all_shapes(std::make_index_sequence<std::size(rows)>{});

} // namespace

const sector_shape& shape_of(sector_size size) noexcept {
  return shapes[static_cast<unsigned>(size)];
}

} // namespace cuzk::filecoin
