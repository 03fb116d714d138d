#pragma once
// The scheduler's picture of its lanes: credits, faults, quarantine. No CAF, clock or I/O.
#include "messages/status.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cuzk {

/// Lanes by id. A lane takes orders as long as it has credits; `faults_to_quarantine` faults within the window take it
/// out of service until an operator releases it.
class lane_table {
public:
  lane_table(std::uint32_t faults_to_quarantine, std::int64_t window_us)
    : faults_to_quarantine_(faults_to_quarantine), window_us_(window_us) {}

  /// The lane is there, with all its credits and nothing in flight. Quarantine and faults outlive a restart.
  void join(const lane_info& info);
  /// The lane is gone; orders it had are the caller's to move.
  void leave(lane_id lane);
  /// It takes `count` orders more; never more than it announced less those in flight.
  void credit(lane_id lane, std::uint32_t count);
  /// Sends it an order. Needs a credit.
  void take(lane_id lane);
  /// An order ended there; the credit comes as a message of its own.
  void ended(lane_id lane, bool proved);
  /// Counts a fault. True when the lane goes into quarantine by it.
  bool fault(lane_id lane, const std::string& reason, std::int64_t now_us);
  /// Errors: not_found; conflict when it is not in quarantine.
  status release(lane_id lane);

  /// The lane for an order: one with credits that serves the class, the emptiest first. Lanes in `avoid` are taken only
  /// when no other lane is in service at all.
  std::optional<lane_id> choose(job_class cls, const std::set<lane_id>& avoid) const;
  /// Lanes that are there, not in quarantine, and serve this class.
  std::uint32_t in_service(job_class cls) const;
  /// Free credits of the lanes in service together.
  std::uint32_t free_credits(job_class cls) const;
  const lane_info* find(lane_id lane) const;
  std::vector<lane_status> status_of_all() const;

private:
  struct slot {
    lane_info info;
    bool up = false, quarantined = false;
    std::uint32_t credits = 0, in_flight = 0;
    std::deque<std::int64_t> faults;
    std::uint64_t proved = 0;
    std::string reason;
  };
  bool serves(const slot& l, job_class cls) const { return l.up && !l.quarantined && cls <= l.info.lowest; }

  std::uint32_t faults_to_quarantine_;
  std::int64_t window_us_;
  std::map<lane_id, slot> lanes_;
};

} // namespace cuzk
