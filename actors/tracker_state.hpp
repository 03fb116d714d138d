#pragma once
// Decides about jobs: acceptance, idempotency, results, waiters, retention. No CAF, clock or I/O: requests, facts and
// the time come in, effects go out.
#include "actors/node_config.hpp"
#include "messages/handles.hpp"
#include "messages/job.hpp"
#include "messages/journal.hpp"
#include "messages/status.hpp"
#include "messages/work.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace cuzk {

/// Both clocks at one moment.
struct moment {
  std::int64_t mono_us = 0;
  std::int64_t wall_ms = 0;
};
/// Names a request whose answer comes later.
enum class ticket : std::uint64_t {};

/// Have the input looked at; answered by input_inspected.
struct inspect_effect {
  job_id job{};
  job_spec spec;
  bytes32 input_digest{};
  input_handle input;
};
struct append_effect {
  append_facts facts;
  input_handle input;
};
struct offer_effect {
  offer_job offer;
  input_handle input;
};
struct submit_answer {
  ticket to{};
  submit_reply reply;
};
struct report_answer {
  ticket to{};
  job_report report;
};
struct cancel_answer {
  ticket to{};
  cancel_reply reply;
};
/// job_event goes to the watchers and telemetry, work_left to the node, withdraw_job to the scheduler.
using tracker_effect = std::variant<inspect_effect, append_effect, offer_effect, withdraw_job, submit_answer,
                                    report_answer, cancel_answer, job_event, partition_stamp, work_left, log_line>;
using tracker_effects = std::vector<tracker_effect>;

/// Every job from its submit to its forgetting. A job is accepted when the journal has it, done when the journal has
/// its last proof, and then answered: nothing is said that a kill could take back.
class tracker_state {
public:
  static constexpr const char* name = "tracker";
  using need_function = std::function<result<work_need>(const std::string& circuit)>;

  /// @param memory the whole budget: what can never fit is refused at submit.
  tracker_state(tracker_limits limits, byte_counts memory) : limits_(limits), memory_(memory) {}

  /// Takes up what the journal has. @param need_of arithmetic on the circuit's name.
  tracker_effects restore(const journal_contents& contents, const need_function& need_of, moment now);

  tracker_effects submit(ticket to, const submit_job& ask, input_handle input, moment now);
  tracker_effects inspected(const input_inspected& fact, moment now);
  tracker_effects await(ticket to, const await_job& ask, moment now);
  tracker_effects cancel(ticket to, const cancel_job& ask, moment now);
  job_report report(const get_job& ask, moment now) const;
  job_list list(const list_jobs& ask, moment now) const;

  tracker_effects stored(const facts_stored& fact, moment now);
  tracker_effects store_refused(const facts_refused& fact, moment now);
  /// The journal is a new one: what it did not confirm is told again.
  tracker_effects journal_replaced(moment now);

  tracker_effects prepared(const job_prepared& fact, moment now);
  tracker_effects unprovable(const job_unprovable& fact, moment now);
  tracker_effects withdrawn(const job_withdrawn& fact, moment now);
  tracker_effects stamped(const partition_stamp& fact, moment now);
  tracker_effects stage(const stage_done& fact, moment now);
  tracker_effects verified(const partition_verified& fact, moment now);
  tracker_effects waits(const job_waits& fact, moment now);
  /// The scheduler is a new one: every unfinished job is offered again.
  tracker_effects scheduler_replaced(moment now);

  tracker_effects phase(node_phase phase, moment now);
  /// Time has passed: waiters, deadlines, retention, facts to be told again.
  tracker_effects tick(moment now);
  /// When tick is due, on the monotonic clock.
  std::optional<std::int64_t> next_wakeup() const;

