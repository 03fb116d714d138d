#pragma once
// A node in virtual time: the real state classes, and simulated workers, journal and network between them. Messages of
// one sender to one receiver keep their order; between different ones the order is drawn from the seed.
#include "actors/budget_state.hpp"
#include "actors/param_store_state.hpp"
#include "actors/scheduler_state.hpp"
#include "actors/tracker_state.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace cuzk::test {

/// What outlives a kill.
struct durable {
  std::vector<journal_fact> facts;
  std::map<std::string, job_id> accepted; ///< request ids the client was told are accepted
  std::map<std::string, submit_job> asked;
  std::set<std::string> cancelled;
  std::int64_t wall_ms = 1'700'000'000'000;
};

struct world_options {
  std::uint64_t seed = 1;
  std::uint32_t synthesizers = 2, finalizers = 2, lanes = 2;
  byte_counts memory{1000, 0, 0};
  double lane_fault = 0, bad_proof = 0, death = 0, synth_error = 0, journal_refusal = 0;
  tracker_limits tracker;
  scheduler_limits scheduler;
};

struct circuit_model {
  std::uint32_t partitions = 1;
  work_need need;
  std::int64_t synth_us = 1000, prove_us = 10'000, load_us = 50'000;
};

class world {
public:
  world(world_options options, durable& disk);

  std::map<std::string, circuit_model> circuits;

  /// Delivers the next message; false when there is none.
  bool step();
  void run() {
    while (step()) {
    }
  }
  void run_until(std::int64_t us) {
    while (!events_.empty() && events_.top().at <= us)
      step();
    now_ = std::max(now_, us);
  }
  std::uint64_t steps() const { return steps_; }
  std::int64_t now() const { return now_; }

  void submit(const std::string& request, const std::string& circuit, job_spec spec = {});
  void cancel(const std::string& request);
  void set_phase(node_phase p);
  void kill(actor_role role, std::uint32_t index);

  job_report report(const std::string& request) const { return tracker_->report({job_id{}, request}, moment_now()); }
  tracker_state& tracker() { return *tracker_; }
  scheduler_state& scheduler() { return *scheduler_; }
  budget_state& budget() { return *budget_; }
  param_store_state& params() { return *params_; }
  const std::vector<std::string>& violations() const { return violations_; }
  std::mt19937_64& random() { return random_; }

  std::vector<partition_ref> dispatched; ///< in the order of dispatch
  std::vector<submit_reply> submit_replies;
  std::vector<cancel_reply> cancel_replies;
  std::vector<log_line> log;
  std::map<std::string, std::uint32_t> finals; ///< how often a final event was seen, by request
  std::uint32_t work_left_told = ~0u;

private:
  struct event {
    std::int64_t at;
    std::uint64_t seq;
    std::function<void()> run;
    bool operator>(const event& o) const { return std::tie(at, seq) > std::tie(o.at, o.seq); }
  };
  struct lane_model {
    lane_info info;
    std::deque<prove_effect> waiting; ///< front runs
    std::uint64_t run = 0;            ///< identifies what runs, to tell cancelled runs apart
    bool running = false;
    std::uint32_t held = 0;
  };
  struct synth_model {
    std::uint64_t run = 0;
    bool busy = false;
  };

  moment moment_now() const { return {now_, disk_.wall_ms + now_ / 1000}; }
  bool chance(double p) { return p > 0 && std::uniform_real_distribution<double>(0, 1)(random_) < p; }
  void at(std::int64_t us, std::function<void()> f) { events_.push({us, ++seq_, std::move(f)}); }
  /// A message: arrives a little later, in order on its channel; not at all when the receiver
  /// was replaced and the sender does not know it yet.
  void send(const std::string& from, const std::string& to, std::function<void()> f);
  /// The news of a death arrives after what the dead one sent, and before what its successor sends.
  void replace(const std::string& who);
  void tell_death(const std::string& dead, const std::string& to, std::function<void()> f);
  std::int64_t jitter(std::int64_t us) { return us / 2 + static_cast<std::int64_t>(random_() % (us + 1)); }
  void expect(bool fine, const std::string& what) {
    if (!fine)
      violations_.push_back("t=" + std::to_string(now_) + ": " + what);
  }

  void apply(const tracker_effects& effects);
  void apply(const scheduler_effects& effects);
  void apply(const budget_effects& effects);
  void apply(const param_effects& effects);
  void start_tracker();
  void start_scheduler();
  void arm_timers();
  void restore();
  void commit(const std::vector<append_effect>& batch, bool refuse);
  void journal_append(const append_effect& e);
  void synth_order(std::uint32_t index, std::int64_t took, std::function<void()> answer);
  void lane_order(lane_model& l, const prove_effect& e);
  void lane_next(lane_model& l);
  void lane_end(lane_model& l, std::function<void()> fact);
  void lane_cancel(lane_model& l, const cancel_partition& c);
  void finalize(const prove_effect& e, lane_id lane);
  work_need need_of(const std::string& circuit) const;

  world_options options_;
  durable& disk_;
  std::mt19937_64 random_;
  std::int64_t now_ = 0;
  std::uint64_t seq_ = 0, steps_ = 0;
  std::priority_queue<event, std::vector<event>, std::greater<>> events_;
  std::map<std::pair<std::string, std::string>, std::int64_t> channels_;
  std::map<std::string, std::uint64_t> generation_;                    ///< of each receiver
  std::map<std::pair<std::string, std::string>, std::uint64_t> known_; ///< generation the first has a handle of
  std::unique_ptr<tracker_state> tracker_;
  std::unique_ptr<scheduler_state> scheduler_;
  std::unique_ptr<budget_state> budget_;
  std::unique_ptr<param_store_state> params_;
  std::vector<lane_model> lanes_;
  std::vector<synth_model> synths_;
  std::vector<append_effect> journal_queue_;
  bool journal_busy_ = false;
  std::uint64_t next_ticket_ = 1;
  std::map<ticket, std::string> submits_;
  std::map<job_id, std::string> request_of_;
  std::vector<std::string> violations_;
  std::int64_t tracker_timer_ = -1, scheduler_timer_ = -1;
  std::set<std::pair<job_id, std::uint32_t>> proofs_on_disk_;
};

} // namespace cuzk::test
