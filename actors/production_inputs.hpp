#pragma once
// Inputs of a real node: from a job's description and its bytes to partitions and their witnesses.
#include "actors/production_circuits.hpp"
#include "actors/services.hpp"
#include "filecoin/input.hpp"
#include "runtime/base/thread_pool.hpp"

#include <cstdint>

namespace cuzk {

/// A checked input, partition by partition.
struct real_input final : prepared_input {
  filecoin::job_input job;
  std::shared_ptr<const circuits::circuit> circuit;
};
/// Public inputs of one partition, without ONE.
struct real_statement final : partition_statement {
  std::vector<fr> inputs;
};
struct real_witness final : partition_witness {
  std::shared_ptr<const compact_witness> witness;
};

/// What a job's description says beside the file. The fields of `spec.flags` have the names of the job documents:
/// kind, registered_proof, prover_id, randomness, partition, sectors, comm_r_old, comm_r_new, comm_d_new.
/// Errors: bad_input with the place in the description.
result<filecoin::input_options> input_options_of(const job_spec& spec, byte_view file, std::uint64_t max_bytes);

/// Reads and frames; then what the description says must fit: circuit, partition, numbers of r and s.
/// Errors: bad_input, resources.
result<filecoin::job_input> read_job(const job_spec& spec, byte_view file, std::uint64_t max_bytes);

/// What a result says about identity: "checked" (against what was given beside the input), "in input", "unchecked".
std::string identity_text(const filecoin::job_input& job, const job_spec& spec);

/// Reads, frames and checks all vanilla proofs. Errors: bad_input.
result<prepared_job> prepare_job(const job_spec& spec, byte_view file, std::uint64_t max_bytes, circuit_table& circuits,
                                 thread_pool& pool);

/// Errors: cancelled, bad_input, internal.
result<made_witness> make_witness(const real_input& input, std::uint32_t partition, const std::atomic<bool>& stop,
                                  thread_pool& pool);

} // namespace cuzk
