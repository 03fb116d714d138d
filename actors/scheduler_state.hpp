#pragma once
// Decides what is synthesized and proved next, where, and again after a fault. No CAF, clock or I/O: facts and the time
// come in, effects go out.
#include "actors/lane_table.hpp"
#include "actors/node_config.hpp"
#include "actors/work_queue.hpp"
#include "messages/budget.hpp"
#include "messages/handles.hpp"
#include "messages/params.hpp"
#include "messages/work.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace cuzk {

/// Orders to synthesizer `index`.
struct prepare_effect {
  std::uint32_t index = 0;
  prepare_input order;
  input_handle input;
};
struct synthesize_effect {
  std::uint32_t index = 0;
  synthesize_partition order;
  prepared_handle input;
};
struct cancel_synthesis_effect {
  std::uint32_t index = 0;
  cancel_synthesis order;
};
/// Orders to a lane.
struct prove_effect {
  lane_id lane{};
  prove_partition order;
  witness_handle work;
};
struct cancel_lane_effect {
  lane_id lane{};
  cancel_partition order;
};
/// The rest go by their type: to the ledger, param_store, the tracker, telemetry.
using scheduler_effect =
  std::variant<prepare_effect, synthesize_effect, cancel_synthesis_effect, prove_effect, cancel_lane_effect,
               reserve_memory, release_memory, lease_key, release_key, job_prepared, job_unprovable, job_withdrawn,
               job_waits, partition_stamp, log_line>;
using scheduler_effects = std::vector<scheduler_effect>;

/// Two queues in one order (see work_order): what is to be made (inputs to read, witnesses to synthesize), and
/// witnesses ready for a lane.
///
/// The head of the first queue gets its key leased and then its memory reserved before it is taken out, one piece at a
/// time; a smaller piece of a job whose key is there may be offered to the ledger behind it. Witnesses are made ahead
/// of the lanes only so far (`ready_per_lane`), counted per class, so that urgent work never finds the room taken. A
/// witness stays here until its proof is made, so that another lane can have it; the memory of proving is given back
/// then, the rest when the proof is verified.
class scheduler_state {
public:
  static constexpr const char* name = "scheduler";
  /// A doubtful verdict is waited for this long.
  static constexpr std::int64_t verdict_limit_us = 60'000'000;
  explicit scheduler_state(scheduler_limits limits);

  scheduler_effects offer(const offer_job& offer, input_handle input, std::int64_t now_us);
  scheduler_effects withdraw(job_id job, std::int64_t now_us);

  scheduler_effects granted(reservation_id id, std::int64_t now_us);
  scheduler_effects refused(reservation_id id, const error& why, std::int64_t now_us);
  /// The ledger lacks memory: parsed inputs of jobs that are not next can go and be read again.
  scheduler_effects make_room(const please_evict& ask, std::int64_t now_us);

  scheduler_effects key_is_loading(const std::string& circuit, std::int64_t now_us);
  scheduler_effects key_is_ready(const key_ready& fact, key_handle key, std::int64_t now_us);
  scheduler_effects key_has_failed(const key_failed& fact, std::int64_t now_us);

  scheduler_effects prepared(const input_prepared& fact, prepared_handle input, std::int64_t now_us);
  scheduler_effects synthesized(const partition_synthesized& fact, witness_handle work, std::int64_t now_us);
  scheduler_effects synthesis_has_failed(const synthesis_failed& fact, std::int64_t now_us);

  scheduler_effects lane_joined(const lane_info& info, std::int64_t now_us);
  scheduler_effects started(const partition_started& fact, std::int64_t now_us);
  scheduler_effects proved(const partition_proved& fact, std::int64_t now_us);
  scheduler_effects lane_failed(const partition_failed& fact, std::int64_t now_us);
  scheduler_effects credit(const lane_credit& fact, std::int64_t now_us);
  scheduler_effects verified(const partition_verified& fact, std::int64_t now_us);
  /// Takes a lane out of quarantine; `answer` says whether there was one.
  scheduler_effects release(lane_id lane, std::int64_t now_us, outcome& answer);

  scheduler_effects phase(node_phase phase, std::int64_t now_us);
  /// An actor died and was replaced; what it held comes to nothing and is done again.
  scheduler_effects replaced(const actor_replaced& fact, std::int64_t now_us);
  /// Time has passed: deadlines, verdicts that did not come.
  scheduler_effects tick(std::int64_t now_us);
  /// When tick is due; nothing when nothing is.
  std::optional<std::int64_t> next_wakeup() const;

