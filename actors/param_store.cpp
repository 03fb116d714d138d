#include "actors/param_store.hpp"

#include "actors/actor_kit.hpp"
#include "actors/directory.hpp"
#include "actors/param_store_state.hpp"

#include <map>

namespace cuzk {

namespace {

struct param_store_body {
  static constexpr const char* name = param_store_state::name;
  param_store_actor::pointer self;
  param_store_state state;
  services_ptr services;
  directory_ptr dir{};
  std::map<std::uint64_t, caf::typed_response_promise<params_reply>> promises{};
  std::uint64_t next_ticket = 1;

  void apply(param_effects effects) {
    for (auto& effect : effects)
      std::visit(on{[this](const reserve_memory& e) { self->send(dir->budget, e); },
                    [this](const release_memory& e) { self->send(dir->budget, e); },
                    [this](const load_key& e) { self->send(dir->key_loader, e); },
                    [this](const key_loading& e) { self->send(dir->scheduler, e); },
                    [this](const key_ready_effect& e) { self->send(dir->scheduler, e.fact, e.key); },
                    [this](const key_failed& e) { self->send(dir->scheduler, e); },
                    [this](const params_answer& e) { answer(e); },
                    [this](const log_line& e) { self->send(dir->telemetry, e); }},
                 effect);
  }

  void answer(const params_answer& e) {
    const auto it = promises.find(e.ticket);
    if (it == promises.end())
      return;
    it->second.deliver(e.reply);
    promises.erase(it);
  }

  caf::result<params_reply> promise(std::uint64_t& ticket) {
    ticket = next_ticket++;
    return promises.emplace(ticket, self->make_response_promise<params_reply>()).first->second;
  }

  caf::result<params_reply> preload(const std::string& circuit) {
    std::uint64_t ticket = 0;
    auto later = promise(ticket);
    apply(state.preload(ticket, circuit, services->key_size_of(circuit), mono_us(self)));
    return later;
  }
  caf::result<params_reply> evict(const std::string& circuit) {
    std::uint64_t ticket = 0;
    auto later = promise(ticket);
    apply(state.evict(ticket, circuit));
    return later;
  }

  void introduce(const directory_ptr& next) {
    const auto old = std::exchange(dir, next);
    if (old != nullptr && old->scheduler != next->scheduler)
      apply(state.scheduler_replaced(mono_us(self)));
    if (old != nullptr && old->key_loader != next->key_loader)
      apply(state.loader_replaced());
    if (old != nullptr && old->budget != next->budget)
      apply(state.budget_replaced());
  }
};

param_store_actor::behavior_type param_store(param_store_actor::stateful_pointer<held<param_store_body>> self,
                                             services_ptr services, std::string cache_dir) {
  auto& body = self->state.init(param_store_body{self, param_store_state(std::move(cache_dir)), std::move(services)});
  return {
    [&body](const lease_key& ask) {
      body.apply(body.state.lease(ask, body.services->key_size_of(ask.circuit), mono_us(body.self)));
    },
    [&body](const release_key& back) { body.apply(body.state.release(back, mono_us(body.self))); },
    [&body](const preload_params& ask) { return body.preload(ask.circuit); },
    [&body](const evict_params& ask) { return body.evict(ask.circuit); },
    [&body](const params_query&) { return body.state.status(); },
    [&body](const reservation_granted& fact) { body.apply(body.state.granted(fact.id)); },
    [&body](const reservation_refused& fact) { body.apply(body.state.refused(fact.id, fact.why)); },
    [&body](const please_evict& ask) { body.apply(body.state.make_room(ask)); },
    [&body](const key_loaded& fact, const key_handle& key) {
      body.apply(body.state.loaded(fact, key, mono_us(body.self)));
    },
    [&body](const key_load_failed& fact) { body.apply(body.state.load_failed(fact)); },
    [&body](const directory_ptr& next) { body.introduce(next); },
  };
}

struct no_state {
  static constexpr const char* name = "key_loader";
};

// Answers whoever asked, for param_store may be replaced while a key is read.
key_loader_actor::behavior_type key_loader(key_loader_actor::stateful_pointer<no_state> self, services_ptr services) {
  return {
    [self, services](const load_key& ask) {
      const auto to = caf::actor_cast<param_store_actor>(self->current_sender());
      auto opened = guarded([&] { return services->open_key(ask.circuit); });
      if (!opened)
        self->send(to, key_load_failed{ask.circuit, ask.load, std::move(opened).err()});
      else
        self->send(to, key_loaded{ask.circuit, ask.load, opened->size, opened->test_key, opened->path},
                   key_handle{opened->key});
    },
    [](const directory_ptr&) {},
  };
}

} // namespace

param_store_actor spawn_param_store(caf::actor_system& system, services_ptr services, std::string cache_dir) {
  return system.spawn(param_store, std::move(services), std::move(cache_dir));
}

key_loader_actor spawn_key_loader(caf::actor_system& system, services_ptr services, bool detached) {
  return detached ? system.spawn<caf::detached>(key_loader, services) : system.spawn(key_loader, services);
}

} // namespace cuzk
