#include "actors/scheduler.hpp"

#include "actors/actor_kit.hpp"
#include "actors/directory.hpp"
#include "actors/scheduler_state.hpp"

namespace cuzk {

namespace {

using scheduler_impl = scheduler_actor::extend<reacts_to<timer_fired>>;

struct scheduler_body {
  static constexpr const char* name = scheduler_state::name;
  scheduler_impl::pointer self;
  scheduler_state state;
  directory_ptr dir{};
  wake_timer timer{};

  std::int64_t now() const { return mono_us(self); }

  void apply(const scheduler_effects& effects) {
    for (const auto& effect : effects)
      std::visit([this](const auto& e) { send(e); }, effect);
    timer.arm<scheduler_impl>(self, state.next_wakeup());
  }

  void send(const prepare_effect& e) { self->send(dir->synthesizers[e.index], e.order, e.input); }
  void send(const synthesize_effect& e) { self->send(dir->synthesizers[e.index], e.order, e.input); }
  void send(const cancel_synthesis_effect& e) { self->send(dir->synthesizers[e.index], e.order); }
  void send(const prove_effect& e) { self->send(dir->lanes[number(e.lane)], e.order, e.work); }
  void send(const cancel_lane_effect& e) { self->send(dir->lanes[number(e.lane)], e.order); }
  void send(const reserve_memory& e) { self->send(dir->budget, e); }
  void send(const release_memory& e) { self->send(dir->budget, e); }
  void send(const lease_key& e) { self->send(dir->param_store, e); }
  void send(const release_key& e) { self->send(dir->param_store, e); }
  void send(const job_prepared& e) { self->send(dir->tracker, e); }
  void send(const job_unprovable& e) { self->send(dir->tracker, e); }
  void send(const job_withdrawn& e) { self->send(dir->tracker, e); }
  void send(const job_waits& e) { self->send(dir->tracker, e); }
  void send(const log_line& e) { self->send(dir->telemetry, e); }
  void send(const partition_stamp& e) {
    self->send(dir->tracker, e);
    self->send(dir->telemetry, e);
  }

  admin_reply release(const release_lane& ask) {
    admin_reply reply;
    apply(state.release(ask.lane, now(), reply.result));
    return reply;
  }
  void wake(const timer_fired& t) {
    if (timer.fired(t))
      apply(state.tick(now()));
  }
};

scheduler_impl::behavior_type scheduler(scheduler_impl::stateful_pointer<held<scheduler_body>> self,
                                        scheduler_limits limits) {
  auto& b = self->state.init(scheduler_body{self, scheduler_state(limits)});
  return {
    [&b](const offer_job& ask, const input_handle& in) { b.apply(b.state.offer(ask, in, b.now())); },
    [&b](const withdraw_job& ask) { b.apply(b.state.withdraw(ask.job, b.now())); },
    [&b](const reservation_granted& fact) { b.apply(b.state.granted(fact.id, b.now())); },
    [&b](const reservation_refused& fact) { b.apply(b.state.refused(fact.id, fact.why, b.now())); },
    [&b](const please_evict& ask) { b.apply(b.state.make_room(ask, b.now())); },
    [&b](const key_loading& fact) { b.apply(b.state.key_is_loading(fact.circuit, b.now())); },
    [&b](const key_ready& fact, const key_handle& key) { b.apply(b.state.key_is_ready(fact, key, b.now())); },
    [&b](const key_failed& fact) { b.apply(b.state.key_has_failed(fact, b.now())); },
    [&b](const input_prepared& fact, const prepared_handle& in) { b.apply(b.state.prepared(fact, in, b.now())); },
    [&b](const partition_synthesized& fact, const witness_handle& work) {
      b.apply(b.state.synthesized(fact, work, b.now()));
    },
    [&b](const synthesis_failed& fact) { b.apply(b.state.synthesis_has_failed(fact, b.now())); },
    [&b](const lane_info& fact) { b.apply(b.state.lane_joined(fact, b.now())); },
    [&b](const partition_started& fact) { b.apply(b.state.started(fact, b.now())); },
    [&b](const partition_proved& fact) { b.apply(b.state.proved(fact, b.now())); },
    [&b](const partition_failed& fact) { b.apply(b.state.lane_failed(fact, b.now())); },
    [&b](const lane_credit& fact) { b.apply(b.state.credit(fact, b.now())); },
    [&b](const partition_verified& fact) { b.apply(b.state.verified(fact, b.now())); },
    [&b](const release_lane& ask) { return b.release(ask); },
    [&b](const scheduler_query&) { return b.state.status(b.now()); },
    [&b](const phase_changed& fact) { b.apply(b.state.phase(fact.phase, b.now())); },
    [&b](const directory_ptr& next) { b.dir = next; },
    [&b](const directory_ptr& next, const actor_replaced& fact) {
      b.dir = next;
      b.apply(b.state.replaced(fact, b.now()));
    },
    [&b](const timer_fired& t) { b.wake(t); },
  };
}

} // namespace

scheduler_actor spawn_scheduler(caf::actor_system& system, scheduler_limits limits) {
  return system.spawn(scheduler, limits);
}

} // namespace cuzk
