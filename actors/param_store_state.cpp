#include "actors/param_store_state.hpp"

#include "messages/names.hpp"

#include <algorithm>

namespace cuzk {

namespace {

std::uint64_t beyond(std::uint64_t a, std::uint64_t b) {
  return a > b ? a - b : 0;
}
byte_counts surplus(const byte_counts& a, const byte_counts& b) {
  return {beyond(a.host, b.host), beyond(a.pinned, b.pinned), beyond(a.device, b.device)};
}
params_reply refusal(errc code, std::string text) {
  return {cuzk::refused({code, std::move(text)})};
}

} // namespace

reserve_memory param_store_state::ask_for(const entry& e) const {
  reserve_memory ask;
  ask.holder = budget_holder::param_store;
  ask.id = e.reservation;
  ask.want = e.size;
  ask.cls = e.cls;
  ask.stays = true;
  ask.held_already = e.state != key_state::waiting_for_memory;
  return ask;
}

param_store_state::entry& param_store_state::create(const std::string& circuit, const byte_counts& size, job_class cls,
                                                    std::int64_t now_us, param_effects& out) {
  auto& e = entries_[circuit];
  e.reservation = reservation_id{next_id_++};
  e.size = size;
  e.cls = cls;
  e.asked_us = e.idle_since_us = now_us;
  out.emplace_back(ask_for(e));
  return e;
}

param_effects param_store_state::lease(const lease_key& ask, const result<byte_counts>& size, std::int64_t now_us) {
  param_effects out;
  auto it = entries_.find(ask.circuit);
  if (it == entries_.end()) {
    if (!size)
      return {key_failed{ask.circuit, size.err()}};
    create(ask.circuit, *size, ask.cls, now_us, out).leases = 1;
    return out;
  }
  auto& e = it->second;
  ++e.leases;
  if (e.state == key_state::loading)
    out.emplace_back(key_loading{ask.circuit});
  if (e.state == key_state::loaded)
    out.emplace_back(key_ready_effect{{ask.circuit, e.test_key}, e.key});
  return out;
}

param_effects param_store_state::release(const release_key& back, std::int64_t now_us) {
  param_effects out;
  const auto it = entries_.find(back.circuit);
  if (it == entries_.end() || it->second.leases == 0)
    return out;
  auto& e = it->second;
  --e.leases;
  e.idle_since_us = now_us;
  if (idle(e) && e.state == key_state::waiting_for_memory)
    drop(it, out);
  relieve(out);
  return out;
}

param_effects param_store_state::preload(std::uint64_t ticket, const std::string& circuit,
                                         const result<byte_counts>& size, std::int64_t now_us) {
  param_effects out;
  const auto it = entries_.find(circuit);
  if (it == entries_.end() && !size)
    return {params_answer{ticket, {cuzk::refused(size.err())}}};
  auto& e = it != entries_.end() ? it->second : create(circuit, *size, job_class::bulk, now_us, out);
  e.pinned = true;
  if (e.state == key_state::loaded)
    out.emplace_back(params_answer{ticket, {outcome{}, e.size.host + e.size.pinned + e.size.device, 0}});
  else
    e.preloads.push_back(ticket);
  return out;
}

param_effects param_store_state::evict(std::uint64_t ticket, const std::string& circuit) {
  param_effects out;
  const auto it = entries_.find(circuit);
  if (it == entries_.end())
    return {params_answer{ticket, refusal(errc::not_found, circuit + " is not loaded")}};
  auto& e = it->second;
  if (e.leases != 0)
    return {params_answer{ticket, refusal(errc::conflict, circuit + " is in use by " + std::to_string(e.leases) +
                                                            (e.leases == 1 ? " job" : " jobs"))}};
  if (e.state != key_state::loaded)
    return {params_answer{ticket, refusal(errc::conflict, circuit + " is being loaded")}};
  params_answer answer{ticket, {outcome{}, e.size.host + e.size.pinned + e.size.device, 0}};
  drop(it, out);
  ++evictions_;
  out.emplace_back(answer);
  return out;
}

param_store_state::entry_map::iterator param_store_state::find(reservation_id id) {
  return std::find_if(entries_.begin(), entries_.end(), [id](const auto& x) { return x.second.reservation == id; });
}

param_effects param_store_state::granted(reservation_id id) {
  param_effects out;
  const auto it = find(id);
  if (it == entries_.end())
    return {release_memory{budget_holder::param_store, id}}; // dropped while it waited
  if (it->second.state == key_state::waiting_for_memory) {
    start_load(it->first, it->second, out);
    if (it->second.leases != 0)
      out.emplace_back(key_loading{it->first});
  }
  return out;
}

param_effects param_store_state::refused(reservation_id id, const error& why) {
  param_effects out;
  const auto it = find(id);
  if (it != entries_.end())
    fail(it, why, out);
  return out;
}

void param_store_state::start_load(const std::string& circuit, entry& e, param_effects& out) {
  e.state = key_state::loading;
  e.load = next_load_++;
  ++loads_;
  out.emplace_back(load_key{circuit, e.load});
}

param_effects param_store_state::loaded(const key_loaded& fact, key_handle key, std::int64_t now_us) {
  param_effects out;
  const auto it = entries_.find(fact.circuit);
  if (it == entries_.end() || it->second.load != fact.load || it->second.state != key_state::loading)
    return out; // an answer nobody waits for
  auto& e = it->second;
  e.state = key_state::loaded;
  e.key = std::move(key);
  e.test_key = fact.test_key;
  e.path = fact.path;
  e.idle_since_us = now_us;
  const auto less = surplus(e.size, fact.size);
  if (!less.empty()) {
    out.emplace_back(release_memory{budget_holder::param_store, e.reservation, false, less});
    e.size -= less;
  }
  const auto took_ms = (now_us - e.asked_us) / 1000;
  const auto total = e.size.host + e.size.pinned + e.size.device;
  for (const auto ticket : e.preloads)
    out.emplace_back(params_answer{ticket, {outcome{}, total, took_ms}});
  e.preloads.clear();
  if (e.leases != 0)
    out.emplace_back(key_ready_effect{{fact.circuit, e.test_key}, e.key});
  out.emplace_back(log_line{log_severity::info, "key-loaded",
                            "circuit=" + fact.circuit + " bytes=" + std::to_string(total) +
                              " ms=" + std::to_string(took_ms) + " test_key=" + (e.test_key ? "true" : "false")});
  relieve(out);
  return out;
}

param_effects param_store_state::load_failed(const key_load_failed& fact) {
  param_effects out;
  const auto it = entries_.find(fact.circuit);
  if (it != entries_.end() && it->second.load == fact.load && it->second.state == key_state::loading)
    fail(it, fact.why, out);
  return out;
}

void param_store_state::fail(entry_map::iterator it, const error& why, param_effects& out) {
  const auto circuit = it->first;
  const auto e = std::move(it->second);
  entries_.erase(it);
  out.emplace_back(release_memory{budget_holder::param_store, e.reservation});
  for (const auto ticket : e.preloads)
    out.emplace_back(params_answer{ticket, {cuzk::refused(why)}});
  if (e.leases != 0)
    out.emplace_back(key_failed{circuit, why});
  out.emplace_back(log_line{log_severity::warn, "key-failed",
                            "circuit=" + circuit + " code=" + to_string(why.code) + " why=\"" + why.text + "\""});
}

void param_store_state::drop(entry_map::iterator it, param_effects& out) {
  out.emplace_back(release_memory{budget_holder::param_store, it->second.reservation});
  entries_.erase(it);
}

param_effects param_store_state::make_room(const please_evict& ask) {
  param_effects out;
  pressure_ = ask.want;
  relieve(out);
  return out;
}

// Evicts idle keys, the one unused longest first, until what is lacked is free or none is left.
void param_store_state::relieve(param_effects& out) {
  while (!pressure_.empty()) {
    auto oldest = entries_.end();
    for (auto it = entries_.begin(); it != entries_.end(); ++it) {
      const auto& e = it->second;
      const bool helps = (pressure_.host != 0 && e.size.host != 0) || (pressure_.pinned != 0 && e.size.pinned != 0) ||
                         (pressure_.device != 0 && e.size.device != 0);
      if (e.state == key_state::loaded && idle(e) && helps &&
          (oldest == entries_.end() || e.idle_since_us < oldest->second.idle_since_us))
        oldest = it;
    }
    if (oldest == entries_.end())
      return;
    pressure_ = surplus(pressure_, oldest->second.size);
    out.emplace_back(log_line{log_severity::info, "key-evicted", "circuit=" + oldest->first});
    drop(oldest, out);
    ++evictions_;
  }
}

param_effects param_store_state::scheduler_replaced(std::int64_t now_us) {
  param_effects out;
  for (auto it = entries_.begin(); it != entries_.end();) {
    const auto here = it++;
    if (here->second.leases == 0)
      continue;
    here->second.leases = 0;
    here->second.idle_since_us = now_us;
    if (idle(here->second) && here->second.state == key_state::waiting_for_memory)
      drop(here, out);
  }
  relieve(out);
  return out;
}

param_effects param_store_state::loader_replaced() {
  param_effects out;
  for (auto& [circuit, e] : entries_)
    if (e.state == key_state::loading)
      start_load(circuit, e, out);
  return out;
}

param_effects param_store_state::budget_replaced() {
  param_effects out;
  pressure_ = {};
  for (const auto& [circuit, e] : entries_)
    out.emplace_back(ask_for(e));
  return out;
}

params_status param_store_state::status() const {
  params_status out;
  out.cache_dir = cache_dir_;
  out.loads = loads_;
  out.evictions = evictions_;
  for (const auto& [circuit, e] : entries_) {
    key_status k;
    k.circuit = circuit;
    k.state = e.state;
    k.size = e.size;
    k.leases = e.leases;
    k.pinned = e.pinned;
    k.test_key = e.test_key;
    k.path = e.path;
    out.keys.push_back(k);
  }
  return out;
}

} // namespace cuzk
