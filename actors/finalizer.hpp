#pragma once
// Verifies proofs on the process's compute threads. F per node; keeps nothing between partitions. When one dies the
// node starts it again and the scheduler has its partitions proved anew.
#include "actors/interface.hpp"
#include "actors/services.hpp"

namespace cuzk {

using finalizer_actor = caf::typed_actor<
  // Checks one proof; partition_verified goes to tracker, scheduler and telemetry.
  reacts_to<partition_proved, statement_handle>, reacts_to<directory_ptr>>;

finalizer_actor spawn_finalizer(caf::actor_system& system, services_ptr services);

} // namespace cuzk
