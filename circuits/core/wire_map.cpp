#include "circuits/core/wire_map.hpp"

#include <algorithm>

namespace cuzk {

void wire_map::append(wire_kind kind, std::uint32_t count) {
  if (count == 0)
    return;
  auto& total = kind == wire_kind::bit ? counts_.bits : counts_.fields;
  if (!runs_.empty() && runs_.back().kind == kind)
    runs_.back().count += count;
  else
    runs_.push_back({counts_.aux(), count, total, kind});
  total += count;
}

std::size_t wire_map::run_of_aux(std::uint32_t aux, std::size_t hint) const noexcept {
  if (hint < runs_.size() && aux - runs_[hint].first_aux < runs_[hint].count)
    return hint;
  const auto after = std::upper_bound(runs_.begin(), runs_.end(), aux,
                                      [](std::uint32_t x, const wire_run& run) { return x < run.first_aux; });
  return static_cast<std::size_t>(after - runs_.begin()) - 1;
}

std::uint32_t wire_map::wire_of_aux(std::uint32_t aux) const noexcept {
  const auto& run = runs_[run_of_aux(aux)];
  return first_wire(run) + (aux - run.first_aux);
}

std::uint32_t wire_map::aux_of_wire(std::uint32_t wire) const noexcept {
  const bool bit = wire >= counts_.first_bit();
  const auto index = wire - (bit ? counts_.first_bit() : counts_.first_field());
  // Kinds alternate, so the runs of one kind are every second run, and their `first` grows.
  const std::size_t start = (runs_.front().kind == wire_kind::bit) == bit ? 0 : 1;
  std::size_t low = 0, high = (runs_.size() - start + 1) / 2;
  while (high - low > 1) {
    const auto middle = (low + high) / 2;
    (runs_[start + 2 * middle].first <= index ? low : high) = middle;
  }
  const auto& run = runs_[start + 2 * low];
  return run.first_aux + (index - run.first);
}

} // namespace cuzk
