#include "actors/finalizer.hpp"

#include "actors/actor_kit.hpp"
#include "actors/directory.hpp"

namespace cuzk {

namespace {

/// The verdict of a compute thread comes back as a message to itself.
using finalizer_impl = finalizer_actor::extend<reacts_to<partition_verified>>;

struct finalizer_body {
  static constexpr const char* name = "finalizer";
  finalizer_impl::pointer self;
  services_ptr services;
  directory_ptr dir{};

  void check(const partition_proved& fact, const statement_handle& statement) {
    partition_verified verdict;
    verdict.ref = fact.ref;
    verdict.lane = fact.lane;
    if (number(fact.lane) < dir->lane_infos.size()) {
      verdict.lane_name = dir->lane_infos[number(fact.lane)].name;
      verdict.device = dir->lane_infos[number(fact.lane)].device;
    }
    verdict.test_key = statement.key != nullptr && statement.key->test_key;
    verdict.proof = fact.points;
    auto me = caf::actor_cast<finalizer_impl>(self);
    services->compute([me, verdict, statement, services = services]() mutable {
      const auto begin = std::chrono::steady_clock::now();
      auto good = guarded([&] { return services->verify(verdict.proof, statement); });
      const auto took = std::chrono::steady_clock::now() - begin;
      verdict.verify_us = std::chrono::duration_cast<std::chrono::microseconds>(took).count();
      verdict.good = good.has_value();
      if (!good)
        verdict.why = std::move(good).err();
      caf::anon_send(me, std::move(verdict));
    });
  }

  // The tracker first: what it knows, nobody needs to prove again.
  void tell(const partition_verified& verdict) {
    self->send(dir->tracker, verdict);
    self->send(dir->scheduler, verdict);
    self->send(dir->telemetry, verdict);
  }
};

finalizer_impl::behavior_type finalizer(finalizer_impl::stateful_pointer<held<finalizer_body>> self,
                                        services_ptr services) {
  auto& body = self->state.init(finalizer_body{self, std::move(services)});
  return {
    [&body](const partition_proved& fact, const statement_handle& statement) { body.check(fact, statement); },
    [&body](const directory_ptr& next) { body.dir = next; },
    [&body](const partition_verified& verdict) { body.tell(verdict); },
  };
}

} // namespace

finalizer_actor spawn_finalizer(caf::actor_system& system, services_ptr services) {
  return system.spawn(finalizer, std::move(services));
}

} // namespace cuzk
