#pragma once
// Sums of groups of points by a tree of pair additions: each level adds neighbours of every group at once, so a group
// of n points costs n - 1 additions however the sizes are spread. No group waits for another.
#include "math/lanes/point_pairs.hpp"

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace cuzk::lanes {

/// Scratch and engine of one thread. Room grows to one point for every two items of the largest call.
template <class Engine>
class group_sums {
public:
  using point = typename Engine::point;
  using ref = signed_ref<point>;

  /// Replaces the items of every group by their sum. Group g is items[ends[g-1] .. ends[g]) (ends[-1] = 0).
  /// out[g] refers to the sum, which is one of the items or lies in scratch until the next call; an empty group gives a
  /// null reference. `upcoming`: items of the next call, to have them near by then.
  void run(std::span<const ref> items, std::span<const std::uint32_t> ends, std::vector<ref>& out,
           std::span<const ref> upcoming = {}) {
    engine_.upcoming(upcoming);
    out.assign(ends.size(), ref{});
    items_.assign(items.begin(), items.end());
    active_.clear();
    for (std::uint32_t g = 0, begin = 0; g < ends.size(); begin = ends[g++])
      add_group(g, begin, ends[g] - begin, items_, out);
    for (std::size_t level = 0; !active_.empty(); ++level)
      run_level(level, out);
  }

  Engine& engine() noexcept { return engine_; }

private:
  struct group {
    std::uint32_t id, begin, count;
  };

  void add_group(std::uint32_t id, std::uint32_t begin, std::uint32_t count, const std::vector<ref>& items,
                 std::vector<ref>& out) {
    if (count == 1)
      out[id] = items[begin];
    else if (count > 1)
      active_.push_back({id, begin, count});
  }

  void run_level(std::size_t level, std::vector<ref>& out) {
    if (level == levels_.size())
      levels_.emplace_back();
    auto& sums = levels_[level];
    if (pairs_.size() < items_.size() / 2) {
      pairs_.resize(items_.size() / 2);
      next_.resize(items_.size());
    }
    std::size_t count = 0;
    for (const auto& g : active_)
      for (std::uint32_t i = 0; i + 1 < g.count; i += 2)
        pairs_[count++] = {items_[g.begin + i], items_[g.begin + i + 1]};
    if (sums.size() < count)
      sums.resize(count);
    engine_.add(std::span(pairs_).first(count), sums.data());
    groups_.swap(active_);
    active_.clear();
    std::size_t sum = 0;
    std::uint32_t end = 0;
    for (const auto& g : groups_) {
      const std::uint32_t begin = end;
      for (std::uint32_t i = 0; i + 1 < g.count; i += 2)
        next_[end++] = ref(&sums[sum++], false);
      if (g.count % 2 != 0)
        next_[end++] = items_[g.begin + g.count - 1];
      add_group(g.id, begin, end - begin, next_, out);
    }
    items_.swap(next_);
  }

  Engine engine_;
  std::vector<ref> items_, next_;
  std::vector<group> active_, groups_;
  std::vector<pair_of<point>> pairs_;
  std::deque<std::vector<point>> levels_; ///< sums of a level stay until the call ends: later levels refer to them
};

} // namespace cuzk::lanes
