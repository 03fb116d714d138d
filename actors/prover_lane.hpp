#pragma once
// A lane: one device that proves. Event-driven: it hands an order to its backend and returns; the backend's callbacks
// are messages. Facts go to scheduler, tracker, telemetry and a finalizer; a lane never logs, waits or touches a disk.
// One per device; when it dies the node starts it again and the scheduler sends its partitions to another.
#include "actors/interface.hpp"
#include "actors/services.hpp"

namespace cuzk {

using prover_lane_actor = caf::typed_actor<
  // Takes an order within its credits; ends in partition_proved or partition_failed, then lane_credit.
  reacts_to<prove_partition, witness_handle>,
  // Stop an attempt at the next kernel boundary.
  reacts_to<cancel_partition>,
  // The scheduler is new: stop everything, then say lane_info and credits again.
  reacts_to<reset_lane>, reacts_to<directory_ptr>>;

/// @param detached a thread of its own, as a device's calls may take a while; false in virtual time.
prover_lane_actor spawn_prover_lane(caf::actor_system& system, const lane_device& device, services_ptr services,
                                    bool detached);

} // namespace cuzk
