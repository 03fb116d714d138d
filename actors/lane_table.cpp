#include "actors/lane_table.hpp"

#include <algorithm>

namespace cuzk {

void lane_table::join(const lane_info& info) {
  auto& l = lanes_[info.lane];
  l.info = info;
  l.up = true;
  l.credits = info.credits;
  l.in_flight = 0;
}

void lane_table::leave(lane_id lane) {
  const auto it = lanes_.find(lane);
  if (it == lanes_.end())
    return;
  it->second.up = false;
  it->second.credits = it->second.in_flight = 0;
}

void lane_table::credit(lane_id lane, std::uint32_t count) {
  const auto it = lanes_.find(lane);
  if (it == lanes_.end() || !it->second.up)
    return;
  auto& l = it->second;
  const auto room = l.info.credits - std::min(l.info.credits, l.in_flight);
  l.credits = std::min(room, l.credits + std::min(count, l.info.credits));
}

void lane_table::take(lane_id lane) {
  auto& l = lanes_.at(lane);
  --l.credits;
  ++l.in_flight;
}

void lane_table::ended(lane_id lane, bool proved) {
  const auto it = lanes_.find(lane);
  if (it == lanes_.end() || it->second.in_flight == 0)
    return;
  --it->second.in_flight;
  it->second.proved += proved ? 1 : 0;
}

bool lane_table::fault(lane_id lane, const std::string& reason, std::int64_t now_us) {
  const auto it = lanes_.find(lane);
  if (it == lanes_.end())
    return false;
  auto& l = it->second;
  l.faults.push_back(now_us);
  while (!l.faults.empty() && l.faults.front() < now_us - window_us_)
    l.faults.pop_front();
  if (l.quarantined || l.faults.size() < faults_to_quarantine_)
    return false;
  l.quarantined = true;
  l.reason = std::to_string(l.faults.size()) + " faults, the last: " + reason;
  return true;
}

status lane_table::release(lane_id lane) {
  const auto it = lanes_.find(lane);
  if (it == lanes_.end())
    return error{errc::not_found, "no lane " + std::to_string(number(lane))};
  if (!it->second.quarantined)
    return error{errc::conflict, "lane " + it->second.info.name + " is not in quarantine"};
  it->second.quarantined = false;
  it->second.reason.clear();
  it->second.faults.clear();
  return ok();
}

std::optional<lane_id> lane_table::choose(job_class cls, const std::set<lane_id>& avoid) const {
  const slot* best = nullptr;
  bool best_avoided = false, other_in_service = false;
  for (const auto& [id, l] : lanes_) {
    if (!serves(l, cls))
      continue;
    const bool avoided = avoid.count(id) != 0;
    other_in_service = other_in_service || !avoided;
    if (l.credits == 0)
      continue;
    const bool better =
      best == nullptr || (best_avoided && !avoided) || (best_avoided == avoided && l.in_flight < best->in_flight);
    if (better) {
      best = &l;
      best_avoided = avoided;
    }
  }
  if (best == nullptr || (best_avoided && other_in_service))
    return std::nullopt;
  return best->info.lane;
}

std::uint32_t lane_table::in_service(job_class cls) const {
  return static_cast<std::uint32_t>(
    std::count_if(lanes_.begin(), lanes_.end(), [&](const auto& l) { return serves(l.second, cls); }));
}

std::uint32_t lane_table::free_credits(job_class cls) const {
  std::uint32_t sum = 0;
  for (const auto& [id, l] : lanes_)
    sum += serves(l, cls) ? l.credits : 0;
  return sum;
}

const lane_info* lane_table::find(lane_id lane) const {
  const auto it = lanes_.find(lane);
  return it == lanes_.end() ? nullptr : &it->second.info;
}

std::vector<lane_status> lane_table::status_of_all() const {
  std::vector<lane_status> out;
  for (const auto& [id, l] : lanes_) {
    lane_status s;
    s.info = l.info;
    s.credits = l.credits;
    s.in_flight = l.in_flight;
    s.quarantined = l.quarantined;
    s.reason = l.quarantined ? l.reason : l.up ? "" : "gone";
    s.faults = static_cast<std::uint32_t>(l.faults.size());
    s.proved = l.proved;
    out.push_back(std::move(s));
  }
  return out;
}

} // namespace cuzk
