#pragma once
// Owns what is known of loaded keys and matrices. The loader beside it is detached, for reading keys blocks. One each
// per node; when one dies the node starts it again and the scheduler leases anew.
#include "actors/interface.hpp"
#include "actors/services.hpp"

#include <string>

namespace cuzk {

using param_store_actor = caf::typed_actor<
  // One lease; key_ready or key_failed goes to the scheduler. Ten leases of a key that is not there load it once.
  reacts_to<lease_key>, reacts_to<release_key>,
  // Load and keep; answered when it is loaded or cannot be.
  replies_to<preload_params>::with<params_reply>, replies_to<evict_params>::with<params_reply>,
  replies_to<params_query>::with<params_status>,
  // Facts of the ledger.
  reacts_to<reservation_granted>, reacts_to<reservation_refused>, reacts_to<please_evict>,
  // Facts of the loader.
  reacts_to<key_loaded, key_handle>, reacts_to<key_load_failed>, reacts_to<directory_ptr>>;

/// Reads one key after another; tells param_store.
using key_loader_actor = caf::typed_actor<reacts_to<load_key>, reacts_to<directory_ptr>>;

/// @param cache_dir where keys are looked for, as said in status.
param_store_actor spawn_param_store(caf::actor_system& system, services_ptr services, std::string cache_dir);
/// @param detached a thread of its own, for reading blocks; false in virtual time.
key_loader_actor spawn_key_loader(caf::actor_system& system, services_ptr services, bool detached);

} // namespace cuzk
