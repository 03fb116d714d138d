// Jobs: how they come, fail, end. See scheduler_acquire.cpp and scheduler_lanes.cpp for their partitions.
#include "actors/scheduler_state.hpp"

#include "messages/names.hpp"

#include <algorithm>
#include <utility>

namespace cuzk {

scheduler_state::scheduler_state(scheduler_limits limits)
  : limits_(limits), to_make_(limits.age_us, limits.age_share), ready_(limits.age_us, limits.age_share),
    lanes_(limits.faults_to_quarantine, limits.fault_window_us) {
  for (std::uint32_t i = 0; i < limits.synthesizers; ++i)
    idle_.insert(i);
}

std::uint32_t scheduler_state::finalizer_of(const partition_ref& ref, std::uint32_t finalizers) {
  return finalizers == 0 ? 0 : static_cast<std::uint32_t>((number(ref.job) + ref.partition) % finalizers);
}

work_order scheduler_state::order_of(const job& j, std::int64_t partition) const {
  work_order order;
  order.cls = j.offer.spec.cls;
  order.unimportance = -static_cast<std::int64_t>(j.offer.spec.priority);
  if (j.offer.deadline_us != 0)
    order.deadline_us = j.offer.deadline_us;
  order.job = j.offer.job;
  order.partition = partition;
  return order;
}

scheduler_state::job* scheduler_state::find(job_id id) {
  const auto it = jobs_.find(id);
  return it == jobs_.end() ? nullptr : &it->second;
}

// The partition when this is its current attempt.
scheduler_state::item* scheduler_state::find(const partition_ref& ref) {
  auto* j = find(ref.job);
  if (j == nullptr)
    return nullptr;
  const auto it = j->items.find(ref.partition);
  return it == j->items.end() || it->second.ref.attempt != ref.attempt ? nullptr : &it->second;
}

scheduler_effects scheduler_state::offer(const offer_job& offer, input_handle input, std::int64_t now_us) {
  scheduler_effects out;
  const auto [it, fresh] = jobs_.try_emplace(offer.job);
  if (!fresh)
    return out; // offered twice
  auto& j = it->second;
  j.offer = offer;
  j.raw = std::move(input);
  j.queued_us = now_us;
  if (offer.deadline_us != 0)
    deadlines_.emplace(offer.deadline_us, offer.job);
  to_make_.add(order_of(j, -1), now_us);
  pump(now_us, out);
  return out;
}

scheduler_effects scheduler_state::withdraw(job_id id, std::int64_t now_us) {
  scheduler_effects out;
  auto* j = find(id);
  if (j == nullptr)
    return {job_withdrawn{id}};
  end_job(*j, out);
  forget_if_over(id, out);
  pump(now_us, out);
  return out;
}

// Which partitions are proved for the job, known once its input was read.
cuzk::status scheduler_state::take_partitions(job& j, std::uint32_t in_input) {
  const auto only = j.offer.spec.only_partition;
  if (only >= 0 && static_cast<std::uint32_t>(only) >= in_input)
    return bad_input("partition", std::to_string(only) + ", but the input has " + std::to_string(in_input));
  const std::uint32_t count = only >= 0 ? 1 : in_input;
  for (const auto* list : {&j.offer.spec.r, &j.offer.spec.s})
    if (!list->empty() && list->size() != count)
      return bad_input(list == &j.offer.spec.r ? "r" : "s",
                       std::to_string(list->size()) + " scalars given for " + std::to_string(count) + " partitions");
  const auto& finished = j.offer.finished;
  for (std::uint32_t k = 0; k < count; ++k) {
    if (std::find(finished.begin(), finished.end(), k) != finished.end())
      continue;
    auto& it = j.items[k];
    it.ref = {j.offer.job, k, j.offer.first_attempt};
    it.input_partition = only >= 0 ? static_cast<std::uint32_t>(only) : k;
  }
  return ok();
}

scheduler_effects scheduler_state::prepared(const input_prepared& fact, prepared_handle input, std::int64_t now_us) {
  scheduler_effects out;
  auto* j = find(fact.job);
  if (j == nullptr || j->input != reading::running)
    return out;
  const auto circuit = j->offer.spec.circuit;
  free_synthesizer(j->synthesizer);
  set_reading(*j, reading::done);
  j->parsed = std::move(input);
  j->raw = {};
  if (!j->ending && !j->announced)
    announce(*j, fact, now_us, out);
  if (!j->ending)
    queue_work(*j);
  drop_parsed_if_used(*j, out);
  forget_if_over(fact.job, out);
  pump(now_us, out);
  unuse(circuit, out); // after the first partition has taken the lease on
  return out;
}

void scheduler_state::announce(job& j, const input_prepared& fact, std::int64_t now_us, scheduler_effects& out) {
  if (auto taken = take_partitions(j, fact.partitions); !taken)
    return fail(j, taken.err(), out);
  j.announced = true;
  const std::uint32_t count = j.offer.spec.only_partition >= 0 ? 1 : fact.partitions;
  out.emplace_back(job_prepared{fact.job, count, fact.identity});
  for (const auto& [k, it] : j.items)
    stamp(it, partition_mark::queued, now_us, out);
}

// Puts what is to be made into the first queue: partitions when the input is parsed, else the reading of it.
void scheduler_state::queue_work(job& j) {
  if (j.input == reading::running)
    return;
  const bool parsed = j.input == reading::done;
  for (const auto& [k, it] : j.items) {
    if (it.at != step::queued || it.unwanted)
      continue;
    if (!parsed) {
      to_make_.add(order_of(j, -1), j.queued_us);
      return;
    }
    to_make_.add(order_of(j, k), j.queued_us);
  }
}

void scheduler_state::fail(job& j, error why, scheduler_effects& out) {
  if (j.ending)
    return;
  out.emplace_back(job_unprovable{j.offer.job, std::move(why)});
  end_job(j, out);
}

// Nothing more of the job begins; what runs is told to stop.
void scheduler_state::end_job(job& j, scheduler_effects& out) {
  j.ending = true;
  deadlines_.erase({j.offer.deadline_us, j.offer.job});
  for (auto* s : {&head_, &behind_})
    if (*s && (*s)->order.job == j.offer.job)
      abandon(*s, out);
  to_make_.remove(order_of(j, -1));
  if (j.input == reading::running)
    out.emplace_back(cancel_synthesis_effect{j.synthesizer, {{j.offer.job, 0, 0}}});
  for (auto next = j.items.begin(); next != j.items.end();) {
    const auto it = next++;
    end_item(j, it->second, out); // may erase it
  }
}

void scheduler_state::set_step(job& j, item& it, step to) {
  const auto made = [](step s) { return s == step::synthesizing || s == step::ready; };
  const std::pair<job_id, std::uint32_t> key{it.ref.job, it.ref.partition};
  if (made(it.at) != made(to)) {
    auto& count = circuits_.at(j.offer.spec.circuit).ahead[static_cast<std::size_t>(j.offer.spec.cls)];
    made(to) ? ++count : --count;
  }
  if (to == step::dispatched)
    sent_.insert(key);
  else if (it.at == step::dispatched)
    sent_.erase(key);
  it.at = to;
}

void scheduler_state::set_reading(job& j, reading to) {
  j.input = to;
  if (to == reading::wanted)
    parsed_.erase(j.offer.job);
  else
    parsed_.insert(j.offer.job);
}

// The partition is not wanted any more: it goes now, or when what runs of it ends.
void scheduler_state::end_item(job& j, item& it, scheduler_effects& out) {
  switch (it.at) {
  case step::queued:
  case step::ready: return remove_item(j, it, out);
  case step::synthesizing:
    if (!it.unwanted)
      out.emplace_back(cancel_synthesis_effect{it.synthesizer, {it.ref}});
    break;
  case step::dispatched:
  case step::running:
    if (!it.unwanted)
      out.emplace_back(cancel_lane_effect{it.lane, {it.ref}});
    break;
  case step::finalizing: break;
  }
  it.unwanted = true;
}

// Nothing of the partition runs: out of every queue, its memory back, gone.
void scheduler_state::remove_item(job& j, item& it, scheduler_effects& out) {
  const auto order = order_of(j, it.ref.partition);
  for (auto* s : {&head_, &behind_})
    if (*s && (*s)->order == order)
      abandon(*s, out);
  to_make_.remove(order);
  ready_.remove(order);
  set_step(j, it, step::queued);
  release_all(it, out);
  j.items.erase(it.ref.partition);
}

// True when the job is gone. A job that ended is over when nothing of it runs; one that did not, when every partition
// is verified.
bool scheduler_state::forget_if_over(job_id id, scheduler_effects& out) {
  auto* j = find(id);
  if (j == nullptr)
    return true;
  if (!j->items.empty() || j->input == reading::running || (!j->ending && !j->announced))
    return false;
  drop_parsed(*j, out);
  deadlines_.erase({j->offer.deadline_us, id});
  if (j->ending)
    out.emplace_back(job_withdrawn{id});
  jobs_.erase(id);
  return true;
}

void scheduler_state::drop_parsed(job& j, scheduler_effects& out) {
  if (j.reservation != reservation_id{})
    out.emplace_back(release_memory{budget_holder::scheduler, j.reservation});
  j.reservation = {};
  j.parsed = {};
  if (j.input == reading::done)
    set_reading(j, reading::wanted);
}

// The parsed input goes as soon as every witness is made.
void scheduler_state::drop_parsed_if_used(job& j, scheduler_effects& out) {
  const bool needed = std::any_of(j.items.begin(), j.items.end(), [](const auto& x) {
    return x.second.at == step::queued || x.second.at == step::synthesizing;
  });
  if (j.input == reading::done && !needed)
    drop_parsed(j, out);
}

// Everything the partition holds under way: memory and its circuit's lease.
void scheduler_state::release_all(item& it, scheduler_effects& out) {
  if (it.reservation == reservation_id{})
    return;
  out.emplace_back(release_memory{budget_holder::scheduler, it.reservation});
  it.reservation = {};
  it.held = {};
  it.work = {};
  if (const auto* j = find(it.ref.job))
    unuse(j->offer.spec.circuit, out);
}

// A worker died over the job. Who kills twice is poison and is not tried for ever.
void scheduler_state::note_death(job& j, const std::string& who, scheduler_effects& out) {
  if (++j.deaths >= limits_.max_worker_deaths)
    fail(j, internal_error("the job ended " + std::to_string(j.deaths) + " workers, the last was a " + who), out);
}

void scheduler_state::stamp(const item& it, partition_mark mark, std::int64_t now_us, scheduler_effects& out,
                            std::string note) {
  out.emplace_back(partition_stamp{it.ref, mark, now_us, it.lane, std::move(note)});
}

void scheduler_state::say_waits(job& j, std::string reason, scheduler_effects& out) {
  if (j.waits == reason)
    return;
  j.waits = reason;
  out.emplace_back(job_waits{j.offer.job, std::move(reason)});
}

scheduler_effects scheduler_state::phase(node_phase phase, std::int64_t now_us) {
  scheduler_effects out;
  paused_ = phase == node_phase::paused || phase == node_phase::stopped;
  pump(now_us, out);
  return out;
}

scheduler_effects scheduler_state::tick(std::int64_t now_us) {
  scheduler_effects out;
  pump(now_us, out);
  return out;
}

std::optional<std::int64_t> scheduler_state::next_wakeup() const {
  std::optional<std::int64_t> next;
  if (!deadlines_.empty())
    next = deadlines_.begin()->first;
  if (!doubts_.empty())
    next = std::min(next.value_or(doubts_.begin()->first), doubts_.begin()->first);
  return next;
}

void scheduler_state::expire(std::int64_t now_us, scheduler_effects& out) {
  while (!deadlines_.empty() && deadlines_.begin()->first <= now_us) {
    const auto id = deadlines_.begin()->second;
    deadlines_.erase(deadlines_.begin());
    if (auto* j = find(id))
      fail(*j, {errc::deadline, "the deadline has passed"}, out);
    forget_if_over(id, out);
  }
}

scheduler_status scheduler_state::status(std::int64_t now_us) const {
  scheduler_status out;
  out.paused = paused_;
  out.queued_by_class.assign(std::size(all_job_classes), 0);
  for (const auto& [order, since] : to_make_.pieces()) {
    (order.partition < 0 ? out.to_prepare : out.to_synthesize) += 1;
    ++out.queued_by_class[static_cast<std::size_t>(order.cls)];
  }
  for (const auto& [order, since] : ready_.pieces())
    ++out.queued_by_class[static_cast<std::size_t>(order.cls)];
  out.ready = static_cast<std::uint32_t>(ready_.size());
  out.lanes = lanes_.status_of_all();
  for (const auto& [id, j] : jobs_)
    for (const auto& [k, it] : j.items) {
      out.synthesizing += it.at == step::synthesizing;
      out.finalizing += it.at == step::finalizing;
      if (it.at != step::dispatched && it.at != step::running)
        continue;
      ++out.proving;
      for (auto& lane : out.lanes)
        if (lane.info.lane == it.lane)
          lane.working_on.push_back(to_string(it.ref));
    }
  for (const auto& oldest : {to_make_.oldest_us(), ready_.oldest_us()})
    if (oldest)
      out.oldest_wait_ms = std::max(out.oldest_wait_ms, static_cast<std::uint64_t>((now_us - *oldest) / 1000));
  out.retries = retries_;
  out.quarantines = quarantines_;
  out.aged = aged_;
  out.bypasses = bypasses_;
  return out;
}

} // namespace cuzk
