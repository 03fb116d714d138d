// From the first queue to a synthesizer: lease the key, reserve the memory, then take the piece out.
#include "actors/scheduler_state.hpp"
#include "messages/names.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace cuzk {

void scheduler_state::pump(std::int64_t now_us, scheduler_effects& out) {
  expire(now_us, out);
  resolve_doubts(now_us, out);
  relieve(out);
  acquire(now_us, out);
  dispatch(now_us, out);
}

bool scheduler_state::has_key(const std::string& circuit) const {
  const auto it = circuits_.find(circuit);
  return it != circuits_.end() && it->second.key.key != nullptr;
}

// Room ahead of the lanes is counted per class, and apart for keys that are still being read: neither lower classes nor
// a slow key take it from others. The same for parsed inputs.
bool scheduler_state::may_make(const work_order& order) const {
  constexpr std::uint32_t parsed_ahead = 2;
  const bool keyed = has_key(jobs_.at(order.job).offer.spec.circuit);
  if (order.partition < 0) {
    return parsed_ahead > std::count_if(parsed_.begin(), parsed_.end(), [&](job_id id) {
             const auto& spec = jobs_.at(id).offer.spec;
             return id != order.job && spec.cls <= order.cls && has_key(spec.circuit) == keyed;
           });
  }
  std::uint32_t ahead = 0;
  for (const auto& [circuit, use] : circuits_)
    if ((use.key.key != nullptr) == keyed)
      ahead += std::accumulate(use.ahead.begin(), use.ahead.begin() + static_cast<std::size_t>(order.cls) + 1, 0u);
  const auto lanes = lanes_.in_service(order.cls);
  return ahead < limits_.ready_per_lane * lanes + (keyed ? lanes_.free_credits(order.cls) : 0);
}

void scheduler_state::acquire(std::int64_t now_us, scheduler_effects& out) {
  for (auto* s : {&head_, &behind_})
    if (*s && (*s)->granted)
      launch(*s, now_us, out);
  if (paused_ || idle_.empty())
    return;
  const auto next = to_make_.pick(now_us, [this](const work_order& o) { return may_make(o); });
  if (!to_make_.empty()) {
    const auto& first = to_make_.pieces().begin()->first;
    if (auto& j = jobs_.at(first.job); lanes_.in_service(first.cls) == 0)
      say_waits(j, "no device", out);
    else if (j.waits == "no device")
      say_waits(j, {}, out);
  }
  if (head_ && next && *next < head_->order && !head_->granted)
    abandon(head_, out); // more urgent work has come
  if (!head_ && next && behind_ && behind_->order == *next)
    abandon(behind_, out); // its turn has come
  if (!head_ && next)
    begin(head_, *next, out);
  offer_bypass(out);
}

byte_counts scheduler_state::want_of(const job& j, const work_order& order) const {
  const auto& need = j.offer.need;
  return order.partition < 0 ? need.prepare : need.witness + need.keep + need.prove;
}

void scheduler_state::begin(slot& s, const work_order& order, scheduler_effects& out) {
  const auto& j = jobs_.at(order.job);
  acquisition a;
  a.order = order;
  a.circuit = j.offer.spec.circuit;
  a.want = want_of(j, order);
  s = a;
  if (&s == &behind_)
    return ask_memory(*s, true, out); // it takes no lease while it waits: the head may need the room
  use(a.circuit, order.cls, out);
  if (circuits_.at(a.circuit).has_memory)
    ask_memory(*s, false, out);
  else if (auto* waiting = find(order.job))
    say_waits(*waiting, "params loading", out);
}

void scheduler_state::ask_memory(acquisition& a, bool behind, scheduler_effects& out) {
  const auto& need = jobs_.at(a.order.job).offer.need;
  reserve_memory ask;
  ask.holder = budget_holder::scheduler;
  ask.id = a.reservation = reservation_id{next_reservation_++};
  ask.want = a.want;
  ask.cls = a.order.cls;
  ask.order = behind ? 1 : 0;
  ask.stays = a.order.partition < 0;
  if (!ask.stays)
    ask.first_part = need.witness + need.prove;
  ask.job = a.order.job;
  out.emplace_back(ask);
}

