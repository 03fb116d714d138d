#include "cuda/masked/masked.hpp"

#include <algorithm>
#include <string>

namespace cuzk::cuda {
namespace {

constexpr std::size_t max_points = std::size_t(1) << 28;
constexpr std::size_t left_for_one_block = 512;

} // namespace

result<masked_plan> plan_masked(curve_group group, std::size_t points, int multiprocessors) {
  if (points < 1 || points > max_points)
    return bad_input("points", "a sum takes 1 to 2^28 points, not " + std::to_string(points));
  if (multiprocessors < 1)
    return bad_input("multiprocessors", "a device has at least one");
  masked_plan p;
  p.group = group;
  p.points = points;
  const std::size_t coordinate = group == curve_group::g1 ? 48 : 96;
  p.grid = static_cast<std::uint32_t>(multiprocessors * batch_blocks_per_sm(group));
  const std::size_t rows = (points / 2 + 31) / 32, warps = std::size_t(p.grid) * 4;
  p.depth = static_cast<std::uint32_t>(
    std::clamp<std::size_t>(rows * 3 / (4 * warps), 8, group == curve_group::g1 ? 512 : 256));
  for (std::size_t left = (points + 1) / 2; left > left_for_one_block; left = (left + 1) / 2)
    ++p.levels;
  std::size_t at = 0;
  const auto take = [&](std::size_t bytes) {
    const std::size_t here = at;
    at += (bytes + 255) / 256 * 256;
    return here;
  };
  p.list = take(4 * points + 8);
  p.tree = take(2 * coordinate * ((points + 1) / 2));
  p.partial = take(4 * (points / 8192 + 2));
  p.prefix = take(coordinate * p.depth * p.grid * 128);
  p.counters = take(4 * 64);
  p.end = take(3 * coordinate);
  p.scratch_bytes = at;
  return p;
}

} // namespace cuzk::cuda
