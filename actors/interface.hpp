#pragma once
// What every interface header needs: the messages, the local handles, the directory and CAF's typed actors.
#include "actors/directory_fwd.hpp"
#include "messages/local_handles.hpp"
#include "messages/type_ids.hpp"

#include <caf/typed_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

namespace cuzk {

using caf::reacts_to;
using caf::replies_to;

} // namespace cuzk
