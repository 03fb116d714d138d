#pragma once
// Owns the two ordered queues: what is to be synthesized, and witnesses ready for a lane. One per node; when it dies
// the node starts a new one, lanes give their work up, and the tracker offers every unfinished job again.
#include "actors/interface.hpp"
#include "actors/node_config.hpp"

namespace cuzk {

using scheduler_actor = caf::typed_actor<
  // New work, and work nobody wants any more (answered by job_withdrawn to the tracker).
  reacts_to<offer_job, input_handle>, reacts_to<withdraw_job>,
  // Facts of the ledger.
  reacts_to<reservation_granted>, reacts_to<reservation_refused>, reacts_to<please_evict>,
  // Facts of param_store.
  reacts_to<key_loading>, reacts_to<key_ready, key_handle>, reacts_to<key_failed>,
  // Facts of synthesizers.
  reacts_to<input_prepared, prepared_handle>, reacts_to<partition_synthesized, witness_handle>,
  reacts_to<synthesis_failed>,
  // Facts of lanes: it is there (again), it works, it is done, it takes more.
  reacts_to<lane_info>, reacts_to<partition_started>, reacts_to<partition_proved>, reacts_to<partition_failed>,
  reacts_to<lane_credit>,
  // Facts of finalizers.
  reacts_to<partition_verified>,
  // Orders of the node; a death comes with the directory that has the successor and questions.
  replies_to<release_lane>::with<admin_reply>, replies_to<scheduler_query>::with<scheduler_status>,
  reacts_to<phase_changed>, reacts_to<directory_ptr>, reacts_to<directory_ptr, actor_replaced>>;

scheduler_actor spawn_scheduler(caf::actor_system& system, scheduler_limits limits);

} // namespace cuzk
