#include "actors/tracker.hpp"

#include "actors/actor_kit.hpp"
#include "actors/directory.hpp"
#include "actors/tracker_state.hpp"

#include <map>

namespace cuzk {

namespace {

using tracker_impl = tracker_actor::extend<reacts_to<input_inspected>, reacts_to<timer_fired>>;

/// Looks at an input on a compute thread.
input_inspected look(const prover_services& services, const inspect_effect& e) {
  input_inspected fact;
  auto input = e.input.data;
  if (input == nullptr) {
    auto stored = services.read_input(e.input_digest);
    if (!stored)
      fact.result = refused(std::move(stored).err());
    else
      input = *stored;
  }
  if (input != nullptr)
    fact = services.inspect(e.spec, *input);
  fact.job = e.job;
  return fact;
}

struct tracker_body {
  static constexpr const char* name = tracker_state::name;
  tracker_impl::pointer self;
  tracker_state state;
  services_ptr services;
  directory_ptr dir{};
  wake_timer timer{};
  std::uint64_t next_ticket = 1;
  std::map<ticket, caf::typed_response_promise<submit_reply>> submits{};
  std::map<ticket, caf::typed_response_promise<job_report>> awaits{};
  std::map<ticket, caf::typed_response_promise<cancel_reply>> cancels{};
  std::map<caf::actor_addr, std::pair<event_sink_actor, job_id>> watchers{};

  moment now() const { return {mono_us(self), services->wall_ms()}; }

  void apply(const tracker_effects& effects) {
    for (const auto& effect : effects)
      std::visit([this](const auto& e) { send(e); }, effect);
    timer.arm<tracker_impl>(self, state.next_wakeup());
  }

  void send(const inspect_effect& e) {
    services->compute([me = caf::actor_cast<tracker_impl>(self), services = services, e] {
      auto fact = guarded([&] { return result<input_inspected>(look(*services, e)); });
      if (fact)
        return caf::anon_send(me, *std::move(fact));
      input_inspected failed;
      failed.job = e.job;
      failed.result = refused(std::move(fact).err());
      caf::anon_send(me, std::move(failed));
    });
  }
  void send(const append_effect& e) { self->send(dir->journal, e.facts, e.input); }
  void send(const offer_effect& e) { self->send(dir->scheduler, e.offer, e.input); }
  void send(const withdraw_job& e) { self->send(dir->scheduler, e); }
  void send(const submit_answer& e) { deliver(submits, e.to, e.reply); }
  void send(const report_answer& e) { deliver(awaits, e.to, e.report); }
  void send(const cancel_answer& e) { deliver(cancels, e.to, e.reply); }
  void send(const partition_stamp& e) { self->send(dir->telemetry, e); }
  void send(const work_left& e) { self->send(dir->node, e); }
  void send(const log_line& e) { self->send(dir->telemetry, e); }
  void send(const job_event& e) {
    self->send(dir->telemetry, e);
    for (const auto& [who, sink] : watchers)
      if (sink.second == job_id{} || sink.second == e.job)
        self->send(sink.first, e);
  }

  template <class Promises, class Reply>
  void deliver(Promises& promises, ticket to, const Reply& reply) {
    const auto it = promises.find(to);
    if (it == promises.end())
      return;
    it->second.deliver(reply);
    promises.erase(it);
  }
  template <class Reply>
  caf::typed_response_promise<Reply> promise(std::map<ticket, caf::typed_response_promise<Reply>>& promises,
                                             ticket& to) {
    to = ticket{next_ticket++};
    return promises.emplace(to, self->template make_response_promise<Reply>()).first->second;
  }

  caf::result<submit_reply> submit(const submit_job& ask, const input_handle& input) {
    ticket to{};
    auto later = promise(submits, to);
    apply(state.submit(to, ask, input, now()));
    return later;
  }
  caf::result<job_report> await(const await_job& ask) {
    ticket to{};
    auto later = promise(awaits, to);
    apply(state.await(to, ask, now()));
    return later;
  }
  caf::result<cancel_reply> cancel(const cancel_job& ask) {
    ticket to{};
    auto later = promise(cancels, to);
    apply(state.cancel(to, ask, now()));
    return later;
  }

