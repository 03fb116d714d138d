#pragma once
// Work between tracker, scheduler, synthesizers and finalizers.
#include "messages/budget.hpp"
#include "messages/proof.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cuzk {

/// Memory the steps of a job take; by arithmetic from the circuit's shape, before anything is made.
struct work_need {
  byte_counts prepare; ///< parsed input, kept until every witness is made
  byte_counts witness; ///< made by synthesis, consumed by proving
  byte_counts keep;    ///< of a partition until it is final: statement and proof
  byte_counts prove;   ///< host scratch of the lane; what it has on its device is its own matter
  byte_counts key;     ///< key and matrices of the circuit
};

/// What the cheap look at an input found, before the job is accepted.
struct input_inspected {
  job_id job{};
  outcome result; ///< bad_input: framing, sizes, no such circuit
  std::string kind, circuit;
  work_need need;
};

/// A job as the scheduler needs it. Comes with an input_handle (null after a restart: read from the store).
struct offer_job {
  job_id job{};
  job_spec spec;
  bytes32 input_digest{};
  std::uint64_t input_bytes = 0;
  work_need need;
  std::int64_t deadline_us = 0;        ///< on the monotonic clock of this run; 0 = none
  std::vector<std::uint32_t> finished; ///< partitions already proved and on disk
  std::uint32_t first_attempt = 1;     ///< attempts start here, so that an older incarnation's facts are told apart
};
/// The job is final: drop all that is queued, stop all that runs.
struct withdraw_job {
  job_id job{};
};
/// Scheduler to tracker: nothing of a withdrawn job is left, all its memory is given back.
struct job_withdrawn {
  job_id job{};
};

/// Order to a synthesizer: read and check the input of a job.
struct prepare_input {
  job_id job{};
  job_spec spec;
  bytes32 input_digest{};
};
/// The input was read and is right.
struct input_prepared {
  job_id job{};
  std::uint32_t partitions = 0; ///< of the input
  std::string identity;         ///< "checked", "unchecked", "in input"
  std::int64_t took_us = 0;
};
/// Order to a synthesizer: make the witness of one partition. Comes with a prepared_handle.
struct synthesize_partition {
  partition_ref ref;
  std::uint32_t input_partition = 0;
};
/// The witness is made. Comes with a witness_handle.
struct partition_synthesized {
  partition_ref ref;
  std::int64_t took_us = 0;
};
/// A synthesizer could not do an order: `ref.attempt` 0 means the preparation of the job.
struct synthesis_failed {
  partition_ref ref;
  error why{};
};
/// To a synthesizer: stop when convenient; answered by synthesis_failed{cancelled} or by the finished work.
struct cancel_synthesis {
  partition_ref ref;
};

/// Numbers the orders of a worker, for what it tells itself about them.
struct order_number {
  std::uint64_t value = 0;
};

/// The verdict of a finalizer.
struct partition_verified {
  partition_ref ref;
  lane_id lane{};
  std::string lane_name, device;
  bool test_key = false; ///< proved with an insecure test key
  bool good = false;
  proof_bytes proof{};
  error why{}; ///< when not good: self_check_failed, or internal when it could not be checked
  std::int64_t assemble_us = 0;
  std::int64_t verify_us = 0;
};

/// Scheduler to tracker: the job cannot be finished.
struct job_unprovable {
  job_id job{};
  error why{};
};
/// Scheduler to tracker: the input was read; so many partitions will be proved.
struct job_prepared {
  job_id job{};
  std::uint32_t partitions = 0; ///< proved for this job
  std::string identity;
};

/// A moment in the life of a partition, for timelines and for the tracker's picture of it.
enum class partition_mark : std::uint8_t {
  queued,
  reserved, ///< its memory is granted
  synthesizing,
  synthesized,
  dispatched, ///< sent to a lane
  started,    ///< the lane works on it
  proved,
  verified,
  stored,  ///< its proof is on disk
  retried, ///< this attempt came to nothing; another follows
};
struct partition_stamp {
  partition_ref ref;
  partition_mark mark{};
  std::int64_t at_us = 0; ///< monotonic
  lane_id lane{};         ///< from dispatched on
  std::string note;       ///< reason of a retry
};

/// Why a job does not move, told when it changes; empty = it moves.
struct job_waits {
  job_id job{};
  std::string reason;
};

} // namespace cuzk
