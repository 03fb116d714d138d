#pragma once
// The ledger's decisions: who gets memory, in which order, and who may pass whom. No CAF, clock or I/O.
#include "messages/budget.hpp"
#include "messages/work.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace cuzk {

/// To the holder of the reservation.
struct grant_effect {
  budget_holder holder{};
  reservation_granted fact;
};
struct refuse_effect {
  budget_holder holder{};
  reservation_refused fact;
};
/// please_evict goes to all holders, job_waits to the tracker.
using budget_effect = std::variant<grant_effect, refuse_effect, please_evict, job_waits>;
using budget_effects = std::vector<budget_effect>;

/// A ledger of host, pinned and device bytes.
///
/// Waiting reservations stand in one queue by (class, order, arrival). The head gets what is free; one behind it may
/// pass only when that cannot delay the head: either the head still fits beside it, or whichever work ends next makes
/// room for the head all the same. Nobody is passed more than `max_passes` times: then it is the head.
class budget_state {
public:
  static constexpr const char* name = "budget";
  static constexpr std::uint32_t max_passes = 16;

  explicit budget_state(byte_counts total) : total_(total) {}

  /// Books or queues. An id in use is refused as internal. What exceeds the whole budget is refused at once.
  budget_effects reserve(const reserve_memory& ask);
  budget_effects release(const release_memory& back);
  /// The holder died: everything it held or waited for is given back.
  budget_effects holder_died(budget_holder holder);

  budget_status status() const;
  byte_counts free() const;

private:
  using id_key = std::pair<budget_holder, reservation_id>;
  struct entry {
    reserve_memory ask;
    byte_counts held;
    bool granted = false;
    bool parted = false;      ///< the first part is back
    std::uint32_t passed = 0; ///< how often it was passed while it waited
    std::uint64_t arrival = 0;
  };
  // Passed too often first, then class, order, arrival.
  using queue_key = std::tuple<bool, job_class, std::uint64_t, std::uint64_t>;

  static queue_key key_of(const entry& e);
  void grant(entry& e, budget_effects& out);
  void pump(budget_effects& out);
  bool may_pass(const entry& candidate, const entry& head) const;
  bool next_release_suffices(const byte_counts& missing) const;
  void pass(const queue_key& winner);
  void note_pressure(budget_effects& out);
  void drop(std::map<id_key, entry>::iterator it);

  byte_counts total_, reserved_, peak_, pressure_;
  std::map<id_key, entry> entries_;
  std::map<queue_key, id_key> waiting_;
  job_id told_waiting_{};
  std::uint64_t arrivals_ = 0;
};

} // namespace cuzk
