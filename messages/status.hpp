#pragma once
// The node as operators see it: health, queues, lanes, counters, and the orders of an administrator.
#include "messages/budget.hpp"
#include "messages/params.hpp"
#include "messages/proof.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cuzk {

enum class node_phase : std::uint8_t {
  starting, ///< the journal is read
  serving,
  paused,   ///< accepts, but starts nothing
  draining, ///< refuses new jobs, finishes what it has
  stopped,
};

enum class log_severity : std::uint8_t { debug, info, warn, error };

/// Told by the node to its actors.
struct phase_changed {
  node_phase phase{};
};
/// The roles of the node's actors; several of a role are told apart by an index.
enum class actor_role : std::uint8_t {
  tracker,
  journal,
  scheduler,
  budget,
  param_store,
  key_loader,
  synthesizer,
  lane,
  finalizer,
  telemetry,
};
/// An actor died and a new one has its place, without the memory of the old one. Told after the new directory.
struct actor_replaced {
  actor_role role{};
  std::uint32_t index = 0;
  std::string reason; ///< of the death
};
/// A line for the log; telemetry writes it, and only telemetry.
struct log_line {
  log_severity severity{};
  std::string event; ///< stable and greppable: "job-accepted"
  std::string text;  ///< "key=value key=value"
};
/// A timer of an actor's own; one of an older generation is ignored.
struct timer_fired {
  std::uint64_t generation = 0;
};
/// Tracker to node: jobs that are not final yet, and the phase the tracker knows of.
struct work_left {
  std::uint32_t jobs = 0;
  node_phase phase{};
};

struct lane_status {
  lane_info info;
  std::uint32_t credits = 0; ///< free slots
  std::uint32_t in_flight = 0;
  bool quarantined = false;
  std::string reason;       ///< of the quarantine
  std::uint32_t faults = 0; ///< in the window that counts
  std::uint64_t proved = 0;
  std::vector<std::string> working_on; ///< "17/3 ntt": job, partition, stage
};

struct scheduler_query {};
struct scheduler_status {
  bool paused = false;
  std::uint32_t to_prepare = 0, to_synthesize = 0, synthesizing = 0, ready = 0, proving = 0, finalizing = 0;
  std::vector<std::uint32_t> queued_by_class; ///< one entry a class
  std::uint64_t oldest_wait_ms = 0;
  std::uint64_t retries = 0, quarantines = 0, aged = 0, bypasses = 0;
  std::vector<lane_status> lanes;
};

struct tracker_query {};
struct tracker_status {
  std::uint64_t accepted = 0, attached = 0, refused = 0, done = 0, failed = 0, cancelled = 0;
  std::uint32_t unfinished = 0, kept = 0, waiters = 0, watchers = 0, unstored_facts = 0;
  std::uint64_t input_bytes_queued = 0;
  bool journal_ok = true;
};

struct metrics_query {};
/// One sample of a metric, ready for a Prometheus page.
struct metric_sample {
  std::string name;   ///< with unit suffix: "cuzk_prove_seconds"
  std::string labels; ///< "kind=\"porep\",stage=\"ntt\""; empty = none
  double value = 0;
};
enum class metric_type : std::uint8_t { counter, gauge, histogram };
struct metric_family {
  std::string name, help;
  metric_type type{};
  std::vector<metric_sample> samples; ///< a histogram's _bucket, _sum and _count samples
};
struct metrics_page {
  std::vector<metric_family> families;
};

/// One bar of a timeline.
struct trace_span {
  std::string track; ///< "gpu0", "synthesis", "finalizer"
  std::string name;  ///< "ntt", "synthesize"
  partition_ref ref;
  std::int64_t begin_us = 0, end_us = 0; ///< monotonic
};
struct trace_query {
  std::uint32_t last_seconds = 60;
};
struct trace_page {
  std::vector<trace_span> spans; ///< by begin
};

struct actor_health {
  std::string name; ///< "tracker", "synthesizer 2"
  bool up = true;
  std::uint32_t restarts = 0;
  std::string last_death; ///< reason; empty = never died
};

struct node_query {};
struct node_status {
  node_phase phase = node_phase::starting;
  bool ready = false; ///< takes jobs, can write them down and has a lane that can prove
  std::int64_t uptime_ms = 0;
  std::string device; ///< "cpu" said plainly, or the devices
  bool test_keys_allowed = false;
  std::vector<actor_health> actors;
  scheduler_status scheduler;
  budget_status budget;
  params_status params;
  tracker_status tracker;
  std::vector<std::string> unanswered; ///< actors that did not answer in time; their part is empty
};

/// Orders of an administrator. Refusals: conflict (already so), not_found (no such lane).
struct admin_reply {
  outcome result;
};
struct pause_node {};
struct resume_node {};
struct release_lane { ///< out of quarantine
  lane_id lane{};
};
/// Refuse new jobs, finish what is accepted; answered when nothing is left or the limit has passed (resources: what is
/// left stays in the journal for the next start).
struct drain_node {
  std::uint32_t limit_ms = 0; ///< 0 = as long as it takes, at most a day
};
/// Stop now; accepted jobs stay in the journal.
struct stop_node {};

} // namespace cuzk