// While the head waits, one smaller piece whose key is there is offered to the ledger behind it; the ledger lets it
// pass only when that cannot delay the head.
void scheduler_state::offer_bypass(scheduler_effects& out) {
  if (!head_ || head_->granted || behind_)
    return;
  const bool for_key = head_->reservation == reservation_id{};
  if (idle_.size() < (for_key ? 1u : 2u))
    return; // the head will need the last synthesizer
  std::size_t depth = 64;
  for (const auto& [order, since] : to_make_.pieces()) {
    if (depth-- == 0)
      return;
    const auto& j = jobs_.at(order.job);
    const auto want = want_of(j, order);
    const bool smaller = want.fits(head_->want) && !(want == head_->want);
    if (order.job == head_->order.job || !has_key(j.offer.spec.circuit) || !(for_key || smaller) || !may_make(order))
      continue;
    begin(behind_, order, out);
    return;
  }
}

// Gives up a piece that was about to be taken: it stays in the queue.
void scheduler_state::abandon(slot& s, scheduler_effects& out) {
  const auto a = *std::exchange(s, std::nullopt);
  if (a.reservation != reservation_id{})
    out.emplace_back(release_memory{budget_holder::scheduler, a.reservation});
  if (&s == &head_)
    unuse(a.circuit, out);
}

// Memory is reserved: out of the queue and to an idle synthesizer. Without one it waits for the next.
void scheduler_state::launch(slot& s, std::int64_t now_us, scheduler_effects& out) {
  if (idle_.empty() || paused_)
    return;
  if (&s == &behind_ && !has_key(s->circuit))
    return abandon(s, out); // the key went while it waited
  const auto a = *std::exchange(s, std::nullopt);
  if (&s == &behind_)
    use(a.circuit, a.order.cls, out);
  auto& j = jobs_.at(a.order.job);
  aged_ += to_make_.take(a.order, now_us);
  bypasses_ += &s == &behind_;
  const auto index = *idle_.begin();
  idle_.erase(idle_.begin());
  say_waits(j, {}, out);
  if (a.order.partition < 0) {
    set_reading(j, reading::running);
    j.reservation = a.reservation;
    j.synthesizer = index;
    out.emplace_back(prepare_effect{index, {j.offer.job, j.offer.spec, j.offer.input_digest}, j.raw});
    return;
  }
  auto& it = j.items.at(static_cast<std::uint32_t>(a.order.partition));
  set_step(j, it, step::synthesizing);
  it.reservation = a.reservation;
  it.held = a.want;
  it.synthesizer = index;
  stamp(it, partition_mark::reserved, now_us, out);
  stamp(it, partition_mark::synthesizing, now_us, out);
  out.emplace_back(synthesize_effect{index, {it.ref, it.input_partition}, j.parsed});
}

scheduler_effects scheduler_state::granted(reservation_id id, std::int64_t now_us) {
  scheduler_effects out;
  for (auto* s : {&head_, &behind_})
    if (*s && (*s)->reservation == id)
      (*s)->granted = true;
  pump(now_us, out); // a grant of what was given up is undone by the release that is on its way
  return out;
}

scheduler_effects scheduler_state::refused(reservation_id id, const error& why, std::int64_t now_us) {
  scheduler_effects out;
  for (auto* s : {&head_, &behind_})
    if (*s && (*s)->reservation == id) {
      const auto id_of_job = (*s)->order.job;
      fail(*find(id_of_job), why, out);
      forget_if_over(id_of_job, out);
    }
  pump(now_us, out);
  return out;
}

void scheduler_state::use(const std::string& circuit, job_class cls, scheduler_effects& out) {
  auto& c = circuits_[circuit];
  ++c.users;
  if (!std::exchange(c.leased, true))
    out.emplace_back(lease_key{circuit, cls});
}

void scheduler_state::unuse(const std::string& circuit, scheduler_effects& out) {
  const auto it = circuits_.find(circuit);
  if (it == circuits_.end() || --it->second.users != 0)
    return;
  if (it->second.leased)
    out.emplace_back(release_key{circuit});
  circuits_.erase(it);
}

scheduler_effects scheduler_state::key_is_loading(const std::string& circuit, std::int64_t now_us) {
  scheduler_effects out;
  const auto it = circuits_.find(circuit);
  if (it == circuits_.end() || it->second.has_memory)
    return out;
  it->second.has_memory = true;
  if (head_ && head_->circuit == circuit && head_->reservation == reservation_id{})
    ask_memory(*head_, false, out);
  pump(now_us, out);
  return out;
}

