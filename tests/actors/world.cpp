#include "tests/actors/world.hpp"

#include <algorithm>

namespace cuzk::test {

namespace {

template <class... Fs>
struct overload : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
overload(Fs...) -> overload<Fs...>;

struct fake_input : prepared_input {};
struct fake_witness : partition_witness {};
struct fake_key : loaded_key {};

std::string nth(const char* name, std::uint32_t i) {
  return name + std::to_string(i);
}

/// The one right proof of a partition.
proof_bytes proof_of(const partition_ref& ref) {
  proof_bytes p{};
  p[0] = static_cast<std::uint8_t>(number(ref.job));
  p[1] = static_cast<std::uint8_t>(number(ref.job) >> 8);
  p[2] = static_cast<std::uint8_t>(ref.partition);
  return p;
}

} // namespace

world::world(world_options options, durable& disk) : options_(options), disk_(disk), random_(options.seed) {
  options_.scheduler.synthesizers = options_.synthesizers;
  options_.scheduler.finalizers = options_.finalizers;
  circuits["porep-2k"] = {3, {{20, 0, 0}, {50, 0, 0}, {5, 0, 0}, {20, 0, 0}, {200, 0, 0}}, 2000, 10'000, 50'000};
  circuits["snap-2k"] = {2, {{10, 0, 0}, {90, 0, 0}, {5, 0, 0}, {30, 0, 0}, {300, 0, 0}}, 3000, 15'000, 90'000};
  circuits["window-2k"] = {3, {{10, 0, 0}, {60, 0, 0}, {5, 0, 0}, {10, 0, 0}, {150, 0, 0}}, 1500, 8'000, 40'000};
  circuits["winning-2k"] = {1, {{5, 0, 0}, {10, 0, 0}, {5, 0, 0}, {5, 0, 0}, {50, 0, 0}}, 300, 2'000, 5'000};
  budget_ = std::make_unique<budget_state>(options_.memory);
  params_ = std::make_unique<param_store_state>("cache");
  for (std::uint32_t i = 0; i < options_.lanes; ++i) {
    lane_model l;
    l.info.lane = lane_id{i};
    l.info.name = nth("lane", i);
    l.info.device = "cpu";
    lanes_.push_back(l);
  }
  synths_.resize(options_.synthesizers);
  start_scheduler();
  start_tracker();
}

work_need world::need_of(const std::string& circuit) const {
  return circuits.at(circuit).need;
}

void world::send(const std::string& from, const std::string& to, std::function<void()> f) {
  auto& last = channels_[{from, to}];
  last = std::max(last, now_ + static_cast<std::int64_t>(random_() % 50));
  const auto known = known_.try_emplace({from, to}, generation_[to]).first->second;
  at(last, [this, to, known, f = std::move(f)] {
    if (generation_[to] == known)
      f();
  });
}

void world::tell_death(const std::string& dead, const std::string& to, std::function<void()> f) {
  auto& news = channels_[{"node", to}];
  auto& last_words = channels_[{dead, to}];
  news = std::max(news, last_words + 1);
  known_[{"node", to}] = generation_[to];
  send("node", to, [this, dead, to, f = std::move(f)] {
    known_[{to, dead}] = generation_[dead];
    f();
  });
  last_words = news;
}

// The actor dies and has a successor, who knows everyone.
void world::replace(const std::string& who) {
  ++generation_[who];
  for (auto it = known_.begin(); it != known_.end();)
    it = it->first.first == who ? known_.erase(it) : std::next(it);
}

bool world::step() {
  if (events_.empty())
    return false;
  auto e = events_.top();
  events_.pop();
  now_ = std::max(now_, e.at);
  ++steps_;
  e.run();
  arm_timers();
  return true;
}

void world::arm_timers() {
  const auto arm = [this](std::int64_t& armed, std::optional<std::int64_t> due, auto tick) {
    if (!due || (armed >= now_ && armed <= *due && armed != -1))
      return;
    armed = std::max(*due, now_);
    at(armed, [&armed, tick] {
      armed = -1;
      tick();
    });
  };
  arm(tracker_timer_, tracker_->next_wakeup(), [this] { apply(tracker_->tick(moment_now())); });
  arm(scheduler_timer_, scheduler_->next_wakeup(), [this] { apply(scheduler_->tick(now_)); });
}

void world::start_tracker() {
  replace("tracker");
  tracker_ = std::make_unique<tracker_state>(options_.tracker, options_.memory);
  submits_.clear();
  send("tracker", "journal", [this] {
    commit(std::exchange(journal_queue_, {}), false);
    at(now_ + 100, [this, generation = generation_["tracker"]] { // the journal answers who asked
      if (generation == generation_["tracker"])
        restore();
    });
  });
}

// Job by job, as the store tells them.
void world::restore() {
  journal_contents c;
  std::set<job_id> gone;
  for (const auto& f : disk_.facts)
    if (f.type == fact_type::forgotten)
      gone.insert(f.job);
  for (const auto& f : disk_.facts) {
    c.next_job = std::max(c.next_job, number(f.job) + 1);
    if (gone.count(f.job) == 0)
      c.facts.push_back(f);
  }
  std::stable_sort(c.facts.begin(), c.facts.end(), [](const journal_fact& a, const journal_fact& b) {
    return std::tie(a.job, a.type) < std::tie(b.job, b.type);
  });
  const auto need = [this](const std::string& name) { return result<work_need>(need_of(name)); };
  apply(tracker_->restore(c, need, moment_now()));
  apply(tracker_->phase(node_phase::serving, moment_now()));
}

void world::start_scheduler() {
  replace("scheduler");
  scheduler_ = std::make_unique<scheduler_state>(options_.scheduler);
  // The node tells workers of the new scheduler: they drop what the old one ordered.
  for (std::uint32_t i = 0; i < synths_.size(); ++i) {
    replace(nth("synth", i));
    ++synths_[i].run;
    synths_[i].busy = false;
  }
  for (auto& l : lanes_) {
    replace(l.info.name);
    ++l.run;
    l.running = false;
    l.waiting.clear();
    l.held = 0;
    send(l.info.name, "scheduler", [this, info = l.info] { apply(scheduler_->lane_joined(info, now_)); });
  }
}

void world::submit(const std::string& request, const std::string& circuit, job_spec spec) {
  submit_job ask;
  ask.request_id = request;
  ask.spec = std::move(spec);
  ask.spec.circuit = circuit;
  ask.payload_digest[0] = static_cast<std::uint8_t>(std::hash<std::string>{}(circuit));
  ask.input_bytes = 10;
  disk_.asked[request] = ask;
  at(now_ + 300, [this, request, ask] {
    send("client", "tracker", [this, request, ask] {
      const auto to = ticket{next_ticket_++};
      submits_[to] = request;
      apply(tracker_->submit(to, ask, {std::make_shared<const bytes>(10)}, moment_now()));
    });
  });
}

void world::cancel(const std::string& request) {
  const auto it = disk_.accepted.find(request);
  if (it == disk_.accepted.end())
    return;
  send("client", "tracker", [this, id = it->second] {
    apply(tracker_->cancel(ticket{next_ticket_++}, {id, "test"}, moment_now()));
  });
}

void world::set_phase(node_phase p) {
  send("node", "tracker", [this, p] { apply(tracker_->phase(p, moment_now())); });
  send("node", "scheduler", [this, p] { apply(scheduler_->phase(p, now_)); });
}

// What the node does when an actor dies.
void world::kill(actor_role role, std::uint32_t index) {
  const auto tell_scheduler = [&](const std::string& dead) {
    tell_death(dead, "scheduler", [this, role, index] { apply(scheduler_->replaced({role, index, "test"}, now_)); });
  };
  switch (role) {
  case actor_role::tracker:
    kill(actor_role::scheduler, 0);
    for (const auto& who : {nth("final", 0), nth("final", 1), std::string("scheduler"), std::string("budget"),
                            std::string("journal"), std::string("client")})
      tell_death("tracker", who, [] {});
    start_tracker();
    break;
  case actor_role::scheduler:
    tell_death("scheduler", "budget", [this] { apply(budget_->holder_died(budget_holder::scheduler)); });
    tell_death("scheduler", "params", [this] { apply(params_->scheduler_replaced(now_)); });
    tell_death("scheduler", "tracker", [this] { apply(tracker_->scheduler_replaced(moment_now())); });
    for (std::uint32_t i = 0; i < options_.finalizers; ++i)
      tell_death("scheduler", nth("final", i), [] {});
    start_scheduler();
    break;
  case actor_role::budget:
    replace("budget");
    budget_ = std::make_unique<budget_state>(options_.memory);
    tell_scheduler("budget");
    tell_death("budget", "params", [this] { apply(params_->budget_replaced()); });
    break;
  case actor_role::param_store:
    replace("params");
    params_ = std::make_unique<param_store_state>("cache");
    tell_death("params", "budget", [this] { apply(budget_->holder_died(budget_holder::param_store)); });
    tell_death("params", "loader", [] {}); // it answers who asked
    tell_scheduler("params");
    break;
  case actor_role::key_loader:
    replace("loader");
    tell_death("loader", "params", [this] { apply(params_->loader_replaced()); });
    break;
  case actor_role::synthesizer:
    replace(nth("synth", index));
    ++synths_[index].run;
    synths_[index].busy = false;
    tell_scheduler(nth("synth", index));
    break;
  case actor_role::lane: {
    auto& l = lanes_[index];
    replace(l.info.name);
    ++l.run;
    l.running = false;
    l.waiting.clear();
    l.held = 0;
    tell_death(l.info.name, "scheduler", [this, index, info = l.info] {
      apply(scheduler_->replaced({actor_role::lane, index, "test"}, now_));
      apply(scheduler_->lane_joined(info, now_));
    });
    break;
  }
  case actor_role::finalizer:
    replace(nth("final", index));
    for (const auto& l : lanes_)
      tell_death(nth("final", index), l.info.name, [] {});
    tell_scheduler(nth("final", index));
    break;
  case actor_role::journal:
    replace("journal");
    journal_queue_.clear();
    journal_busy_ = false;
    tell_death("journal", "tracker", [this] { apply(tracker_->journal_replaced(moment_now())); });
    break;
  case actor_role::telemetry: break;
  }
}

// Facts told twice are kept once.
void world::commit(const std::vector<append_effect>& batch, bool refuse) {
  facts_stored good;
  facts_refused bad;
  bad.why = {errc::resources, "disk full"};
  for (const auto& b : batch)
    for (const auto& f : b.facts.facts) {
      (refuse ? bad.seqs : good.seqs).push_back(f.seq);
      const bool told = std::any_of(disk_.facts.begin(), disk_.facts.end(), [&](const journal_fact& k) {
        return k.type == f.type && k.job == f.job && k.partition == f.partition && f.type == fact_type::accepted;
      });
      if (!refuse && !told)
        disk_.facts.push_back(f);
    }
  send("journal", "tracker", [this, good, bad, refuse] {
    apply(refuse ? tracker_->store_refused(bad, moment_now()) : tracker_->stored(good, moment_now()));
  });
}

void world::journal_append(const append_effect& e) {
  journal_queue_.push_back(e);
  if (std::exchange(journal_busy_, true))
    return;
  at(now_ + 1000, [this, generation = generation_["journal"]] {
    if (generation != generation_["journal"])
      return;
    journal_busy_ = false;
    commit(std::exchange(journal_queue_, {}), chance(options_.journal_refusal));
  });
}

void world::apply(const tracker_effects& effects) {
  for (const auto& effect : effects)
    std::visit(overload{
                 [this](const inspect_effect& e) {
                   input_inspected fact;
                   fact.job = e.job;
                   fact.circuit = e.spec.circuit;
                   fact.kind = e.spec.circuit.substr(0, e.spec.circuit.find('-'));
                   if (circuits.count(e.spec.circuit) != 0)
                     fact.need = need_of(e.spec.circuit);
                   else
                     fact.result = refused(bad_input("circuit", "unknown"));
                   at(now_ + jitter(200), [this, fact, generation = generation_["tracker"]] {
                     if (generation == generation_["tracker"])
                       apply(tracker_->inspected(fact, moment_now()));
                   });
                 },
                 [this](const append_effect& e) { send("tracker", "journal", [this, e] { journal_append(e); }); },
                 [this](const offer_effect& e) {
                   send("tracker", "scheduler", [this, e] { apply(scheduler_->offer(e.offer, e.input, now_)); });
                 },
                 [this](const withdraw_job& e) {
                   send("tracker", "scheduler", [this, e] { apply(scheduler_->withdraw(e.job, now_)); });
                 },
                 [this](const submit_answer& e) {
                   submit_replies.push_back(e.reply);
                   const auto request = submits_[e.to];
                   if (!e.reply.result.ok)
                     return;
                   const auto [it, fresh] = disk_.accepted.emplace(request, e.reply.job);
                   expect(it->second == e.reply.job, request + " got two job numbers");
                   request_of_[e.reply.job] = request;
                 },
                 [](const report_answer&) {},
                 [this](const cancel_answer& e) { cancel_replies.push_back(e.reply); },
                 [this](const job_event& e) {
                   if (is_final(e.state) && (e.what == "done" || e.what == "failed" || e.what == "cancelled"))
                     ++finals[std::to_string(number(e.job))];
                 },
                 [](const partition_stamp&) {},
                 [this](const work_left& e) { work_left_told = e.jobs; },
                 [this](const log_line& e) { log.push_back(e); },
               },
               effect);
}

void world::apply(const scheduler_effects& effects) {
  for (const auto& effect : effects)
    std::visit(
      overload{
        [this](const prepare_effect& e) {
          send("scheduler", nth("synth", e.index), [this, e] {
            const auto& c = circuits.at(e.order.spec.circuit);
            const bool bad = chance(options_.synth_error / 2);
            synth_order(e.index, c.synth_us / 2, [this, e, bad, n = c.partitions] {
              if (bad)
                return apply(scheduler_->synthesis_has_failed({{e.order.job, 0, 0}, bad_input("x", "y")}, now_));
              apply(scheduler_->prepared({e.order.job, n, "unchecked", 1}, {std::make_shared<fake_input>()}, now_));
            });
          });
        },
        [this](const synthesize_effect& e) {
          send("scheduler", nth("synth", e.index), [this, e] {
            expect(e.input.input != nullptr, "synthesis without an input");
            const auto took = circuits.begin()->second.synth_us;
            const bool bad = chance(options_.synth_error);
            synth_order(e.index, took, [this, e, bad] {
              if (bad)
                return apply(scheduler_->synthesis_has_failed({e.order.ref, internal_error("test")}, now_));
              apply(scheduler_->synthesized({e.order.ref, 1}, {std::make_shared<fake_witness>(), {}, {}}, now_));
            });
          });
        },
        [](const cancel_synthesis_effect&) {},
        [this](const prove_effect& e) {
          dispatched.push_back(e.order.ref);
          auto& l = lanes_[number(e.lane)];
          send("scheduler", l.info.name, [this, &l, e] { lane_order(l, e); });
        },
        [this](const cancel_lane_effect& e) {
          auto& l = lanes_[number(e.lane)];
          send("scheduler", l.info.name, [this, &l, e] { lane_cancel(l, e.order); });
        },
        [this](const reserve_memory& e) { send("scheduler", "budget", [this, e] { apply(budget_->reserve(e)); }); },
        [this](const release_memory& e) { send("scheduler", "budget", [this, e] { apply(budget_->release(e)); }); },
        [this](const lease_key& e) {
          send("scheduler", "params",
               [this, e] { apply(params_->lease(e, result<byte_counts>(need_of(e.circuit).key), now_)); });
        },
        [this](const release_key& e) { send("scheduler", "params", [this, e] { apply(params_->release(e, now_)); }); },
        [this](const job_prepared& e) {
          send("scheduler", "tracker", [this, e] { apply(tracker_->prepared(e, moment_now())); });
        },
        [this](const job_unprovable& e) {
          send("scheduler", "tracker", [this, e] { apply(tracker_->unprovable(e, moment_now())); });
        },
        [this](const job_withdrawn& e) {
          send("scheduler", "tracker", [this, e] { apply(tracker_->withdrawn(e, moment_now())); });
        },
        [this](const job_waits& e) {
          send("scheduler", "tracker", [this, e] { apply(tracker_->waits(e, moment_now())); });
        },
        [this](const partition_stamp& e) {
          send("scheduler", "tracker", [this, e] { apply(tracker_->stamped(e, moment_now())); });
        },
        [this](const log_line& e) { log.push_back(e); },
      },
      effect);
}

void world::apply(const budget_effects& effects) {
  const auto s = budget_->status();
  for (const auto& effect : effects)
    std::visit(overload{
                 [this](const grant_effect& e) {
                   if (e.holder == budget_holder::scheduler)
                     send("budget", "scheduler", [this, e] { apply(scheduler_->granted(e.fact.id, now_)); });
                   else
                     send("budget", "params", [this, e] { apply(params_->granted(e.fact.id)); });
                 },
                 [this](const refuse_effect& e) {
                   if (e.holder == budget_holder::scheduler)
                     send("budget", "scheduler",
                          [this, e] { apply(scheduler_->refused(e.fact.id, e.fact.why, now_)); });
                   else
                     send("budget", "params", [this, e] { apply(params_->refused(e.fact.id, e.fact.why)); });
                 },
                 [this](const please_evict& e) {
                   send("budget", "params", [this, e] { apply(params_->make_room(e)); });
                   send("budget", "scheduler", [this, e] { apply(scheduler_->make_room(e, now_)); });
                 },
                 [this](const job_waits& e) {
                   send("budget", "tracker", [this, e] { apply(tracker_->waits(e, moment_now())); });
                 },
               },
               effect);
  byte_counts sum;
  for (const auto& h : s.holders)
    sum += h.held;
  expect(sum == s.reserved, "the ledger does not add up");
}

void world::apply(const param_effects& effects) {
  for (const auto& effect : effects)
    std::visit(
      overload{
        [this](const reserve_memory& e) { send("params", "budget", [this, e] { apply(budget_->reserve(e)); }); },
        [this](const release_memory& e) { send("params", "budget", [this, e] { apply(budget_->release(e)); }); },
        [this](const load_key& e) {
          send("params", "loader", [this, e] {
            at(now_ + jitter(circuits.at(e.circuit).load_us), [this, e, g = generation_["loader"]] {
              if (g != generation_["loader"])
                return;
              send("loader", "params", [this, e] {
                apply(params_->loaded({e.circuit, e.load, need_of(e.circuit).key, false, "p"},
                                      {std::make_shared<fake_key>()}, now_));
              });
            });
          });
        },
        [this](const key_loading& e) {
          send("params", "scheduler", [this, e] { apply(scheduler_->key_is_loading(e.circuit, now_)); });
        },
        [this](const key_ready_effect& e) {
          send("params", "scheduler", [this, e] { apply(scheduler_->key_is_ready(e.fact, e.key, now_)); });
        },
        [this](const key_failed& e) {
          send("params", "scheduler", [this, e] { apply(scheduler_->key_has_failed(e, now_)); });
        },
        [](const params_answer&) {},
        [this](const log_line& e) { log.push_back(e); },
      },
      effect);
}

void world::synth_order(std::uint32_t index, std::int64_t took, std::function<void()> answer) {
  auto& s = synths_[index];
  expect(!s.busy, nth("synth", index) + " got a second order");
  if (chance(options_.death / 4))
    return kill(actor_role::synthesizer, index);
  s.busy = true;
  at(now_ + jitter(took), [this, index, run = ++s.run, answer = std::move(answer)] {
    auto& now = synths_[index];
    if (now.run != run)
      return;
    now.busy = false;
    send(nth("synth", index), "scheduler", answer);
  });
}

void world::lane_order(lane_model& l, const prove_effect& e) {
  ++l.held;
  expect(l.held <= l.info.credits, l.info.name + " got more orders than credits");
  expect(e.work.key != nullptr && e.work.witness != nullptr, "an order without key or witness");
  l.waiting.push_back(e);
  lane_next(l);
}

void world::lane_next(lane_model& l) {
  if (l.running || l.waiting.empty())
    return;
  l.running = true;
  const auto e = l.waiting.front();
  send(l.info.name, "scheduler", [this, ref = e.order.ref, lane = l.info.lane] {
    apply(scheduler_->started({ref, lane}, now_));
  });
  if (chance(options_.death))
    return kill(actor_role::lane, number(l.info.lane));
  const bool fault = chance(options_.lane_fault);
  const auto took = jitter(circuits.at(e.order.circuit).prove_us);
  at(now_ + (fault ? took / 2 : took), [this, &l, e, fault, run = ++l.run] {
    if (l.run != run)
      return;
    lane_end(l, [this, e, fault, lane = l.info.lane] {
      if (fault)
        return apply(scheduler_->lane_failed({e.order.ref, lane, {errc::gpu_fault, "test fault"}}, now_));
      partition_proved p;
      p.ref = e.order.ref;
      p.lane = lane;
      apply(scheduler_->proved(p, now_));
    });
    if (!fault)
      finalize(e, l.info.lane);
  });
}

// What runs has ended: fact, credit, next.
void world::lane_end(lane_model& l, std::function<void()> fact) {
  l.waiting.pop_front();
  l.running = false;
  --l.held;
  send(l.info.name, "scheduler", std::move(fact));
  send(l.info.name, "scheduler", [this, lane = l.info.lane] { apply(scheduler_->credit({lane, 1}, now_)); });
  lane_next(l);
}

void world::lane_cancel(lane_model& l, const cancel_partition& c) {
  const auto it =
    std::find_if(l.waiting.begin(), l.waiting.end(), [&](const prove_effect& e) { return e.order.ref == c.ref; });
  const bool runs = it == l.waiting.begin() && l.running;
  if (it == l.waiting.end() || (c.only_if_waiting && runs))
    return;
  const auto fact = [this, ref = c.ref, lane = l.info.lane] {
    apply(scheduler_->lane_failed({ref, lane, {errc::cancelled, "as asked"}}, now_));
  };
  if (runs) {
    ++l.run;
    return lane_end(l, fact);
  }
  l.waiting.erase(it);
  --l.held;
  send(l.info.name, "scheduler", fact);
  send(l.info.name, "scheduler", [this, lane = l.info.lane] { apply(scheduler_->credit({lane, 1}, now_)); });
}

void world::finalize(const prove_effect& e, lane_id lane) {
  const auto index = scheduler_state::finalizer_of(e.order.ref, options_.finalizers);
  send(nth("lane", number(lane)), nth("final", index), [this, e, lane, index] {
    if (chance(options_.death / 4))
      return kill(actor_role::finalizer, index);
    partition_verified v;
    v.ref = e.order.ref;
    v.lane = lane;
    v.lane_name = nth("lane", number(lane));
    v.device = "cpu";
    v.good = !chance(options_.bad_proof);
    v.proof = proof_of(e.order.ref);
    if (!v.good)
      v.why = {errc::self_check_failed, "test"};
    at(now_ + jitter(500), [this, v, index, g = generation_[nth("final", index)]] {
      if (g != generation_[nth("final", index)])
        return;
      send(nth("final", index), "scheduler", [this, v] { apply(scheduler_->verified(v, now_)); });
      send(nth("final", index), "tracker", [this, v] { apply(tracker_->verified(v, moment_now())); });
    });
  });
}

} // namespace cuzk::test
