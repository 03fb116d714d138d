#pragma once
// What makes two submits the same payload.
#include "messages/job.hpp"

namespace cuzk {

/// SHA-256 over the input's digest and the spec in the journal's form. A submit with a known request id attaches when
/// this is the same, and is refused as conflict when it is not.
bytes32 payload_digest_of(const submit_job& job);

} // namespace cuzk
