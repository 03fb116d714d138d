#include "actors/node.hpp"

#include "actors/actor_kit.hpp"
#include "actors/node_children.hpp"
#include "actors/node_state.hpp"
#include "actors/timeouts.hpp"
#include "messages/names.hpp"

#include <caf/actor_system_config.hpp>
#include <caf/send.hpp>

#include <functional>
#include <map>
#include <set>

namespace cuzk {

namespace {

using node_impl = node_actor::extend<reacts_to<work_left>, reacts_to<timer_fired>>;

struct node_body {
  static constexpr const char* name = node_state::name;
  node_impl::pointer self;
  node_state state;
  node_config config;
  services_ptr services;
  node_children children;
  std::int64_t started_us;
  wake_timer timer{};
  std::set<caf::actor_addr> ending{}; ///< asked to end, to be started again without counting it
  std::map<caf::actor_addr, std::pair<event_sink_actor, job_id>> watchers{};
  std::map<std::uint64_t, caf::typed_response_promise<admin_reply>> drains{};
  std::uint64_t next_ticket = 1;

  const directory& dir() const { return children.now(); }

  // -- supervision

  void begin() {
    for (const auto& place : children.places()) {
      self->monitor(children.start(place));
      state.started(place.first, place.second);
    }
    for (const auto& place : children.places())
      caf::anon_send(children.handle_of(place), children.directory_now());
  }
  // Scheduler and tracker hear of a death together with the successor's handle, and before a new lane speaks.
  void tell_news(const actor_replaced& news) {
    const auto next = children.directory_now();
    for (const auto& place : children.places()) {
      if (place.first == actor_role::scheduler || place.first == actor_role::tracker)
        caf::anon_send(children.handle_of(place), next, news);
      else
        caf::anon_send(children.handle_of(place), next);
    }
  }
  void apply(const node_effects& effects) {
    for (const auto& effect : effects)
      std::visit([this](const auto& e) { act(e); }, effect);
    timer.arm<node_impl>(self, state.next_wakeup());
  }
  void act(const respawn_effect& e) {
    self->monitor(children.start({e.role, e.index}));
    state.started(e.role, e.index);
    tell_news({e.role, e.index, e.reason});
    tell_phase(state.phase());
    if (e.role == actor_role::scheduler)
      for (const auto& lane : dir().lanes)
        caf::anon_send(lane, reset_lane{});
    if (e.role == actor_role::tracker)
      for (const auto& [who, watcher] : watchers)
        caf::send_as(watcher.first, dir().tracker, subscribe_events{watcher.second});
  }
  void act(const end_effect& e) {
    const auto handle = children.handle_of({e.role, e.index});
    ending.insert(handle.address());
    caf::anon_send_exit(handle, caf::exit_reason::kill);
  }
  void act(const give_up_effect& e) {
    services->log({log_severity::error, "node-gives-up", "why=\"" + e.reason + "\""});
    end_all();
  }
  void act(const phase_changed& e) { tell_phase(e.phase); }
  void act(const log_line& e) { self->send(dir().telemetry, e); }
  void act(const drain_answer& e) {
    const auto it = drains.find(e.ticket);
    if (it == drains.end())
      return;
    it->second.deliver(e.reply);
    drains.erase(it);
  }
  void tell_phase(node_phase phase) {
    caf::anon_send(dir().scheduler, phase_changed{phase});
    caf::anon_send(dir().tracker, phase_changed{phase});
  }
  void down(const caf::down_msg& news) {
    watchers.erase(news.source);
    const auto place = children.place_of(news.source);
    if (!place)
      return;
    children.forget(news.source);
    if (state.phase() == node_phase::stopped)
      return quit_when_alone();
    if (ending.erase(news.source) != 0)
      return act(respawn_effect{place->first, place->second, "ended with the tracker"});
    apply(state.died(place->first, place->second, self->system().render(news.reason), mono_us(self)));
  }
  void stop() {
    apply(state.stop());
    end_all();
  }
  void end_all() {
    for (const auto& place : children.places())
      caf::anon_send_exit(children.handle_of(place), caf::exit_reason::user_shutdown);
    quit_when_alone();
  }
  void quit_when_alone() {
    if (children.empty())
      self->quit(caf::exit_reason::user_shutdown);
  }

  // -- clients

  void watch(job_id only) {
    const auto sink = caf::actor_cast<event_sink_actor>(self->current_sender());
    if (!sink)
      return;
    if (watchers.count(sink.address()) == 0)
      self->monitor(sink);
    watchers[sink.address()] = {sink, only};
    caf::send_as(sink, dir().tracker, subscribe_events{only});
  }
  void unwatch() {
    const auto it = watchers.find(caf::actor_cast<caf::actor_addr>(self->current_sender()));
    if (it == watchers.end())
      return;
    caf::send_as(it->second.first, dir().tracker, unsubscribe_events{});
    self->demonitor(it->first);
    watchers.erase(it);
  }
  caf::result<admin_reply> drain(std::uint32_t limit_ms) {
    const auto ticket = next_ticket++;
    auto later = drains.emplace(ticket, self->make_response_promise<admin_reply>()).first->second;
    apply(state.drain(ticket, limit_ms, mono_us(self)));
    return later;
  }
  admin_reply pause() {
    admin_reply reply;
    apply(state.pause(reply.result));
    return reply;
  }
  admin_reply resume() {
    admin_reply reply;
    apply(state.resume(reply.result));
    return reply;
  }
  void wake(const timer_fired& t) {
    if (timer.fired(t))
      apply(state.tick(mono_us(self)));
  }