scheduler_effects scheduler_state::key_is_ready(const key_ready& fact, key_handle key, std::int64_t now_us) {
  auto out = key_is_loading(fact.circuit, now_us);
  const auto it = circuits_.find(fact.circuit);
  if (it == circuits_.end())
    return out;
  it->second.key = std::move(key);
  pump(now_us, out);
  return out;
}

scheduler_effects scheduler_state::key_has_failed(const key_failed& fact, std::int64_t now_us) {
  scheduler_effects out;
  const auto it = circuits_.find(fact.circuit);
  if (it == circuits_.end())
    return out;
  it->second.leased = it->second.has_memory = false; // the next user asks again
  std::vector<job_id> hit;
  for (const auto& [id, j] : jobs_)
    if (j.offer.spec.circuit == fact.circuit)
      hit.push_back(id);
  for (const auto id : hit) {
    fail(*find(id), fact.why, out);
    forget_if_over(id, out);
  }
  pump(now_us, out);
  return out;
}

scheduler_effects scheduler_state::make_room(const please_evict& ask, std::int64_t now_us) {
  scheduler_effects out;
  pressure_ = ask.want;
  pump(now_us, out);
  return out;
}

// Parsed inputs of jobs that are not next are dropped, the last in the order first; they are read again in their turn.
void scheduler_state::relieve(scheduler_effects& out) {
  if (pressure_.empty() || !head_)
    return;
  std::vector<work_order> victims;
  for (const auto& [id, j] : jobs_) {
    const bool busy =
      std::any_of(j.items.begin(), j.items.end(), [](const auto& x) { return x.second.at == step::synthesizing; });
    if (j.input == reading::done && !busy && id != head_->order.job)
      victims.push_back(order_of(j, -1));
  }
  std::sort(victims.rbegin(), victims.rend());
  for (const auto& v : victims) {
    if (pressure_.host == 0 || v < head_->order)
      break;
    if (behind_ && behind_->order.job == v.job) {
      if (behind_->granted)
        continue;
      abandon(behind_, out);
    }
    auto& j = jobs_.at(v.job);
    pressure_.host -= std::min(pressure_.host, j.offer.need.prepare.host);
    for (const auto& [k, it] : j.items)
      to_make_.remove(order_of(j, k));
    drop_parsed(j, out);
    queue_work(j);
  }
}

scheduler_effects scheduler_state::synthesized(const partition_synthesized& fact, witness_handle work,
                                               std::int64_t now_us) {
  scheduler_effects out;
  auto* it = find(fact.ref);
  if (it == nullptr || it->at != step::synthesizing)
    return out;
  auto& j = jobs_.at(fact.ref.job);
  free_synthesizer(it->synthesizer);
  if (it->unwanted) {
    remove_item(j, *it, out);
  } else {
    set_step(j, *it, step::ready);
    it->work = std::move(work);
    stamp(*it, partition_mark::synthesized, now_us, out);
    ready_.add(order_of(j, fact.ref.partition), j.queued_us);
    if (!circuits_.at(j.offer.spec.circuit).has_memory)
      give_up_witness(j, *it, now_us, out); // param_store was replaced meanwhile
  }
  drop_parsed_if_used(j, out);
  forget_if_over(fact.ref.job, out);
  pump(now_us, out);
  return out;
}

scheduler_effects scheduler_state::synthesis_has_failed(const synthesis_failed& fact, std::int64_t now_us) {
  scheduler_effects out;
  auto* j = find(fact.ref.job);
  if (j == nullptr)
    return out;
  if (fact.ref.attempt == 0 && j->input == reading::running) {
    free_synthesizer(j->synthesizer);
    unuse(j->offer.spec.circuit, out);
    set_reading(*j, reading::done); // holds its reservation until the job is forgotten
    fail(*j, fact.why, out);
  } else if (auto* it = find(fact.ref); it != nullptr && it->at == step::synthesizing) {
    free_synthesizer(it->synthesizer);
    const bool unwanted = it->unwanted;
    remove_item(*j, *it, out);
    if (!unwanted)
      fail(*j, fact.why, out);
    drop_parsed_if_used(*j, out);
  }
  forget_if_over(fact.ref.job, out);
  pump(now_us, out);
  return out;
}

} // namespace cuzk
