#include "actors/budget.hpp"

#include "actors/actor_kit.hpp"
#include "actors/budget_state.hpp"
#include "actors/directory.hpp"

namespace cuzk {

namespace {

/// The ledger as an actor: effects go to the holders by the directory.
struct budget_body {
  static constexpr const char* name = budget_state::name;
  budget_actor::pointer self;
  budget_state state;
  directory_ptr dir{};

  void apply(const budget_effects& effects) {
    for (const auto& effect : effects)
      std::visit(on{[this](const grant_effect& e) { to_holder(e.holder, e.fact); },
                    [this](const refuse_effect& e) { to_holder(e.holder, e.fact); },
                    [this](const please_evict& e) {
                      self->send(dir->scheduler, e);
                      self->send(dir->param_store, e);
                    },
                    [this](const job_waits& e) { self->send(dir->tracker, e); }},
                 effect);
  }

  template <class Fact>
  void to_holder(budget_holder holder, const Fact& fact) {
    if (holder == budget_holder::scheduler)
      self->send(dir->scheduler, fact);
    else
      self->send(dir->param_store, fact);
  }

  // A holder with another handle is another actor: what the old one held is given back.
  void introduce(const directory_ptr& next) {
    const auto old = std::exchange(dir, next);
    if (old != nullptr && old->scheduler != next->scheduler)
      apply(state.holder_died(budget_holder::scheduler));
    if (old != nullptr && old->param_store != next->param_store)
      apply(state.holder_died(budget_holder::param_store));
  }
};

budget_actor::behavior_type budget(budget_actor::stateful_pointer<held<budget_body>> self, byte_counts total) {
  auto& body = self->state.init(budget_body{self, budget_state(total)});
  return {
    [&body](const reserve_memory& ask) { body.apply(body.state.reserve(ask)); },
    [&body](const release_memory& back) { body.apply(body.state.release(back)); },
    [&body](const budget_query&) { return body.state.status(); },
    [&body](const directory_ptr& next) { body.introduce(next); },
  };
}

} // namespace

budget_actor spawn_budget(caf::actor_system& system, byte_counts total) {
  return system.spawn(budget, total);
}

} // namespace cuzk