  tracker_status status() const;
  bool loaded() const { return loaded_; }

private:
  struct part {
    partition_state state = partition_state::waiting;
    std::uint32_t attempt = 0;
    std::string stage, lane;
    std::uint32_t stages = 0; ///< done in this attempt
    std::int64_t since_us = 0;
    std::int64_t verified_us = 0;
    std::uint32_t total_ms = 0;
    std::optional<proof_bytes> proof;
    bool stored = false;
  };
  struct job {
    journal_fact accepted; ///< spec, ids and digests
    work_need need;
    job_state state = job_state::checking;
    bool ending = false; ///< a finished fact is on its way to the disk
    job_state end = job_state::failed;
    error failure{};
    std::int64_t started_wall_ms = 0, finished_wall_ms = 0;
    std::int64_t deadline_us = 0;
    std::int64_t begun_us = 0; ///< in this run
    std::string identity, waits;
    std::set<std::string> devices;
    bool test_key = false;
    bool known_shape = false; ///< parts has its final size
    std::vector<part> parts;
    std::uint32_t last_attempt = 0;
    input_handle input; ///< until the scheduler has read it, as far as there is room
    std::vector<ticket> submitters, cancellers;
  };
  struct waiter {
    ticket to{};
    job_id id{};
    std::int64_t until_us = 0;
  };

  // tracker_state.cpp: requests
  std::optional<error> refuse_new(const submit_job& ask, moment now) const;
  std::optional<error> hopeless(const job& j, moment now) const;
  tracker_effects attach(ticket to, const submit_job& ask, job_id id) const;
  void refuse_submit(job_id id, const error& why, tracker_effects& out);
  job* find(job_id id);
  const job* find(job_id id) const;
  job_report report_of(job_id id, const job& j, moment now, bool whole) const;
  void answer_waiters(job_id id, const job& j, moment now, tracker_effects& out);

  // tracker_facts.cpp: what happens to a job
  void append(journal_fact fact, moment now, input_handle input, tracker_effects& out);
  void on_stored(const journal_fact& fact, moment now, tracker_effects& out);
  void finish(job_id id, job& j, job_state end, error why, moment now, tracker_effects& out);
  void finish_if_proved(job_id id, job& j, moment now, tracker_effects& out);
  void conclude(job_id id, job& j, const journal_fact& fact, moment now, tracker_effects& out);
  void offer(job_id id, job& j, tracker_effects& out);
  void drop_input(job& j);
  void take_up(const journal_fact& fact, moment now);
  void retain(moment now, tracker_effects& out);
  void say(job_id id, const job& j, const char* what, moment now, tracker_effects& out, const partition_ref& ref = {},
           std::string detail = {});
  void begin(job& j, moment now);
  void tell_work_left(tracker_effects& out);
  static std::uint32_t percent_of(const job& j);
  std::string waits_of(const job& j) const;

  tracker_limits limits_;
  byte_counts memory_;
  bool loaded_ = false;
  node_phase phase_ = node_phase::starting;
  std::uint64_t next_job_ = 1, next_seq_ = 1, next_event_ = 1;
  std::map<job_id, job> jobs_;
  std::map<std::string, job_id> by_request_;
  std::set<std::pair<std::int64_t, job_id>> deadlines_; ///< unfinished jobs, monotonic
  std::set<std::pair<std::int64_t, job_id>> finished_;  ///< by wall clock of the end
  std::map<std::string, std::int64_t>
    fastest_us_; ///< by circuit: the whole job that took the least, from its beginning
  std::set<job_id> forgetting_;
  std::vector<waiter> waiters_;
  std::map<std::uint64_t, journal_fact> unstored_;
  std::set<std::uint64_t> to_retry_; ///< of these, refused by the journal
  std::int64_t retry_at_us_ = 0;
  bool journal_ok_ = true;
  std::uint32_t unfinished_ = 0;
  std::optional<std::uint32_t> told_left_;
  std::uint64_t queued_bytes_ = 0, held_bytes_ = 0;
  tracker_status counts_;
};

} // namespace cuzk