  scheduler_status status(std::int64_t now_us) const;
  /// The finalizer a partition's proof goes to, the same at every attempt.
  static std::uint32_t finalizer_of(const partition_ref& ref, std::uint32_t finalizers);

private:
  enum class step : std::uint8_t { queued, synthesizing, ready, dispatched, running, finalizing };
  struct item {
    partition_ref ref;
    std::uint32_t input_partition = 0;
    step at = step::queued;
    bool unwanted = false; ///< ends when what runs ends
    bool recalled = false; ///< asked back from its lane
    bool doubtful = false; ///< its finalizer was replaced while it was at a lane: the proof may reach the dead one
    reservation_id reservation{};
    byte_counts held;
    std::uint32_t synthesizer = 0;
    lane_id lane{};
    std::set<lane_id> avoid;
    std::uint32_t faults = 0, bad_proofs = 0;
    witness_handle work;
  };
  enum class reading : std::uint8_t { wanted, running, done };
  struct job {
    offer_job offer;
    input_handle raw;
    std::int64_t queued_us = 0;
    reading input = reading::wanted;
    prepared_handle parsed;
    reservation_id reservation{}; ///< of the parsed input
    std::uint32_t synthesizer = 0;
    bool announced = false; ///< job_prepared was said
    bool ending = false;    ///< failed or withdrawn; goes when nothing of it runs
    std::map<std::uint32_t, item> items;
    std::uint32_t deaths = 0;
    std::string waits;
  };
  /// A circuit whose key is leased.
  struct circuit_use {
    bool leased = false;     ///< asked of param_store
    bool has_memory = false; ///< being loaded or loaded
    key_handle key;
    std::array<std::uint32_t, std::size(all_job_classes)> ahead{}; ///< witnesses made or in the making, by class
    std::uint32_t users = 0; ///< acquisitions, inputs being read, partitions under way
  };
  /// A piece that is about to be taken out of the queue.
  struct acquisition {
    work_order order;
    std::string circuit;
    reservation_id reservation{}; ///< 0: not asked yet
    byte_counts want;
    bool granted = false;
  };
  using slot = std::optional<acquisition>;

  // scheduler_state.cpp: jobs
  work_order order_of(const job& j, std::int64_t partition) const;
  job* find(job_id id);
  item* find(const partition_ref& ref);
  void announce(job& j, const input_prepared& fact, std::int64_t now_us, scheduler_effects& out);
  void queue_work(job& j);
  void fail(job& j, error why, scheduler_effects& out);
  void end_job(job& j, scheduler_effects& out);
  void end_item(job& j, item& it, scheduler_effects& out);
  void remove_item(job& j, item& it, scheduler_effects& out);
  void set_step(job& j, item& it, step to);
  void set_reading(job& j, reading to);
  bool forget_if_over(job_id id, scheduler_effects& out);
  void drop_parsed(job& j, scheduler_effects& out);
  void drop_parsed_if_used(job& j, scheduler_effects& out);
  void release_all(item& it, scheduler_effects& out);
  void note_death(job& j, const std::string& who, scheduler_effects& out);
  void stamp(const item& it, partition_mark mark, std::int64_t now_us, scheduler_effects& out, std::string note = {});
  void say_waits(job& j, std::string reason, scheduler_effects& out);
  cuzk::status take_partitions(job& j, std::uint32_t in_input);

  // scheduler_acquire.cpp: from the first queue to a synthesizer
  void pump(std::int64_t now_us, scheduler_effects& out);
  void expire(std::int64_t now_us, scheduler_effects& out);
  void resolve_doubts(std::int64_t now_us, scheduler_effects& out);
  void acquire(std::int64_t now_us, scheduler_effects& out);
  bool may_make(const work_order& order) const;
  bool has_key(const std::string& circuit) const;
  byte_counts want_of(const job& j, const work_order& order) const;
  void begin(slot& s, const work_order& order, scheduler_effects& out);
  void ask_memory(acquisition& a, bool behind, scheduler_effects& out);
  void offer_bypass(scheduler_effects& out);
  void abandon(slot& s, scheduler_effects& out);
  void launch(slot& s, std::int64_t now_us, scheduler_effects& out);
  void use(const std::string& circuit, job_class cls, scheduler_effects& out);
  void unuse(const std::string& circuit, scheduler_effects& out);
  void relieve(scheduler_effects& out);
  void free_synthesizer(std::uint32_t index) { idle_.insert(index); }

  // scheduler_lanes.cpp: from the second queue to a verified proof
  void dispatch(std::int64_t now_us, scheduler_effects& out);
  bool may_prove(const work_order& order) const;
  void recall_for_urgent(scheduler_effects& out);
  void send_to_lane(job& j, item& it, lane_id lane, std::int64_t now_us, scheduler_effects& out);
  void back_to_ready(job& j, item& it, std::int64_t now_us, const std::string& why, scheduler_effects& out);
  void make_again(job& j, item& it, std::int64_t now_us, const std::string& why, scheduler_effects& out);
  void blame_lane(lane_id lane, const std::string& why, std::int64_t now_us, scheduler_effects& out);
  void lane_died(lane_id lane, const std::string& reason, std::int64_t now_us, scheduler_effects& out);
  void synthesizer_died(std::uint32_t index, const std::string& reason, std::int64_t now_us, scheduler_effects& out);
  void finalizer_died(std::uint32_t index, const std::string& reason, std::int64_t now_us, scheduler_effects& out);
  void book_again(scheduler_effects& out);
  void lease_again(std::int64_t now_us, scheduler_effects& out);
  void give_up_witness(job& j, item& it, std::int64_t now_us, scheduler_effects& out);

  scheduler_limits limits_;
  std::map<job_id, job> jobs_;
  work_queue to_make_, ready_;
  std::set<std::pair<std::int64_t, job_id>> deadlines_;
  std::set<std::pair<std::int64_t, partition_ref>> doubts_; ///< proved again when no verdict has come by then
  std::set<job_id> parsed_;                                 ///< inputs parsed or being parsed
  std::set<std::pair<job_id, std::uint32_t>> sent_;         ///< partitions at a lane that are not begun
  std::set<std::uint32_t> idle_;                            ///< synthesizers without an order
  std::map<std::string, circuit_use> circuits_;
  lane_table lanes_;
  slot head_, behind_; ///< behind_: offered to the ledger to pass the head
  byte_counts pressure_;
  bool paused_ = false;
  std::uint64_t next_reservation_ = 1;
  std::uint64_t retries_ = 0, quarantines_ = 0, aged_ = 0, bypasses_ = 0;
};

} // namespace cuzk
