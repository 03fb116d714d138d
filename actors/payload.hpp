#pragma once
// What makes two submits the same payload.
#include "messages/job.hpp"

namespace cuzk {

/// SHA-256 over the input's digest and the spec in the journal's form, without when and how urgently it is wanted: the
/// first submit says that, and a deadline given as a span is another time when it is said again. A submit with a known
/// request id attaches when this is the same, and is refused as conflict when it is not.
bytes32 payload_digest_of(const submit_job& job);

} // namespace cuzk
