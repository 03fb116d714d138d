#include "cuda/fixed_base/fixed_base.hpp"

#include <algorithm>
#include <string>

namespace cuzk::cuda {

result<multiples_plan> plan_multiples(curve_group group, std::size_t at_once, int multiprocessors) {
  if (at_once < 1 || at_once > std::size_t{1} << 26)
    return bad_input("multiples", "1 to 2^26 at once, not " + std::to_string(at_once));
  if (multiprocessors < 1)
    return bad_input("multiprocessors", "a device has at least one");
  multiples_plan p;
  p.group = group;
  p.at_once = static_cast<std::uint32_t>(at_once);
  const std::size_t coordinate = group == curve_group::g1 ? 48 : 96;
  p.grid = static_cast<std::uint32_t>(multiprocessors * batch_blocks_per_sm(group));
  constexpr std::size_t table_round = std::size_t{multiples_windows} * multiples_window_points / 2;
  const std::size_t rows = (std::max(at_once, table_round) + 31) / 32, warps = std::size_t{p.grid} * 4;
  p.depth = static_cast<std::uint32_t>(
    std::clamp<std::size_t>(rows * 3 / (4 * warps), 8, group == curve_group::g1 ? 512 : 256));
  p.table_bytes = 2 * coordinate * multiples_windows * multiples_window_points;
  std::size_t at = 0;
  const auto take = [&](std::size_t bytes) {
    const std::size_t here = at;
    at += (bytes + 255) / 256 * 256;
    return here;
  };
  p.digits = take(2 * at_once * multiples_windows);
  p.prefix = take(coordinate * p.depth * p.grid * 128);
  p.tickets = take(4 * 64);
  p.scratch_bytes = at;
  return p;
}

} // namespace cuzk::cuda
