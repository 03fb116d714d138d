#include "actors/budget_state.hpp"

#include "messages/names.hpp"

#include <algorithm>
#include <string>

namespace cuzk {

namespace {

byte_counts minus_floor(const byte_counts& a, const byte_counts& b) {
  const auto sub = [](std::uint64_t x, std::uint64_t y) { return x > y ? x - y : 0; };
  return {sub(a.host, b.host), sub(a.pinned, b.pinned), sub(a.device, b.device)};
}

byte_counts at_most(const byte_counts& a, const byte_counts& b) {
  return {std::min(a.host, b.host), std::min(a.pinned, b.pinned), std::min(a.device, b.device)};
}

std::string in_words(const byte_counts& c) {
  std::string out = human_bytes(c.host) + " host";
  if (c.pinned != 0)
    out += ", " + human_bytes(c.pinned) + " pinned";
  if (c.device != 0)
    out += ", " + human_bytes(c.device) + " device";
  return out;
}

} // namespace

budget_state::queue_key budget_state::key_of(const entry& e) {
  return {e.passed < max_passes, e.ask.cls, e.ask.order, e.arrival};
}

byte_counts budget_state::free() const {
  return minus_floor(total_, reserved_);
}

void budget_state::grant(entry& e, budget_effects& out) {
  e.granted = true;
  e.held = e.ask.want;
  reserved_ += e.held;
  peak_ = {std::max(peak_.host, reserved_.host), std::max(peak_.pinned, reserved_.pinned),
           std::max(peak_.device, reserved_.device)};
  if (!e.ask.held_already)
    out.emplace_back(grant_effect{e.ask.holder, {e.ask.id}});
}

budget_effects budget_state::reserve(const reserve_memory& ask) {
  budget_effects out;
  const id_key id{ask.holder, ask.id};
  if (entries_.count(id) != 0)
    return {refuse_effect{ask.holder, {ask.id, internal_error("reservation id is in use")}}};
  if (!ask.held_already && !ask.want.fits(total_)) {
    auto why = error{errc::resources, "needs " + in_words(ask.want) + ", the whole budget is " + in_words(total_)};
    return {refuse_effect{ask.holder, {ask.id, std::move(why)}}};
  }
  auto& e = entries_[id];
  e.ask = ask;
  e.arrival = ++arrivals_;
  if (ask.held_already)
    grant(e, out);
  else
    waiting_.emplace(key_of(e), id);
  pump(out);
  return out;
}

budget_effects budget_state::release(const release_memory& back) {
  budget_effects out;
  const auto it = entries_.find({back.holder, back.id});
  if (it == entries_.end())
    return out;
  auto& e = it->second;
  if (back.all) {
    drop(it);
  } else if (e.granted) {
    const auto part = at_most(back.part, e.held);
    e.held -= part;
    reserved_ -= part;
    e.parted = true;
  }
  pump(out);
  return out;
}

void budget_state::drop(std::map<id_key, entry>::iterator it) {
  if (it->second.granted)
    reserved_ -= it->second.held;
  else
    waiting_.erase(key_of(it->second));
  entries_.erase(it);
}

budget_effects budget_state::holder_died(budget_holder holder) {
  budget_effects out;
  for (auto it = entries_.begin(); it != entries_.end();) {
    const auto here = it++;
    if (here->first.first == holder)
      drop(here);
  }
  pump(out);
  return out;
}

void budget_state::pump(budget_effects& out) {
  while (!waiting_.empty()) {
    const auto head = waiting_.begin();
    auto& first = entries_.at(head->second);
    if (first.ask.want.fits(free())) {
      waiting_.erase(head);
      grant(first, out);
      continue;
    }
    const auto passer = std::find_if(std::next(head), waiting_.end(),
                                     [&](const auto& w) { return may_pass(entries_.at(w.second), first); });
    if (passer == waiting_.end())
      break;
    auto& winner = entries_.at(passer->second);
    const auto key = passer->first;
    waiting_.erase(passer);
    grant(winner, out);
    pass(key);
  }
  note_pressure(out);
}

// Everyone who stood before the winner was passed once.
void budget_state::pass(const queue_key& winner) {
  std::vector<std::pair<queue_key, id_key>> passed(waiting_.begin(), waiting_.lower_bound(winner));
  for (const auto& [key, id] : passed) {
    auto& e = entries_.at(id);
    ++e.passed;
    if (key_of(e) == key)
      continue;
    waiting_.erase(key);
    waiting_.emplace(key_of(e), id);
  }
}

bool budget_state::may_pass(const entry& candidate, const entry& head) const {
  const auto room = free();
  if (head.passed >= max_passes || !candidate.ask.want.fits(room))
    return false;
  const auto left = room - candidate.ask.want;
  const auto missing = minus_floor(head.ask.want, left);
  // Kinds the head lacks even without the candidate decide; others must still fit beside it.
  const auto lacked = minus_floor(head.ask.want, room);
  const auto untouched = [](std::uint64_t now, std::uint64_t before) { return now == before; };
  if (untouched(missing.host, lacked.host) && untouched(missing.pinned, lacked.pinned) &&
      untouched(missing.device, lacked.device))
    return true;
  return !candidate.ask.stays && next_release_suffices(missing);
}

// Whichever granted work ends next, it gives back at least `missing`. What stays for an unknown time does not count.
bool budget_state::next_release_suffices(const byte_counts& missing) const {
  bool any = false;
  for (const auto& [id, e] : entries_) {
    if (!e.granted || e.ask.stays)
      continue;
    if (!missing.fits(e.parted || e.ask.first_part.empty() ? e.held : e.ask.first_part))
      return false;
    any = true;
  }
  return any;
}

// Tells the holders what the head lacks, and the tracker which job waits, when either changes.
void budget_state::note_pressure(budget_effects& out) {
  byte_counts lacked;
  job_id waits{};
  if (!waiting_.empty()) {
    const auto& head = entries_.at(waiting_.begin()->second);
    lacked = minus_floor(head.ask.want, free());
    waits = head.ask.job;
  }
  if (!(lacked == pressure_)) {
    pressure_ = lacked;
    out.emplace_back(please_evict{lacked});
  }
  if (waits == told_waiting_)
    return;
  told_waiting_ = waits;
  if (waits != job_id{})
    out.emplace_back(job_waits{waits, "memory"});
}

budget_status budget_state::status() const {
  budget_status out;
  out.total = total_;
  out.reserved = reserved_;
  out.peak = peak_;
  for (const auto holder : {budget_holder::scheduler, budget_holder::param_store}) {
    holder_status h;
    h.holder = holder;
    for (const auto& [id, e] : entries_) {
      if (id.first != holder)
        continue;
      (e.granted ? h.reservations : h.waiting) += 1;
      h.held += e.held;
    }
    out.granted += h.reservations;
    out.waiting += h.waiting;
    out.holders.push_back(h);
  }
  return out;
}

} // namespace cuzk
