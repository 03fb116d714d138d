#pragma once
// Owns the ledger of memory. One per node; when it dies its holders book again what they hold. What a dead holder held
// is given back.
#include "actors/interface.hpp"

namespace cuzk {

using budget_actor = caf::typed_actor<
  // Queued until it fits; reservation_granted or reservation_refused goes to the holder.
  reacts_to<reserve_memory>,
  // Gives back a part or all, also of what still waits.
  reacts_to<release_memory>, replies_to<budget_query>::with<budget_status>, reacts_to<directory_ptr>>;

/// @param total what may be reserved together.
budget_actor spawn_budget(caf::actor_system& system, byte_counts total);

} // namespace cuzk
