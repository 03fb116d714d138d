#pragma once
// Owns counters, histograms and the timelines of the last minutes, and writes the log. One per node; when it dies the
// counters start from zero.
#include "actors/interface.hpp"
#include "actors/node_config.hpp"
#include "actors/services.hpp"

namespace cuzk {

using telemetry_actor = caf::typed_actor<
  // Facts, as others hear them.
  reacts_to<lane_info>, reacts_to<partition_stamp>, reacts_to<stage_done>, reacts_to<partition_proved>,
  reacts_to<partition_failed>, reacts_to<partition_verified>, reacts_to<job_event>,
  // A line for the log; too many equal ones become one with a count.
  reacts_to<log_line>,
  // The metrics page: own counters and the gauges of the status.
  replies_to<metrics_query, node_status>::with<metrics_page>, replies_to<trace_query>::with<trace_page>,
  reacts_to<directory_ptr>>;

telemetry_actor spawn_telemetry(caf::actor_system& system, services_ptr services, const node_config& config);

} // namespace cuzk
