#include "gateway/bridge.hpp"

#include <caf/actor_system.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/send.hpp>

namespace cuzk {

namespace {

caf::behavior bridge_behavior(caf::event_based_actor* self, node_actor node, std::shared_ptr<event_inbox> inbox) {
  self->send(node, subscribe_events{});
  return {
    [self](const bridge_call_ptr& call) { call->run(*self); },
    [inbox](job_event& event) { inbox->push(std::move(event)); },
  };
}

} // namespace

node_bridge::node_bridge(caf::actor_system& system, node_actor node, std::shared_ptr<event_inbox> inbox)
  : node_(node), actor_(system.spawn(bridge_behavior, std::move(node), std::move(inbox))) {}

void node_bridge::stop() {
  caf::anon_send_exit(actor_, caf::exit_reason::user_shutdown);
}

error node_bridge::to_error(caf::event_based_actor& self, const caf::error& why) {
  return {errc::unavailable, "the node did not answer: " + self.system().render(why)};
}

void node_bridge::post(std::function<void(caf::event_based_actor&)> run) {
  caf::anon_send(actor_, std::make_shared<bridge_call>(bridge_call{std::move(run)}));
}

} // namespace cuzk
