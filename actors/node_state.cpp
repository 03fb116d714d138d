#include "actors/node_state.hpp"

#include "messages/names.hpp"

#include <algorithm>

namespace cuzk {

namespace {

constexpr std::uint32_t longest_drain_ms = 24 * 3'600'000;

} // namespace

std::string actor_label(actor_role role, std::uint32_t index) {
  const bool several = role == actor_role::synthesizer || role == actor_role::lane || role == actor_role::finalizer;
  return several ? std::string(to_string(role)) + " " + std::to_string(index) : to_string(role);
}

void node_state::started(actor_role role, std::uint32_t index) {
  actors_[{role, index}].up = true;
}

node_effects node_state::died(actor_role role, std::uint32_t index, const std::string& reason, std::int64_t now_us) {
  node_effects out;
  if (phase_ == node_phase::stopped)
    return out;
  auto& a = actors_[{role, index}];
  a.up = false;
  a.last_death = reason;
  a.deaths_us.push_back(now_us);
  while (!a.deaths_us.empty() && a.deaths_us.front() < now_us - limits_.window_us)
    a.deaths_us.pop_front();
  const auto who = actor_label(role, index);
  out.emplace_back(log_line{log_severity::error, "actor-died", "actor=\"" + who + "\" why=\"" + reason + "\""});
  if (a.deaths_us.size() > limits_.restarts) {
    if (role == actor_role::lane) {
      out.emplace_back(log_line{log_severity::error, "lane-given-up", "actor=\"" + who + "\""});
      return out;
    }
    phase_ = node_phase::stopped;
    out.emplace_back(
      give_up_effect{who + " died " + std::to_string(a.deaths_us.size()) + " times, the last: " + reason});
    return out;
  }
  ++a.restarts;
  if (role == actor_role::tracker)
    out.emplace_back(end_effect{actor_role::scheduler, 0}); // its picture of the jobs is gone with the tracker's
  out.emplace_back(respawn_effect{role, index, reason});
  return out;
}

node_effects node_state::to_phase(node_phase next) {
  phase_ = next;
  drained_ = false;
  return {phase_changed{next}, log_line{log_severity::info, "node-phase", std::string("phase=") + to_string(next)}};
}

node_effects node_state::left(const work_left& fact) {
  node_effects out;
  jobs_left_ = fact.jobs;
  if (phase_ == node_phase::starting)
    out = to_phase(node_phase::serving);
  drained_ = phase_ == node_phase::draining && fact.phase == node_phase::draining && fact.jobs == 0;
  if (drained_) {
    for (const auto& d : drains_)
      out.emplace_back(drain_answer{d.ticket, {}});
    drains_.clear();
  }
  return out;
}

node_effects node_state::pause(outcome& answer) {
  if (phase_ == node_phase::serving)
    return to_phase(node_phase::paused);
  answer = refused({errc::conflict, std::string("the node is ") + to_string(phase_)});
  return {};
}

node_effects node_state::resume(outcome& answer) {
  if (phase_ == node_phase::paused || phase_ == node_phase::draining) {
    auto out = to_phase(node_phase::serving);
    for (const auto& d : drains_)
      out.emplace_back(drain_answer{d.ticket, {refused({errc::cancelled, "the node was resumed"})}});
    drains_.clear();
    return out;
  }
  answer = refused({errc::conflict, std::string("the node is ") + to_string(phase_)});
  return {};
}

node_effects node_state::drain(std::uint64_t ticket, std::uint32_t limit_ms, std::int64_t now_us) {
  node_effects out;
  if (phase_ == node_phase::stopped)
    return {drain_answer{ticket, {refused({errc::shutdown, "the node has stopped"})}}};
  if (phase_ != node_phase::draining)
    out = to_phase(node_phase::draining);
  const auto limit = limit_ms == 0 ? longest_drain_ms : std::min(limit_ms, longest_drain_ms);
  if (drained_)
    out.emplace_back(drain_answer{ticket, {}});
  else
    drains_.push_back({ticket, now_us + static_cast<std::int64_t>(limit) * 1000});
  return out;
}

node_effects node_state::stop() {
  node_effects out;
  for (const auto& d : drains_)
    out.emplace_back(drain_answer{d.ticket, {refused({errc::shutdown, "the node was stopped"})}});
  drains_.clear();
  phase_ = node_phase::stopped;
  return out;
}

node_effects node_state::tick(std::int64_t now_us) {
  node_effects out;
  const auto over = [&](const drain_wait& d) {
    if (d.until_us > now_us)
      return false;
    out.emplace_back(
      drain_answer{d.ticket, {refused({errc::resources, std::to_string(jobs_left_) + " jobs are left"})}});
    return true;
  };
  drains_.erase(std::remove_if(drains_.begin(), drains_.end(), over), drains_.end());
  return out;
}

std::optional<std::int64_t> node_state::next_wakeup() const {
  std::optional<std::int64_t> next;
  for (const auto& d : drains_)
    next = next ? std::min(*next, d.until_us) : d.until_us;
  return next;
}

std::vector<actor_health> node_state::health() const {
  std::vector<actor_health> out;
  for (const auto& [who, a] : actors_)
    out.push_back({actor_label(who.first, who.second), a.up, a.restarts, a.last_death});
  return out;
}

} // namespace cuzk
