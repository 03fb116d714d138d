#pragma once
// Reads inputs and makes witnesses, one order at a time, on the process's compute threads. N per node; keeps nothing
// between orders. When one dies the node starts it again and the scheduler queues its order anew.
#include "actors/interface.hpp"
#include "actors/services.hpp"

namespace cuzk {

using synthesizer_actor = caf::typed_actor<
  // Reads and checks an input; input_prepared or synthesis_failed goes to the scheduler.
  reacts_to<prepare_input, input_handle>,
  // Makes a witness; partition_synthesized or synthesis_failed goes to the scheduler.
  reacts_to<synthesize_partition, prepared_handle>, reacts_to<cancel_synthesis>, reacts_to<directory_ptr>>;

synthesizer_actor spawn_synthesizer(caf::actor_system& system, services_ptr services);

} // namespace cuzk
