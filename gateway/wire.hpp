#pragma once
// Values of messages/ to and from their Cap'n Proto form. The server writes what the client reads, and the other way
// round: both directions stand here, and a test takes every value there and back.
#include "messages/job.hpp"
#include "messages/params.hpp"
#include "messages/proving.capnp.h"
#include "messages/status.hpp"
#include "runtime/base/error.hpp"

namespace cuzk::wire {

rpc::Code to_wire(errc code);
errc from_wire(rpc::Code code);
rpc::JobState to_wire(job_state state);
job_state from_wire(rpc::JobState state);

void write(const error& from, rpc::Refusal::Builder to);
error read(rpc::Refusal::Reader from);

/// Request and identity; the digests and the size of the input are not part of it.
/// Errors: bad_input for a digest, scalar or prover id of another length than 32 bytes, naming the member.
result<submit_job> read(rpc::JobRequest::Reader from);
void write(const submit_job& from, rpc::JobRequest::Builder to);

void write(const job_report& from, rpc::JobReport::Builder to);
job_report read(rpc::JobReport::Reader from);

void write(const job_event& from, rpc::Event::Builder to);
job_event read(rpc::Event::Reader from);

void write(const node_status& from, rpc::NodeStatus::Builder to);
node_status read(rpc::NodeStatus::Reader from);

/// Text of a reader as a string.
inline std::string text(capnp::Text::Reader from) {
  return {from.cStr(), from.size()};
}
inline bytes to_bytes(capnp::Data::Reader from) {
  return {from.begin(), from.end()};
}
inline capnp::Data::Reader to_data(byte_view from) {
  return {from.data(), from.size()};
}

} // namespace cuzk::wire
