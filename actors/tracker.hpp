#pragma once
// Owns the state of every job and partition, the results and who waits for them. One per node; when it dies the node
// starts it again from the journal, together with a new scheduler.
#include "actors/interface.hpp"
#include "actors/node_config.hpp"
#include "actors/services.hpp"

namespace cuzk {

using tracker_actor = caf::typed_actor<
  // Accepts a job once it is on disk, or attaches to the job of an earlier submit. Refusals are in the reply.
  replies_to<submit_job, input_handle>::with<submit_reply>,
  // The job's report when it is final or the time is over.
  replies_to<await_job>::with<job_report>,
  // The report now. Refusal: not_found.
  replies_to<get_job>::with<job_report>,
  // Ends the job; its work is stopped at the next kernel boundary.
  replies_to<cancel_job>::with<cancel_reply>, replies_to<list_jobs>::with<job_list>,
  // The sender gets job_event messages until it unsubscribes or ends.
  reacts_to<subscribe_events>, reacts_to<unsubscribe_events>, replies_to<tracker_query>::with<tracker_status>,
  // Facts of the journal.
  reacts_to<facts_stored>, reacts_to<facts_refused>, reacts_to<journal_contents>,
  // Facts of the scheduler.
  reacts_to<job_prepared>, reacts_to<job_unprovable>, reacts_to<job_withdrawn>, reacts_to<partition_stamp>,
  reacts_to<job_waits>,
  // Facts of lanes and finalizers.
  reacts_to<stage_done>, reacts_to<partition_verified>,
  // Orders of the node; a death comes with the directory that has the successor.
  reacts_to<phase_changed>, reacts_to<directory_ptr>, reacts_to<directory_ptr, actor_replaced>>;

/// What a watcher must understand.
using event_sink_actor = caf::typed_actor<reacts_to<job_event>>;

tracker_actor spawn_tracker(caf::actor_system& system, services_ptr services, const node_config& config);

} // namespace cuzk
