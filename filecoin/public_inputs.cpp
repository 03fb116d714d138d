#include "filecoin/public_inputs.hpp"

#include <algorithm>

namespace cuzk::filecoin {
namespace {

fr scalar(const digest& d) {
  return to_fr(d).value_or(fr::zero()); // the loader has checked the commitments
}

std::vector<fr> porep_head(const porep_partition& about) {
  return {scalar(about.replica_id), scalar(about.comm_d), scalar(about.comm_r)};
}

void append(std::vector<fr>& out, std::uint64_t number) {
  out.push_back(fr::from_u64(number));
}

} // namespace

std::vector<fr> porep_inputs(const porep_partition& about, std::span<const std::uint64_t> challenges,
                             const sdr_graph& graph) {
  auto out = porep_head(about);
  for (const auto c : challenges) {
    append(out, c); // tree D
    for (const auto parent : graph.parents(static_cast<std::uint32_t>(c)))
      append(out, parent);
    append(out, c); // the challenge itself
    append(out, c); // tree R
    append(out, c); // tree C
  }
  return out;
}

std::vector<fr> porep_inputs_as_given(const porep_partition& partition) {
  auto out = porep_head(partition);
  for (const auto& c : partition.challenges) {
    append(out, c.tree_d.index);
    for (const auto& parent : c.parents)
      append(out, parent.path.index);
    append(out, c.challenge);
    append(out, c.tree_r.index);
    append(out, c.column.path.index);
  }
  return out;
}

std::vector<fr> post_inputs(const post_partition& partition, const post_challenge_rule& rule) {
  std::vector<fr> out;
  const bool one_sector = partition.shape.challenges == 1; // Winning: the same sector in every slot
  for (std::size_t i = 0; i < partition.slots(); ++i) {
    const auto slot = partition.slot(i);
    const std::size_t position = one_sector ? i : std::min(i, partition.sectors.size() - 1);
    out.push_back(scalar(slot.sector.comm_r));
    for (unsigned n = 0; n < rule.shape.challenges; ++n)
      append(out, rule.leaf(slot.sector.sector, position, n));
  }
  return out;
}

std::vector<fr> post_inputs_as_given(const post_partition& partition) {
  std::vector<fr> out;
  for (std::size_t i = 0; i < partition.slots(); ++i) {
    const auto slot = partition.slot(i);
    out.push_back(scalar(slot.sector.comm_r));
    for (const auto& path : slot.paths)
      append(out, path.index);
  }
  return out;
}

std::vector<fr> snap_inputs(const snap_partition& partition, const snap_shape& shape) {
  const std::uint64_t packed = partition.index | std::uint64_t(shape.h_select) << shape.lg_partitions;
  return {fr::from_u64(packed), scalar(partition.comm_r_old), scalar(partition.comm_d_new),
          scalar(partition.comm_r_new)};
}

} // namespace cuzk::filecoin