  // -- the whole picture

  /// Asks every actor and calls `done` with what came, at the latest after the time limit of a query.
  void gather(std::function<void(node_status)> done) {
    struct collection {
      node_status status;
      int open = 4;
      std::function<void(node_status)> done;
      void arrived() {
        if (--open == 0)
          done(std::move(status));
      }
    };
    auto c = std::make_shared<collection>();
    c->status = own_status();
    c->done = std::move(done);
    const auto missing = [c](const char* who) {
      return [c, who](const caf::error&) {
        c->status.unanswered.emplace_back(who);
        c->arrived();
      };
    };
    const auto ask = [&](const auto& whom, const auto& query, auto take, const char* who) {
      self->request(whom, timeouts::query, query).then(take, missing(who));
    };
    ask(
      dir().scheduler, scheduler_query{}, [c](scheduler_status& s) { c->status.scheduler = s, c->arrived(); },
      "scheduler");
    ask(
      dir().budget, budget_query{}, [c](budget_status& s) { c->status.budget = s, c->arrived(); }, "budget");
    ask(
      dir().param_store, params_query{}, [c](params_status& s) { c->status.params = s, c->arrived(); }, "param_store");
    ask(
      dir().tracker, tracker_query{}, [c](tracker_status& s) { c->status.tracker = s, c->arrived(); }, "tracker");
  }
  node_status own_status() const {
    node_status s;
    s.phase = state.phase();
    s.uptime_ms = (mono_us(self) - started_us) / 1000;
    for (const auto& lane : dir().lane_infos)
      s.device += (s.device.empty() ? "" : ", ") + lane.device;
    s.test_keys_allowed = config.test_keys_allowed;
    s.actors = state.health();
    return s;
  }
  static void judge_ready(node_status& s) {
    const bool lane = std::any_of(s.scheduler.lanes.begin(), s.scheduler.lanes.end(),
                                  [](const lane_status& l) { return !l.quarantined && l.reason.empty(); });
    s.ready = s.phase == node_phase::serving && lane && s.unanswered.empty() && s.tracker.journal_ok;
  }
  caf::result<node_status> status() {
    auto later = self->make_response_promise<node_status>();
    gather([later](node_status s) mutable {
      judge_ready(s);
      later.deliver(std::move(s));
    });
    return later;
  }
  caf::result<metrics_page> metrics() {
    auto later = self->make_response_promise<metrics_page>();
    gather([this, later](node_status s) mutable {
      judge_ready(s);
      self->request(dir().telemetry, timeouts::query, metrics_query{}, std::move(s))
        .then([later](metrics_page& page) mutable { later.deliver(std::move(page)); },
              [later](caf::error& why) mutable { later.deliver(std::move(why)); });
    });
    return later;
  }
};

node_impl::behavior_type node(node_impl::stateful_pointer<held<node_body>> self, node_config config,
                              prover_services given) {
  auto services = std::make_shared<const prover_services>(std::move(given));
  node_children children(self->system(), config, services, caf::actor_cast<node_impl>(self));
  auto& b =
    self->state.init(node_body{self, node_state(config.restart), config, services, std::move(children), mono_us(self)});
  self->set_down_handler([&b](caf::down_msg& news) { b.down(news); });
  b.begin();
  const auto tracker = [&b]() -> const tracker_actor& { return b.dir().tracker; };
  return {
    [self, tracker](const submit_job& ask, const input_handle& in) { return self->delegate(tracker(), ask, in); },
    [self, tracker](const await_job& ask) { return self->delegate(tracker(), ask); },
    [self, tracker](const get_job& ask) { return self->delegate(tracker(), ask); },
    [self, tracker](const cancel_job& ask) { return self->delegate(tracker(), ask); },
    [self, tracker](const list_jobs& ask) { return self->delegate(tracker(), ask); },
    [&b](const subscribe_events& ask) { b.watch(ask.only); },
    [&b](const unsubscribe_events&) { b.unwatch(); },
    [self, &b](const preload_params& ask) { return self->delegate(b.dir().param_store, ask); },
    [self, &b](const evict_params& ask) { return self->delegate(b.dir().param_store, ask); },
    [&b](const node_query&) { return b.status(); },
    [&b](const metrics_query&) { return b.metrics(); },
    [self, &b](const trace_query& ask) { return self->delegate(b.dir().telemetry, ask); },
    [&b](const pause_node&) { return b.pause(); },
    [&b](const resume_node&) { return b.resume(); },
    [self, &b](const release_lane& ask) { return self->delegate(b.dir().scheduler, ask); },
    [&b](const drain_node& ask) { return b.drain(ask.limit_ms); },
    [&b](const stop_node&) { b.stop(); },
    [&b](const work_left& fact) { b.apply(b.state.left(fact)); },
    [&b](const timer_fired& t) { b.wake(t); },
  };
}

} // namespace

void configure_actor_system(caf::actor_system_config& config, unsigned threads) {
  config.add_message_types<caf::id_block::cuzk_messages>();
  config.set("scheduler.max-threads", threads);
}

node_actor spawn_node(caf::actor_system& system, node_config config, prover_services services) {
  return system.spawn(node, std::move(config), std::move(services));
}

} // namespace cuzk
