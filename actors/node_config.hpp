#pragma once
// Numbers a node runs by. Every one has a default that works; runtime/options fills them from the configuration.
#include "messages/budget.hpp"
#include "messages/proof.hpp"

#include <cstdint>
#include <string>

namespace cuzk {

/// What the tracker refuses and keeps.
struct tracker_limits {
  std::uint32_t max_unfinished_jobs = 1000;           ///< more are refused as resources
  std::uint64_t max_queued_input_bytes = 8ull << 30;  ///< inputs of unfinished jobs together
  std::uint64_t max_input_bytes = 1ull << 30;         ///< one input
  std::uint32_t retry_after_ms = 5000;                ///< said with a refusal for lack of room
  std::int64_t keep_results_ms = 7 * 24 * 3600'000ll; ///< after that a finished job is forgotten
  std::uint32_t keep_results = 10'000;                ///< finished jobs kept at most; the oldest go first
};

/// How work is ordered and retried.
struct scheduler_limits {
  std::uint32_t synthesizers = 2; ///< orders they hold at once
  std::uint32_t finalizers = 2;
  std::uint32_t ready_per_lane = 2;       ///< witnesses made ahead of the lanes' credits
  std::uint32_t max_attempts = 3;         ///< of one partition at device faults
  std::uint32_t max_bad_proofs = 2;       ///< proofs of one partition that did not verify until the job fails
  std::uint32_t max_worker_deaths = 2;    ///< of one job, then it is failed as poison
  std::uint32_t faults_to_quarantine = 3; ///< of one lane within the window
  std::int64_t fault_window_us = 600'000'000;
  std::int64_t age_us = 600'000'000; ///< a job that waited this long cannot be passed for ever
  std::uint32_t age_share = 8;       ///< then every so many-th pick is the oldest such job
};

/// When the node gives a dying actor up.
struct restart_limits {
  std::uint32_t restarts = 5; ///< of one actor within the window; one more stops the node
  std::int64_t window_us = 60'000'000;
};

struct node_config {
  byte_counts memory{16ull << 30, 0, 0};
  tracker_limits tracker;
  scheduler_limits scheduler;
  restart_limits restart;
  bool test_keys_allowed = false;
  std::string params_dir;                    ///< said in status
  std::uint32_t trace_spans = 20'000;        ///< kept by telemetry
  std::uint32_t log_repeats_per_minute = 20; ///< of one event; more are counted, not written
  bool detached = true;                      ///< false: everything on the (test) scheduler, for virtual time
};

} // namespace cuzk
