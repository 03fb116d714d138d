#pragma once
// Owns the journal on disk. Detached: it may block on the disk. All appends that came while it was writing go into the
// next transaction. When it dies the node opens it again and the tracker tells it what was not confirmed.
#include "actors/interface.hpp"
#include "actors/services.hpp"

namespace cuzk {

using journal_actor = caf::typed_actor<
  // Writes facts; facts_stored or facts_refused goes to the tracker. The handle is the input of an accepted job, or
  // null.
  reacts_to<append_facts, input_handle>,
  // Everything that is kept; journal_contents goes to the tracker.
  reacts_to<load_journal>, reacts_to<directory_ptr>>;

/// @param detached a thread of its own, for the disk blocks; false in virtual time.
journal_actor spawn_journal(caf::actor_system& system, services_ptr services, bool detached);

} // namespace cuzk
