// From the second queue to a verified proof, and again after a fault.
#include "actors/scheduler_state.hpp"
#include "messages/names.hpp"

#include <algorithm>
#include <utility>

namespace cuzk {

bool scheduler_state::may_prove(const work_order& order) const {
  const auto& j = jobs_.at(order.job);
  if (!has_key(j.offer.spec.circuit))
    return false;
  const auto& it = j.items.at(static_cast<std::uint32_t>(order.partition));
  return lanes_.choose(order.cls, it.avoid).has_value();
}

void scheduler_state::dispatch(std::int64_t now_us, scheduler_effects& out) {
  if (paused_)
    return;
  while (const auto next = ready_.pick(now_us, [this](const work_order& o) { return may_prove(o); })) {
    aged_ += ready_.take(*next, now_us);
    auto& j = jobs_.at(next->job);
    auto& it = j.items.at(static_cast<std::uint32_t>(next->partition));
    send_to_lane(j, it, *lanes_.choose(next->cls, it.avoid), now_us, out);
  }
  recall_for_urgent(out);
  if (ready_.empty())
    return;
  const auto& first = ready_.pieces().begin()->first;
  auto& waits = jobs_.at(first.job);
  say_waits(waits,
            !has_key(waits.offer.spec.circuit)  ? "params loading"
            : lanes_.in_service(first.cls) == 0 ? "no device"
                                                : "device busy",
            out);
}

// WinningPoSt and WindowPoSt do not stand behind a partition that a lane has taken in but not begun.
void scheduler_state::recall_for_urgent(scheduler_effects& out) {
  if (ready_.empty())
    return;
  const auto& first = ready_.pieces().begin()->first;
  if (first.cls > job_class::window || !has_key(jobs_.at(first.job).offer.spec.circuit))
    return;
  item* back = nullptr;
  job_class cls = first.cls;
  for (const auto& [id, k] : sent_) {
    auto& j = jobs_.at(id);
    auto& it = j.items.at(k);
    const auto* lane = lanes_.find(it.lane);
    if (it.unwanted || lane == nullptr || first.cls > lane->lowest)
      continue;
    if (it.recalled)
      return; // one is on its way back
    if (j.offer.spec.cls > cls) {
      back = &it;
      cls = j.offer.spec.cls;
    }
  }
  if (back == nullptr)
    return;
  back->recalled = true;
  out.emplace_back(cancel_lane_effect{back->lane, {back->ref, true}});
}

void scheduler_state::send_to_lane(job& j, item& it, lane_id lane, std::int64_t now_us, scheduler_effects& out) {
  lanes_.take(lane);
  it.lane = lane;
  set_step(j, it, step::dispatched);
  it.recalled = false;
  prove_effect e;
  e.lane = lane;
  e.work = it.work;
  e.work.key = circuits_.at(j.offer.spec.circuit).key.key;
  auto& order = e.order;
  order.ref = it.ref;
  order.circuit = j.offer.spec.circuit;
  order.input_digest = j.offer.input_digest;
  order.spec = j.offer.spec;
  order.input_partition = it.input_partition;
  const auto& spec = j.offer.spec;
  order.fixed_rs = it.ref.partition < spec.r.size() && it.ref.partition < spec.s.size();
  if (order.fixed_rs) {
    order.r = spec.r[it.ref.partition];
    order.s = spec.s[it.ref.partition];
  }
  stamp(it, partition_mark::dispatched, now_us, out);
  say_waits(j, {}, out);
  out.emplace_back(std::move(e));
}

scheduler_effects scheduler_state::lane_joined(const lane_info& info, std::int64_t now_us) {
  scheduler_effects out;
  lane_died(info.lane, "rejoined", now_us, out);
  lanes_.join(info);
  pump(now_us, out);
  return out;
}

scheduler_effects scheduler_state::credit(const lane_credit& fact, std::int64_t now_us) {
  scheduler_effects out;
  lanes_.credit(fact.lane, fact.count);
  pump(now_us, out);
  return out;
}

scheduler_effects scheduler_state::release(lane_id lane, std::int64_t now_us, outcome& answer) {
  scheduler_effects out;
  if (auto done = lanes_.release(lane); !done)
    answer = cuzk::refused(done.err());
  pump(now_us, out);
  return out;
}

scheduler_effects scheduler_state::started(const partition_started& fact, std::int64_t now_us) {
  scheduler_effects out;
  auto* it = find(fact.ref);
  if (it == nullptr || it->at != step::dispatched || it->lane != fact.lane)
    return out;
  set_step(jobs_.at(fact.ref.job), *it, step::running);
  it->recalled = false;
  stamp(*it, partition_mark::started, now_us, out);
  recall_for_urgent(out);
  return out;
}

scheduler_effects scheduler_state::proved(const partition_proved& fact, std::int64_t now_us) {
  scheduler_effects out;
  auto* it = find(fact.ref);
  if (it == nullptr || (it->at != step::dispatched && it->at != step::running) || it->lane != fact.lane)
    return out;
  lanes_.ended(fact.lane, true);
  auto& j = jobs_.at(fact.ref.job);
  set_step(j, *it, step::finalizing);
  it->work = {};
  const auto part = j.offer.need.witness + j.offer.need.prove;
  it->held -= part;
  if (std::exchange(it->doubtful, false))
    doubts_.emplace(now_us + verdict_limit_us, it->ref);
  out.emplace_back(release_memory{budget_holder::scheduler, it->reservation, false, part});
  stamp(*it, partition_mark::proved, now_us, out);
  pump(now_us, out);
  return out;
}

scheduler_effects scheduler_state::lane_failed(const partition_failed& fact, std::int64_t now_us) {
  scheduler_effects out;
  auto* it = find(fact.ref);
  if (it == nullptr || (it->at != step::dispatched && it->at != step::running) || it->lane != fact.lane)
    return out;
  auto& j = jobs_.at(fact.ref.job);
  lanes_.ended(fact.lane, false);
  const auto code = fact.why.code;
  if (it->unwanted) {
    remove_item(j, *it, out);
  } else if (code == errc::cancelled || code == errc::shutdown) {
    back_to_ready(j, *it, now_us, it->recalled ? "recalled for urgent work" : fact.why.text, out);
  } else if (code == errc::bad_input || code == errc::params) { // no device's fault: nowhere would it go better
    remove_item(j, *it, out);
    fail(j, fact.why, out);
  } else {
    blame_lane(fact.lane, fact.why.text, now_us, out);
    it->avoid.insert(fact.lane);
    if (++it->faults >= limits_.max_attempts) {
      remove_item(j, *it, out);
      auto why = fact.why;
      why.text +=
        " (attempt " + std::to_string(limits_.max_attempts) + " of " + std::to_string(limits_.max_attempts) + ")";
      fail(j, std::move(why), out);
    } else {
      back_to_ready(j, *it, now_us, fact.why.text, out);
    }
  }
  forget_if_over(fact.ref.job, out);
  pump(now_us, out);
  return out;
}

// Another attempt with the witness at hand.
void scheduler_state::back_to_ready(job& j, item& it, std::int64_t now_us, const std::string& why,
                                    scheduler_effects& out) {
  stamp(it, partition_mark::retried, now_us, out, why);
  ++retries_;
  ++it.ref.attempt;
  set_step(j, it, step::ready);
  it.recalled = false;
  ready_.add(order_of(j, it.ref.partition), j.queued_us);
}

// Another attempt from the witness on.
void scheduler_state::make_again(job& j, item& it, std::int64_t now_us, const std::string& why,
                                 scheduler_effects& out) {
  stamp(it, partition_mark::retried, now_us, out, why);
  ++retries_;
  set_step(j, it, step::queued);
  release_all(it, out);
  ++it.ref.attempt;
  queue_work(j);
}

void scheduler_state::blame_lane(lane_id lane, const std::string& why, std::int64_t now_us, scheduler_effects& out) {
  if (!lanes_.fault(lane, why, now_us))
    return;
  ++quarantines_;
  const auto* info = lanes_.find(lane);
  out.emplace_back(
    log_line{log_severity::error, "lane-quarantined",
             "lane=" + (info == nullptr ? std::to_string(number(lane)) : info->name) + " why=\"" + why + "\""});
}

scheduler_effects scheduler_state::verified(const partition_verified& fact, std::int64_t now_us) {
  scheduler_effects out;
  auto* j = find(fact.ref.job);
  if (j == nullptr)
    return out;
  const auto found = j->items.find(fact.ref.partition);
  if (found == j->items.end())
    return out;
  auto& it = found->second;
  const bool current = it.ref.attempt == fact.ref.attempt && it.at == step::finalizing;
  if (fact.good || (current && it.unwanted)) {
    if (fact.good && !it.unwanted)
      stamp(it, partition_mark::verified, now_us, out);
    if (current) {
      remove_item(*j, it, out);
    } else {
      end_item(*j, it, out); // a late result: what runs is not needed any more
    }
  } else if (current) {
    const bool checked = fact.why.code == errc::self_check_failed;
    if (checked) {
      blame_lane(fact.lane, fact.why.text, now_us, out);
      it.avoid.insert(fact.lane);
    }
    if (++it.bad_proofs >= limits_.max_bad_proofs) {
      fail(*j, fact.why, out);
      remove_item(*j, it, out);
    } else {
      make_again(*j, it, now_us, fact.why.text, out);
    }
  }
  if (auto* still = find(fact.ref.job))
    drop_parsed_if_used(*still, out);
  forget_if_over(fact.ref.job, out);
  pump(now_us, out);
  return out;
}

scheduler_effects scheduler_state::replaced(const actor_replaced& fact, std::int64_t now_us) {
  scheduler_effects out;
  switch (fact.role) {
  case actor_role::synthesizer: synthesizer_died(fact.index, fact.reason, now_us, out); break;
  case actor_role::lane: lane_died(lane_id{fact.index}, fact.reason, now_us, out); break;
  case actor_role::finalizer: finalizer_died(fact.index, fact.reason, now_us, out); break;
  case actor_role::budget: book_again(out); break;
  case actor_role::param_store: lease_again(now_us, out); break;
  case actor_role::tracker:
  case actor_role::journal:
  case actor_role::scheduler:
  case actor_role::key_loader:
  case actor_role::telemetry: break;
  }
  pump(now_us, out);
  return out;
}

void scheduler_state::synthesizer_died(std::uint32_t index, const std::string& reason, std::int64_t now_us,
                                       scheduler_effects& out) {
  const auto why = "synthesizer died: " + reason;
  for (auto next = jobs_.begin(); next != jobs_.end();) {
    auto& j = (next++)->second;
    bool hit = false;
    if (j.input == reading::running && j.synthesizer == index) {
      hit = true;
      unuse(j.offer.spec.circuit, out);
      set_reading(j, reading::done);
      drop_parsed(j, out);
      if (!j.ending)
        to_make_.add(order_of(j, -1), j.queued_us);
    }
    for (auto inner = j.items.begin(); inner != j.items.end();) {
      auto& it = (inner++)->second;
      if (it.at != step::synthesizing || it.synthesizer != index)
        continue;
      hit = true;
      if (it.unwanted) {
        remove_item(j, it, out);
      } else {
        make_again(j, it, now_us, why, out);
      }
    }
    if (hit) {
      note_death(j, "synthesizer", out);
      forget_if_over(j.offer.job, out);
    }
  }
  free_synthesizer(index);
}

void scheduler_state::lane_died(lane_id lane, const std::string& reason, std::int64_t now_us, scheduler_effects& out) {
  lanes_.leave(lane);
  for (auto next = jobs_.begin(); next != jobs_.end();) {
    auto& j = (next++)->second;
    bool hit = false, blamed = false;
    for (auto inner = j.items.begin(); inner != j.items.end();) {
      auto& it = (inner++)->second;
      if ((it.at != step::dispatched && it.at != step::running) || it.lane != lane)
        continue;
      hit = true;
      blamed = blamed || it.at == step::running;
      if (it.unwanted) {
        remove_item(j, it, out);
      } else {
        back_to_ready(j, it, now_us, "lane died: " + reason, out);
      }
    }
    if (blamed)
      note_death(j, "lane", out);
    if (hit)
      forget_if_over(j.offer.job, out);
  }
}

void scheduler_state::resolve_doubts(std::int64_t now_us, scheduler_effects& out) {
  while (!doubts_.empty() && doubts_.begin()->first <= now_us) {
    const auto ref = doubts_.begin()->second;
    doubts_.erase(doubts_.begin());
    auto* it = find(ref);
    if (it == nullptr || it->at != step::finalizing)
      continue;
    auto& j = jobs_.at(ref.job);
    if (it->unwanted)
      remove_item(j, *it, out);
    else
      make_again(j, *it, now_us, "no verdict", out);
    forget_if_over(ref.job, out);
  }
}

void scheduler_state::finalizer_died(std::uint32_t index, const std::string& reason, std::int64_t now_us,
                                     scheduler_effects& out) {
  for (auto next = jobs_.begin(); next != jobs_.end();) {
    auto& j = (next++)->second;
    bool hit = false;
    for (auto inner = j.items.begin(); inner != j.items.end();) {
      auto& it = (inner++)->second;
      if (finalizer_of(it.ref, limits_.finalizers) != index)
        continue;
      it.doubtful = it.at == step::dispatched || it.at == step::running;
      if (it.at != step::finalizing)
        continue;
      hit = true;
      if (it.unwanted) {
        remove_item(j, it, out);
      } else {
        make_again(j, it, now_us, "finalizer died: " + reason, out);
      }
    }
    if (hit) {
      note_death(j, "finalizer", out);
      forget_if_over(j.offer.job, out);
    }
  }
}

// The ledger is new: what is held is booked whatever the sum, what waited is asked again.
void scheduler_state::book_again(scheduler_effects& out) {
  const auto book = [&](reservation_id id, const byte_counts& held, const job& j, bool stays) {
    reserve_memory ask;
    ask.holder = budget_holder::scheduler;
    ask.id = id;
    ask.want = held;
    ask.cls = j.offer.spec.cls;
    ask.stays = stays;
    ask.held_already = true;
    ask.job = j.offer.job;
    out.emplace_back(ask);
  };
  for (const auto& [id, j] : jobs_) {
    if (j.reservation != reservation_id{})
      book(j.reservation, j.offer.need.prepare, j, true);
    for (const auto& [k, it] : j.items)
      if (it.reservation != reservation_id{})
        book(it.reservation, it.held, j, false);
  }
  for (auto* s : {&head_, &behind_}) {
    if (!*s || (*s)->reservation == reservation_id{})
      continue;
    if ((*s)->granted)
      book((*s)->reservation, (*s)->want, jobs_.at((*s)->order.job), (*s)->order.partition < 0);
    else
      ask_memory(**s, s == &behind_, out);
  }
}

// param_store is new: keys at hand are used on, and leased again. Witnesses whose key was not there yet are given up,
// for the key may need the room they take.
void scheduler_state::lease_again(std::int64_t now_us, scheduler_effects& out) {
  for (auto& [circuit, use] : circuits_) {
    use.leased = true;
    use.has_memory = use.key.key != nullptr;
    out.emplace_back(lease_key{circuit, job_class::window});
  }
  for (auto& [id, j] : jobs_)
    for (auto next = j.items.begin(); next != j.items.end();) {
      auto& it = (next++)->second;
      if (it.at == step::ready && !has_key(j.offer.spec.circuit))
        give_up_witness(j, it, now_us, out);
    }
}

void scheduler_state::give_up_witness(job& j, item& it, std::int64_t now_us, scheduler_effects& out) {
  ready_.remove(order_of(j, it.ref.partition));
  make_again(j, it, now_us, "its key has to be read again", out);
}

} // namespace cuzk
