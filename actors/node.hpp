#pragma once
// The front door and the root of supervision. The gateway talks to this actor alone: its handle stays good while the
// actors behind it are replaced. It starts them, watches them, starts dead ones again, drains and stops.
#include "actors/interface.hpp"
#include "actors/node_config.hpp"
#include "actors/services.hpp"

#include <caf/actor_system.hpp>

namespace cuzk {

/// What the node's own actors tell it.
using node_facts_actor = caf::typed_actor<reacts_to<work_left>>;

using node_actor = caf::typed_actor<
  // Jobs: see actors/tracker.hpp. A request may outlive its actor's restart: use the limits of actors/timeouts.hpp
  // and ask again.
  replies_to<submit_job, input_handle>::with<submit_reply>, replies_to<await_job>::with<job_report>,
  replies_to<get_job>::with<job_report>, replies_to<cancel_job>::with<cancel_reply>,
  replies_to<list_jobs>::with<job_list>,
  // The sender gets job_event messages until it unsubscribes or ends.
  reacts_to<subscribe_events>, reacts_to<unsubscribe_events>,
  // Keys: see actors/param_store.hpp.
  replies_to<preload_params>::with<params_reply>, replies_to<evict_params>::with<params_reply>,
  // The whole picture, gathered from all actors; what does not answer in time is named in `unanswered`.
  replies_to<node_query>::with<node_status>, replies_to<metrics_query>::with<metrics_page>,
  replies_to<trace_query>::with<trace_page>,
  // Orders of an administrator.
  replies_to<pause_node>::with<admin_reply>, replies_to<resume_node>::with<admin_reply>,
  replies_to<release_lane>::with<admin_reply>,
  // Answered when nothing is left or the limit is over.
  replies_to<drain_node>::with<admin_reply>,
  // Ends all actors and then itself; accepted jobs stay in the journal.
  reacts_to<stop_node>>;

/// Registers our message types and sets the scheduler up; call before making the actor_system.
/// @param threads of CAF's pool; 2 is enough, for nothing computes there.
void configure_actor_system(caf::actor_system_config& config, unsigned threads = 2);

/// Starts a node. Its actors live in `system`; the services, the store and the backends are kept alive by them.
/// Stop it with anon_send(node, stop_node{}) before the actor_system ends.
node_actor spawn_node(caf::actor_system& system, node_config config, prover_services services);

} // namespace cuzk
