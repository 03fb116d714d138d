#pragma once
// The single door for inputs of provers: a file of any accepted form becomes partitions ready for circuits.
#include "filecoin/identity.hpp"
#include "filecoin/vanilla.hpp"
#include "runtime/base/hex.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace cuzk {
class thread_pool;
}

namespace cuzk::filecoin {

/// A sector of a PoSt as the job names it.
struct named_sector {
  std::uint64_t sector = 0;
  digest comm_r{};
};

/// What the file does not say itself. Where both say it, they must agree.
struct input_options {
  std::optional<proof_kind> kind;        ///< bare arrays, bincode; inner C1 is porep
  std::optional<registered_proof> proof; ///< size and API version: inner C1, bare arrays, bincode
  std::optional<digest> prover_id;
  std::optional<std::uint64_t> sector;                      ///< porep; default: SectorNum of the envelope
  std::optional<digest> porep_id;                           ///< porep; default: by the registered proof
  std::optional<digest> randomness;                         ///< PoSt
  std::optional<std::uint32_t> partition;                   ///< window: the sectors are those of this partition alone
  std::vector<named_sector> sectors;                        ///< PoSt; empty: as the proofs say
  std::optional<digest> comm_r_old, comm_d_new, comm_r_new; ///< snap
  std::size_t max_bytes = std::size_t(1) << 30;             ///< of the file; larger ones are refused
};

/// Whether challenges, parents and replica id were recomputed from who proves, or taken from the proofs.
enum class identity_state : std::uint8_t { unchecked, checked };
const char* to_string(identity_state state) noexcept;

/// What a PoRep is about.
struct porep_statement {
  digest replica_id{};
  digest comm_d{};
  digest comm_r{};
  digest seed{};
  digest ticket{};
  std::optional<sector_identity> who;
};

/// What a PoSt is about; without randomness the identity is unchecked.
struct post_statement {
  digest prover_id{};
  std::optional<digest> randomness;
  std::uint32_t first_partition = 0;
};

struct snap_statement {
  digest comm_r_old{};
  digest comm_d_new{};
  digest comm_r_new{};
};

/// A job: one statement, its partitions in order.
struct job_input {
  circuit_name circuit;
  registered_proof proof;
  identity_state identity = identity_state::unchecked;
  std::variant<porep_statement, post_statement, snap_statement> statement;
  std::vector<vanilla_partition> partitions;
  /// Per partition, without ONE, in the order of the circuit. With a checked identity these are what a verifier
  /// computes; check() proves that the vanilla proofs agree with them.
  std::vector<std::vector<fr>> public_inputs;
};

/// Reads and frames a file: form found by content, counts and sizes fit the sector's shape, commitments are field
/// elements, the identity given beside it leads to the same replica id.
/// Forms: C1 output (JSON, or in the envelope of lotus), inner C1 (JSON or bincode), PoSt and snap jobs (JSON),
/// a JSON array of base64 strings, one or more bincode proofs in a row.
/// Cost: one pass over the bytes; memory about that of the decoded proofs. Errors: bad_input with JSON pointer or byte
/// offset, resources for a file above max_bytes.
result<job_input> load_job(byte_view file, const input_options& options = {});

/// Vanilla checks before any synthesis, over `pool`: field range, Merkle paths, columns, labels, encoding, commitments,
/// and with a checked identity challenges and parents. What passes satisfies the circuit.
/// Errors: bad_input naming partition, challenge and part.
status check(const job_input& job, thread_pool& pool);
/// The same for one partition; partition < job.partitions.size().
status check_partition(const job_input& job, std::size_t partition, thread_pool& pool);

} // namespace cuzk::filecoin
