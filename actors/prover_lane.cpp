#include "actors/prover_lane.hpp"

#include "actors/actor_kit.hpp"
#include "actors/directory.hpp"
#include "actors/lane_state.hpp"
#include "actors/scheduler_state.hpp"

#include <map>

namespace cuzk {

namespace {

/// What the backend's threads tell, as messages to itself: a step, the points, the failure of a run.
using lane_impl =
  prover_lane_actor::extend<reacts_to<order_number, stage_done>, reacts_to<order_number, partition_proved>,
                            reacts_to<order_number, partition_failed>>;

/// Turns callbacks of any thread into messages. Nothing is decided here.
class post_facts final : public groth16::prove_listener {
public:
  post_facts(lane_impl to, order_number run, services_ptr services)
    : to_(std::move(to)), run_(run), services_(std::move(services)) {}

  void stage_done(groth16::stage which, double seconds) override {
    cuzk::stage_done fact;
    fact.stage = which;
    fact.took_us = static_cast<std::int64_t>(seconds * 1e6);
    caf::anon_send(to_, run_, fact);
  }
  void proved(const groth16::raw_proof& proof, const groth16::prove_timings& timings) override {
    auto points = guarded([&] { return services_->encode(proof); });
    if (!points)
      return failed(std::move(points).err());
    partition_proved fact;
    fact.points = *points;
    fact.timings = timings;
    caf::anon_send(to_, run_, fact);
  }
  void failed(error why) override {
    partition_failed fact;
    fact.why = std::move(why);
    caf::anon_send(to_, run_, fact);
  }

private:
  lane_impl to_;
  order_number run_;
  services_ptr services_;
};

struct lane_body {
  static constexpr const char* name = lane_state::name;
  lane_impl::pointer self;
  lane_state state;
  std::shared_ptr<groth16::backend> backend;
  services_ptr services;
  directory_ptr dir{};
  std::map<std::uint64_t, groth16::cancel_token> tokens{};

  // A lane that ends wants nothing more of its backend.
  ~lane_body() {
    for (const auto& [run, token] : tokens)
      groth16::cancel_token(token).cancel();
  }

  void apply(const lane_effects& effects) {
    for (const auto& effect : effects)
      std::visit(on{[this](const run_effect& e) { run(e); }, [this](const stop_effect& e) { stop(e.run); },
                    [this](const partition_started& e) { self->send(dir->scheduler, e); },
                    [this](const stage_done& e) {
                      self->send(dir->tracker, e);
                      self->send(dir->telemetry, e);
                    },
                    [this](const proved_effect& e) { tell_proved(e); },
                    [this](const partition_failed& e) {
                      self->send(dir->scheduler, e);
                      self->send(dir->telemetry, e);
                    },
                    [this](const lane_credit& e) { self->send(dir->scheduler, e); },
                    [this](const lane_info& e) {
                      self->send(dir->scheduler, e);
                      self->send(dir->telemetry, e);
                    }},
                 effect);
  }

  void run(const run_effect& e) {
    auto request = guarded([&] { return services->to_request(e.order, e.work); });
    if (!request) {
      partition_failed fact;
      fact.why = std::move(request).err();
      self->send(caf::actor_cast<lane_impl>(self), order_number{e.run}, fact);
      return;
    }
    tokens[e.run] = request->cancel;
    auto listener = std::make_shared<post_facts>(caf::actor_cast<lane_impl>(self), order_number{e.run}, services);
    backend->prove(*std::move(request), std::move(listener));
  }
  void stop(std::uint64_t run) {
    if (const auto it = tokens.find(run); it != tokens.end())
      it->second.cancel();
  }
  void ended(std::uint64_t run) { tokens.erase(run); }

  void tell_proved(const proved_effect& e) {
    const auto count = static_cast<std::uint32_t>(dir->finalizers.size());
    self->send(dir->finalizers[scheduler_state::finalizer_of(e.fact.ref, count)], e.fact, e.statement);
    self->send(dir->scheduler, e.fact);
    self->send(dir->telemetry, e.fact);
  }

  // The first directory: the lane says it is there.
  void introduce(const directory_ptr& next) {
    if (std::exchange(dir, next) == nullptr)
      apply({state.info()});
  }
};

lane_impl::behavior_type prover_lane(lane_impl::stateful_pointer<held<lane_body>> self, lane_device device,
                                     services_ptr services) {
  const auto depth = std::max(1u, device.depth != 0 ? device.depth : device.backend->credits());
  auto& body = self->state.init(lane_body{self, lane_state(device.info, depth), device.backend, std::move(services)});
  return {
    [&body](const prove_partition& order, const witness_handle& work) { body.apply(body.state.order(order, work)); },
    [&body](const cancel_partition& ask) { body.apply(body.state.cancel(ask, mono_us(body.self))); },
    [&body](const reset_lane&) { body.apply(body.state.reset()); },
    [&body](const directory_ptr& next) { body.introduce(next); },
    [&body](const order_number& run, const stage_done& fact) {
      body.apply(body.state.stage(run.value, fact.stage, fact.took_us));
    },
    [&body](const order_number& run, const partition_proved& fact) {
      body.ended(run.value);
      body.apply(body.state.proved(run.value, fact.points, fact.timings, mono_us(body.self)));
    },
    [&body](const order_number& run, const partition_failed& fact) {
      body.ended(run.value);
      body.apply(body.state.failed(run.value, fact.why, mono_us(body.self)));
    },
  };
}

} // namespace

prover_lane_actor spawn_prover_lane(caf::actor_system& system, const lane_device& device, services_ptr services,
                                    bool detached) {
  return detached ? system.spawn<caf::detached>(prover_lane, device, std::move(services))
                  : system.spawn(prover_lane, device, std::move(services));
}

} // namespace cuzk
