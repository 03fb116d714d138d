#include "actors/node_children.hpp"

#include <caf/actor_cast.hpp>

namespace cuzk {

node_children::node_children(caf::actor_system& system, node_config config, services_ptr services,
                             node_facts_actor node)
  : system_(system), config_(std::move(config)), services_(std::move(services)) {
  now_.node = std::move(node);
  now_.synthesizers.resize(config_.scheduler.synthesizers);
  now_.finalizers.resize(config_.scheduler.finalizers);
  now_.lanes.resize(services_->lanes.size());
  for (const auto& device : services_->lanes)
    now_.lane_infos.push_back(device.info);
}

std::vector<actor_place> node_children::places() const {
  std::vector<actor_place> out = {{actor_role::telemetry, 0},
                                  {actor_role::budget, 0},
                                  {actor_role::param_store, 0},
                                  {actor_role::key_loader, 0},
                                  {actor_role::journal, 0}};
  const auto several = [&out](actor_role role, std::size_t count) {
    for (std::uint32_t i = 0; i < count; ++i)
      out.emplace_back(role, i);
  };
  several(actor_role::synthesizer, now_.synthesizers.size());
  several(actor_role::finalizer, now_.finalizers.size());
  out.emplace_back(actor_role::scheduler, 0);
  out.emplace_back(actor_role::tracker, 0);
  several(actor_role::lane, now_.lanes.size());
  return out;
}

caf::actor_addr node_children::start(const actor_place& place) {
  const auto handle = spawn(place);
  addresses_[handle.address()] = place;
  return handle.address();
}

caf::actor node_children::spawn(const actor_place& place) {
  const auto as_actor = [](const auto& h) { return caf::actor_cast<caf::actor>(h); };
  const bool detached = config_.detached;
  switch (place.first) {
  case actor_role::tracker: return as_actor(now_.tracker = spawn_tracker(system_, services_, config_));
  case actor_role::journal: return as_actor(now_.journal = spawn_journal(system_, services_, detached));
  case actor_role::scheduler: return as_actor(now_.scheduler = spawn_scheduler(system_, config_.scheduler));
  case actor_role::budget: return as_actor(now_.budget = spawn_budget(system_, config_.memory));
  case actor_role::param_store:
    return as_actor(now_.param_store = spawn_param_store(system_, services_, config_.params_dir));
  case actor_role::key_loader: return as_actor(now_.key_loader = spawn_key_loader(system_, services_, detached));
  case actor_role::synthesizer:
    return as_actor(now_.synthesizers.at(place.second) = spawn_synthesizer(system_, services_));
  case actor_role::lane:
    return as_actor(now_.lanes.at(place.second) =
                      spawn_prover_lane(system_, services_->lanes.at(place.second), services_, detached));
  case actor_role::finalizer: return as_actor(now_.finalizers.at(place.second) = spawn_finalizer(system_, services_));
  case actor_role::telemetry: break;
  }
  return as_actor(now_.telemetry = spawn_telemetry(system_, services_, config_));
}

caf::actor node_children::handle_of(const actor_place& place) const {
  const auto as_actor = [](const auto& h) { return caf::actor_cast<caf::actor>(h); };
  switch (place.first) {
  case actor_role::tracker: return as_actor(now_.tracker);
  case actor_role::journal: return as_actor(now_.journal);
  case actor_role::scheduler: return as_actor(now_.scheduler);
  case actor_role::budget: return as_actor(now_.budget);
  case actor_role::param_store: return as_actor(now_.param_store);
  case actor_role::key_loader: return as_actor(now_.key_loader);
  case actor_role::synthesizer: return as_actor(now_.synthesizers.at(place.second));
  case actor_role::lane: return as_actor(now_.lanes.at(place.second));
  case actor_role::finalizer: return as_actor(now_.finalizers.at(place.second));
  case actor_role::telemetry: break;
  }
  return as_actor(now_.telemetry);
}

std::optional<actor_place> node_children::place_of(const caf::actor_addr& addr) const {
  const auto it = addresses_.find(addr);
  if (it == addresses_.end())
    return std::nullopt;
  return it->second;
}

} // namespace cuzk
