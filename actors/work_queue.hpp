#pragma once
// A queue in the order of urgency, in which nobody waits for ever.
#include "messages/ids.hpp"
#include "messages/job.hpp"

#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace cuzk {

/// The place of a piece of work: class, then the client's priority (higher first), deadline, job, partition.
struct work_order {
  job_class cls = job_class::bulk;
  std::int64_t unimportance = 0; ///< minus the priority
  std::int64_t deadline_us = std::numeric_limits<std::int64_t>::max();
  job_id job{};
  std::int64_t partition = -1; ///< -1: reading the input, before all partitions
  friend auto operator<=>(const work_order&, const work_order&) = default;
};

/// Work by urgency with an ageing rule: once a piece has waited `age_us`, at most `age_share` others may be taken
/// before it, unless they are of the first class. Cost: logarithmic, and linear in the pieces that are looked at in
/// vain.
class work_queue {
public:
  work_queue(std::int64_t age_us, std::uint32_t age_share) : age_us_(age_us), age_share_(age_share) {}

  void add(const work_order& order, std::int64_t queued_us);
  /// False when it was not there.
  bool remove(const work_order& order);
  bool contains(const work_order& order) const { return by_order_.count(order) != 0; }
  bool empty() const { return by_order_.empty(); }
  std::size_t size() const { return by_order_.size(); }

  /// What goes next among the pieces that `usable` accepts; looks at `depth` pieces at most.
  template <class Usable>
  std::optional<work_order> pick(std::int64_t now_us, Usable usable, std::size_t depth = 64) const {
    std::optional<work_order> first;
    for (auto it = by_order_.begin(); it != by_order_.end() && depth-- > 0; ++it)
      if (usable(it->first)) {
        first = it->first;
        break;
      }
    const auto old = aged(now_us);
    if (!old || (first && (first->cls == job_class::winning || *old <= *first)))
      return first;
    return (!first || passes_ >= age_share_) && usable(*old) ? old : first;
  }

  /// Takes a picked piece out and keeps count of who was passed. True when an aged piece was served before its turn.
  bool take(const work_order& order, std::int64_t now_us);

  /// Pieces in order, for looking only.
  const std::map<work_order, std::int64_t>& pieces() const { return by_order_; }
  /// When the piece that waits longest was queued; nothing in an empty queue.
  std::optional<std::int64_t> oldest_us() const;

private:
  std::optional<work_order> aged(std::int64_t now_us) const;

  std::int64_t age_us_;
  std::uint32_t age_share_;
  std::uint32_t passes_ = 0; ///< of the aged piece, since one was served
  std::map<work_order, std::int64_t> by_order_;
  std::set<std::pair<std::int64_t, work_order>> by_age_;
};

} // namespace cuzk
