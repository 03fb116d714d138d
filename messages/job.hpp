#pragma once
// What a client asks of the node about jobs, and what it is told. Expected refusals are data: see `outcome`.
#include "messages/ids.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/hex.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cuzk {

/// Order of urgency, most urgent first. The kind decides (WinningPoSt, WindowPoSt, then PoRep and SnapDeals); a client
/// may lower its job to background, never raise it.
enum class job_class : std::uint8_t { winning, window, bulk, background };
inline constexpr job_class all_job_classes[] = {job_class::winning, job_class::window, job_class::bulk,
                                                job_class::background};

/// Where a job is. The last three are final.
enum class job_state : std::uint8_t {
  checking,  ///< framing of the input is looked at; not yet accepted
  accepting, ///< on its way to the disk; not yet accepted
  queued,    ///< accepted; nothing of it has begun
  running,   ///< at least one partition has begun
  done,      ///< every partition proved and verified; the result is on disk
  failed,    ///< `error` says why
  cancelled, ///< `error` says by whom
};
constexpr bool is_final(job_state s) noexcept {
  return s >= job_state::done;
}

/// Whether a request was granted; a refusal says why. `why` counts only when not ok.
struct outcome {
  bool ok = true;
  error why{};
};
inline outcome refused(error why) {
  return {false, std::move(why)};
}

/// The identity given beside a PoRep input. Without it the job runs and its result says `identity: unchecked`.
struct job_identity {
  bool given = false;
  bytes32 prover_id{};     ///< the miner's address payload, padded with zeros
  bool has_sector = false; ///< false: the sector number of the input is taken
  std::uint64_t sector = 0;
};

/// What is to be proved and how; the same on every attempt.
struct job_spec {
  std::string kind;                  ///< "porep", "winning", "window", "snap"; empty: read from the input
  std::string circuit;               ///< "porep-2k" …; empty: read from the input, then filled in by the node
  job_class cls = job_class::bulk;   ///< set by the node from the circuit
  bool background = false;           ///< the client lowers its job to the last class
  std::int32_t priority = 0;         ///< within a class; higher goes first
  std::int64_t deadline_wall_ms = 0; ///< Unix time in ms after which the result is worthless; 0 = none
  job_identity identity{};
  std::vector<bytes32> r, s; ///< blinding scalars of the partitions proved, in order, little-endian; empty = random
  std::int32_t only_partition = -1; ///< prove this partition alone; -1 = all
  std::string flags; ///< JSON object of fields given as flags beside a bare array of proofs; empty = none
};

/// Asks for a job. The input travels beside it as an input_handle (local_handles.hpp); a null handle names a file the
/// store already has. Same request id and payload digest: the same job. Other payload digest: refused as conflict.
struct submit_job {
  std::string request_id;   ///< chosen by the client, 1 to 128 bytes
  bytes32 payload_digest{}; ///< over input and spec, by payload_digest_of (actors/payload.hpp)
  bytes32 input_digest{};   ///< SHA-256 of the input bytes; names the stored file
  std::uint64_t input_bytes = 0;
  job_spec spec;
};

/// Refusals: bad_input, conflict, resources (with retry-after), shutdown, deadline, params.
struct submit_reply {
  outcome result;
  job_id job{};
  bool attached = false; ///< the request id was known: this is the job of the first submit
  job_state state = job_state::queued;
};

/// Waits until the job is final, at most `timeout_ms`; 0 asks without waiting. Refusals: not_found.
struct await_job {
  job_id job{};
  std::uint32_t timeout_ms = 0; ///< at most 3,600,000; more is cut to that
};

/// Asks for one job; by number, or by request id when `job` is 0. Refusals: not_found.
struct get_job {
  job_id job{};
  std::string request_id;
};

/// Refusals: not_found; conflict when the job is already final in another way than cancelled.
struct cancel_job {
  job_id job{};
  std::string by; ///< who asks, for the record
};
struct cancel_reply {
  outcome result;
  job_state state = job_state::cancelled;
};

/// Lists jobs, newest first.
struct list_jobs {
  std::uint32_t limit = 100;
  job_id before{}; ///< only jobs with a smaller number; 0 = from the newest
  bool unfinished_only = false;
};

/// What one partition is doing.
enum class partition_state : std::uint8_t {
  waiting, ///< in the queue to be synthesized
  synthesizing,
  ready, ///< witness made, waiting for a lane
  proving,
  finalizing, ///< proved; being verified
  done,
};

/// One partition as a client sees it.
struct partition_report {
  std::uint32_t partition = 0; ///< index in the job
  partition_state state = partition_state::waiting;
  std::uint32_t attempt = 0;
  std::string stage;          ///< last stage heard of while proving: "ntt" …; empty otherwise
  std::string lane;           ///< name of the lane that proves or proved it; empty before
  std::uint32_t total_ms = 0; ///< from queueing to its verified proof; 0 before
};

/// One job as a client sees it.
struct job_report {
  outcome found; ///< not_found for an unknown job; the rest is then empty
  job_id job{};
  std::string request_id;
  std::string kind, circuit;
  job_class cls = job_class::bulk;
  job_state state = job_state::queued;
  error failure{};       ///< for failed and cancelled
  std::string waits_for; ///< why nothing moves: "its turn", "memory", "params loading", "device busy", "no device",
                         ///< "paused"; empty: it moves
  std::int64_t submitted_wall_ms = 0;
  std::int64_t started_wall_ms = 0;  ///< 0 before
  std::int64_t finished_wall_ms = 0; ///< 0 before
  std::int64_t deadline_wall_ms = 0; ///< 0 = none
  std::uint32_t partitions = 0;      ///< how many are proved for this job; 0 until the input was read
  std::uint32_t partitions_done = 0;
  std::uint32_t percent = 0; ///< rough progress for a bar
  std::uint32_t eta_ms = 0;  ///< estimate until done; 0 = not known
  std::vector<partition_report> parts;
  bytes proof;           ///< 192 bytes a partition, in order; only when done
  bool test_key = false; ///< proved with an insecure test key
  std::string identity;  ///< "checked", "unchecked", "in input"; empty until the input was read
  std::string device;    ///< "cpu", or the devices that proved it
};

/// Answer to list_jobs; reports without proofs and partitions.
struct job_list {
  std::vector<job_report> jobs;
  bool more = false;
};

/// One change, pushed to watchers in order.
struct job_event {
  std::uint64_t number = 0; ///< counts events of this run of the node, without gaps
  std::int64_t wall_ms = 0;
  job_id job{};
  std::string
    what; ///< "accepted", "started", "stage", "partition_done", "retry", "waits", "done", "failed", "cancelled"
  std::uint32_t partition = 0;
  std::uint32_t attempt = 0;
  std::string detail; ///< stage, lane, reason or error text
  job_state state = job_state::queued;
  std::uint32_t percent = 0;
};

/// Makes the sender get every job_event from now on; the sender must understand job_event.
struct subscribe_events {
  job_id only{}; ///< events of this job alone; 0 = all
};
struct unsubscribe_events {};

} // namespace cuzk
