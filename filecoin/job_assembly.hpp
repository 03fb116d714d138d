#pragma once
// From what a file says and what stands beside it to a job: agreement, cheap checks, partitions, public inputs.
#include "filecoin/c1_output.hpp"
#include "filecoin/input.hpp"
#include "filecoin/job_json.hpp"

namespace cuzk::filecoin {

/// The proof type given beside the file, for forms that do not say it. Errors: bad_input.
result<registered_proof> stated_proof(const input_options& options, proof_kind kind);

// Errors of all: bad_input.
result<job_input> assemble_porep(c1_output c1, const input_options& options);
/// A C1 output in its envelope: size must agree, the sector number is the default.
result<job_input> assemble_envelope(const c1_envelope& envelope, const input_options& options);
/// PoSt and snap, from a document or a bare array.
result<job_input> assemble_job(job_document job, const input_options& options);
/// PoSt and snap proofs in bincode, one after the other until the end of the file.
result<job_input> assemble_concatenated(byte_view file, const registered_proof& proof, const input_options& options);

} // namespace cuzk::filecoin