  void watch(job_id only) {
    const auto sink = caf::actor_cast<event_sink_actor>(self->current_sender());
    if (!sink)
      return;
    if (watchers.count(sink.address()) == 0)
      self->monitor(sink);
    watchers[sink.address()] = {sink, only};
  }
  void unwatch(const caf::actor_addr& who) {
    if (watchers.erase(who) != 0)
      self->demonitor(who);
  }
  tracker_status status() const {
    auto out = state.status();
    out.watchers = static_cast<std::uint32_t>(watchers.size());
    return out;
  }

  void restore(const journal_contents& contents) { apply(state.restore(contents, services->need_of, now())); }
  // The first directory: read the journal. The state asks for what is lost with a peer.
  void introduce(const directory_ptr& next) {
    if (std::exchange(dir, next) == nullptr)
      self->send(dir->journal, load_journal{});
  }
  void replaced(const actor_replaced& fact) {
    if (fact.role == actor_role::scheduler)
      apply(state.scheduler_replaced(now()));
    if (fact.role != actor_role::journal)
      return;
    if (state.loaded())
      apply(state.journal_replaced(now()));
    else
      self->send(dir->journal, load_journal{});
  }
  void wake(const timer_fired& t) {
    if (timer.fired(t))
      apply(state.tick(now()));
  }
};

tracker_impl::behavior_type tracker(tracker_impl::stateful_pointer<held<tracker_body>> self, services_ptr services,
                                    tracker_limits limits, byte_counts memory) {
  auto& b = self->state.init(tracker_body{self, tracker_state(limits, memory), std::move(services)});
  self->set_down_handler([&b](caf::down_msg& down) { b.watchers.erase(down.source); });
  return {
    [&b](const submit_job& ask, const input_handle& input) { return b.submit(ask, input); },
    [&b](const await_job& ask) { return b.await(ask); },
    [&b](const get_job& ask) { return b.state.report(ask, b.now()); },
    [&b](const cancel_job& ask) { return b.cancel(ask); },
    [&b](const list_jobs& ask) { return b.state.list(ask, b.now()); },
    [&b](const subscribe_events& ask) { b.watch(ask.only); },
    [&b](const unsubscribe_events&) { b.unwatch(caf::actor_cast<caf::actor_addr>(b.self->current_sender())); },
    [&b](const tracker_query&) { return b.status(); },
    [&b](const facts_stored& fact) { b.apply(b.state.stored(fact, b.now())); },
    [&b](const facts_refused& fact) { b.apply(b.state.store_refused(fact, b.now())); },
    [&b](const journal_contents& contents) { b.restore(contents); },
    [&b](const job_prepared& fact) { b.apply(b.state.prepared(fact, b.now())); },
    [&b](const job_unprovable& fact) { b.apply(b.state.unprovable(fact, b.now())); },
    [&b](const job_withdrawn& fact) { b.apply(b.state.withdrawn(fact, b.now())); },
    [&b](const partition_stamp& fact) { b.apply(b.state.stamped(fact, b.now())); },
    [&b](const job_waits& fact) { b.apply(b.state.waits(fact, b.now())); },
    [&b](const stage_done& fact) { b.apply(b.state.stage(fact, b.now())); },
    [&b](const partition_verified& fact) { b.apply(b.state.verified(fact, b.now())); },
    [&b](const phase_changed& fact) { b.apply(b.state.phase(fact.phase, b.now())); },
    [&b](const directory_ptr& next) { b.introduce(next); },
    [&b](const directory_ptr& next, const actor_replaced& fact) {
      b.introduce(next);
      b.replaced(fact);
    },
    [&b](const input_inspected& fact) { b.apply(b.state.inspected(fact, b.now())); },
    [&b](const timer_fired& t) { b.wake(t); },
  };
}

} // namespace

tracker_actor spawn_tracker(caf::actor_system& system, services_ptr services, const node_config& config) {
  return system.spawn(tracker, std::move(services), config.tracker, config.memory);
}

} // namespace cuzk
