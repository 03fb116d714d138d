#pragma once
// Job documents in JSON: PoSt and snap jobs, lotus' envelope of a C1 output, bare arrays; and which form a text has.
#include "filecoin/input.hpp"

#include <string_view>

namespace cuzk::filecoin {

enum class json_form : std::uint8_t { c1, c1_inner, envelope, job, proof_array };

/// Finds the form by the members that are there; reads no further than the first one that tells.
/// Errors: bad_input.
result<json_form> json_form_of(std::string_view text);

/// { "SectorNum", "Phase1Out": base64 of a C1 output, "SectorSize": bytes }
struct c1_envelope {
  std::uint64_t sector = 0;
  sector_size size = sector_size::k2;
  bytes c1;
};
result<c1_envelope> read_envelope(std::string_view text);

/// A PoSt or snap job as it stands in the file; proofs still in bincode. Fields of the other kind are empty.
struct job_document {
  std::optional<proof_kind> kind; ///< empty: a bare array
  std::optional<registered_proof> proof;
  std::optional<digest> prover_id;
  std::optional<digest> randomness;
  std::optional<std::uint32_t> partition;
  std::vector<named_sector> sectors;
  std::optional<digest> comm_r_old, comm_d_new, comm_r_new;
  std::vector<bytes> proofs;
};
result<job_document> read_job_json(std::string_view text);
/// ["base64", …]
result<job_document> read_proof_array(std::string_view text);

} // namespace cuzk::filecoin
