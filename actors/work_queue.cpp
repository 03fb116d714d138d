#include "actors/work_queue.hpp"

namespace cuzk {

void work_queue::add(const work_order& order, std::int64_t queued_us) {
  if (by_order_.emplace(order, queued_us).second)
    by_age_.emplace(queued_us, order);
}

bool work_queue::remove(const work_order& order) {
  const auto it = by_order_.find(order);
  if (it == by_order_.end())
    return false;
  by_age_.erase({it->second, order});
  by_order_.erase(it);
  return true;
}

std::optional<work_order> work_queue::aged(std::int64_t now_us) const {
  if (by_age_.empty() || now_us - by_age_.begin()->first < age_us_)
    return std::nullopt;
  return by_age_.begin()->second;
}

bool work_queue::take(const work_order& order, std::int64_t now_us) {
  const auto old = aged(now_us);
  const bool out_of_turn = old && *old == order && order != by_order_.begin()->first;
  if (!remove(order))
    return false;
  if (old && *old == order)
    passes_ = 0;
  else if (old && order < *old)
    ++passes_;
  return out_of_turn;
}

std::optional<std::int64_t> work_queue::oldest_us() const {
  if (by_age_.empty())
    return std::nullopt;
  return by_age_.begin()->first;
}

} // namespace cuzk
