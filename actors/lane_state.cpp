#include "actors/lane_state.hpp"

#include <algorithm>

namespace cuzk {

lane_state::iterator lane_state::find(std::uint64_t run) {
  return std::find_if(orders_.begin(), orders_.end(), [run](const entry& e) { return e.run == run; });
}

lane_effects lane_state::order(const prove_partition& order, witness_handle work) {
  lane_effects out;
  entry e;
  e.order = order;
  e.work = std::move(work);
  orders_.push_back(std::move(e));
  advance(out);
  return out;
}

// Orders go to the backend as far as it likes; the first there is the one that computes.
void lane_state::advance(lane_effects& out) {
  std::uint32_t there = 0;
  for (auto& e : orders_) {
    if (there >= depth_)
      break;
    ++there;
    if (e.run == 0) {
      e.run = next_run_++;
      out.emplace_back(run_effect{e.run, e.order, e.work});
    }
  }
  if (orders_.empty() || orders_.front().run == 0 || orders_.front().started)
    return;
  auto& first = orders_.front();
  first.started = true;
  if (!first.orphan)
    out.emplace_back(partition_started{first.order.ref, info_.lane});
}

void lane_state::end(iterator it, std::int64_t now_us, lane_effects& out) {
  if (it->started)
    ended_us_ = now_us;
  const bool orphan = it->orphan;
  orders_.erase(it);
  if (!orphan)
    out.emplace_back(lane_credit{info_.lane, 1});
  advance(out);
}

lane_effects lane_state::cancel(const cancel_partition& ask, std::int64_t now_us) {
  lane_effects out;
  const auto it = std::find_if(orders_.begin(), orders_.end(), [&](const entry& e) { return e.order.ref == ask.ref; });
  if (it == orders_.end() || it->orphan || (ask.only_if_waiting && it->started))
    return out;
  if (it->run != 0) {
    out.emplace_back(stop_effect{it->run}); // answered when the backend has stopped
    return out;
  }
  out.emplace_back(partition_failed{ask.ref, info_.lane, {errc::cancelled, "cancelled before it began"}});
  end(it, now_us, out);
  return out;
}

lane_effects lane_state::reset() {
  lane_effects out;
  orders_.erase(std::remove_if(orders_.begin(), orders_.end(), [](const entry& e) { return e.run == 0; }),
                orders_.end());
  for (auto& e : orders_) {
    e.orphan = true;
    out.emplace_back(stop_effect{e.run});
  }
  out.emplace_back(info_);
  return out;
}

lane_effects lane_state::stage(std::uint64_t run, prove_stage stage, std::int64_t took_us) {
  lane_effects out;
  const auto it = find(run);
  if (it == orders_.end() || it->orphan)
    return out;
  if (!it->started) { // the backend works on it beside the one before: it is not called back any more
    it->started = true;
    out.emplace_back(partition_started{it->order.ref, info_.lane});
  }
  out.emplace_back(stage_done{it->order.ref, info_.lane, stage, took_us});
  return out;
}

lane_effects lane_state::proved(std::uint64_t run, const proof_bytes& points, const prove_timings& timings,
                                std::int64_t now_us) {
  lane_effects out;
  const auto it = find(run);
  if (it == orders_.end())
    return out;
  if (!it->orphan) {
    proved_effect e;
    e.fact = {it->order.ref, info_.lane, it->order.circuit, points, timings};
    if (auto& idle = e.fact.timings.idle_before; idle < 0)
      idle = ended_us_ < 0 ? 0 : std::max(0.0, static_cast<double>(now_us - ended_us_) / 1e6 - timings.total);
    e.statement = {it->work.statement, it->work.key};
    out.emplace_back(std::move(e));
  }
  end(it, now_us, out);
  return out;
}

lane_effects lane_state::failed(std::uint64_t run, const error& why, std::int64_t now_us) {
  lane_effects out;
  const auto it = find(run);
  if (it == orders_.end())
    return out;
  if (!it->orphan)
    out.emplace_back(partition_failed{it->order.ref, info_.lane, why});
  end(it, now_us, out);
  return out;
}

} // namespace cuzk
