#pragma once
// Facts that must survive a kill, and the journal's answers.
#include "messages/job.hpp"
#include "messages/proof.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cuzk {

enum class fact_type : std::uint8_t {
  accepted,       ///< the job exists: spec, request id, digests
  prepared,       ///< how many partitions it has
  partition_done, ///< one verified proof
  finished,       ///< done, failed or cancelled
  forgotten,      ///< retention has passed: everything of the job may go
};

/// One line of the journal. Which fields count depends on the type.
struct journal_fact {
  std::uint64_t seq = 0; ///< numbers the facts of this run of the tracker
  fact_type type{};
  job_id job{};
  std::int64_t wall_ms = 0;
  std::string request_id;              ///< accepted
  bytes32 payload_digest{};            ///< accepted
  bytes32 input_digest{};              ///< accepted
  std::uint64_t input_bytes = 0;       ///< accepted
  job_spec spec;                       ///< accepted
  std::uint32_t partitions = 0;        ///< prepared
  std::string identity;                ///< prepared
  std::uint32_t partition = 0;         ///< partition_done
  std::uint32_t attempt = 0;           ///< partition_done
  proof_bytes proof{};                 ///< partition_done
  std::string device;                  ///< partition_done
  bool test_key = false;               ///< partition_done
  job_state state = job_state::queued; ///< finished
  error failure{};                     ///< finished
};

/// Facts to be written in the next group commit. Comes with an input_handle for `accepted` (else null): the input is
/// written before the fact. Answered by facts_stored or facts_refused to the tracker.
struct append_facts {
  std::vector<journal_fact> facts;
};
/// These facts are on disk.
struct facts_stored {
  std::vector<std::uint64_t> seqs;
};
/// Nothing of these facts is on disk. Errors: resources (disk full), internal.
struct facts_refused {
  std::vector<std::uint64_t> seqs;
  error why{};
};

struct load_journal {};
/// Everything not forgotten, job by job; of each job the facts in the order of fact_type.
struct journal_contents {
  outcome result;
  std::vector<journal_fact> facts;
  std::uint64_t next_job = 1; ///< larger than every number ever given
};

} // namespace cuzk
