#pragma once
// The ledger of memory: what is asked of it and what it answers.
#include "messages/ids.hpp"
#include "messages/job.hpp"
#include "runtime/base/error.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cuzk {

/// Bytes of the three kinds of memory.
struct byte_counts {
  std::uint64_t host = 0, pinned = 0, device = 0;

  friend bool operator==(const byte_counts&, const byte_counts&) = default;
  bool empty() const noexcept { return host == 0 && pinned == 0 && device == 0; }
  /// Every kind fits.
  bool fits(const byte_counts& room) const noexcept {
    return host <= room.host && pinned <= room.pinned && device <= room.device;
  }
  byte_counts& operator+=(const byte_counts& o) noexcept {
    host += o.host, pinned += o.pinned, device += o.device;
    return *this;
  }
  /// Every kind of `o` must be at most that of *this.
  byte_counts& operator-=(const byte_counts& o) noexcept {
    host -= o.host, pinned -= o.pinned, device -= o.device;
    return *this;
  }
  friend byte_counts operator+(byte_counts a, const byte_counts& b) noexcept { return a += b; }
  friend byte_counts operator-(byte_counts a, const byte_counts& b) noexcept { return a -= b; }
};

/// Who holds a reservation.
enum class budget_holder : std::uint8_t { scheduler, param_store };

/// Queued until it fits; answered by reservation_granted or reservation_refused to the holder. Ids are the holder's.
struct reserve_memory {
  budget_holder holder{};
  reservation_id id{};
  byte_counts want;
  byte_counts first_part; ///< of it, what will be given back first; zero = all at once
  job_class cls = job_class::bulk;
  std::uint64_t order = 0;   ///< within the class; smaller goes first
  bool stays = false;        ///< kept for an unknown time (keys, parsed inputs): no release to wait for
  bool held_already = false; ///< after a restart of the ledger: the memory is in use, book it whatever the sum
  job_id job{};              ///< on whose behalf; 0 = none
};
struct reservation_granted {
  reservation_id id{};
};
/// Errors: resources, for what can never fit: what is needed, what the whole budget is.
struct reservation_refused {
  reservation_id id{};
  error why{};
};
/// Gives a part back, or all of it. A reservation still waiting is taken out of the queue. Unknown ids are ignored.
struct release_memory {
  budget_holder holder{};
  reservation_id id{};
  bool all = true;
  byte_counts part; ///< when not all
};
/// To the holders: a reservation lacks this much; what is idle could go. Zero: the need is over.
struct please_evict {
  byte_counts want;
};

struct holder_status {
  budget_holder holder{};
  std::uint32_t reservations = 0, waiting = 0;
  byte_counts held;
};
struct budget_query {};
/// The ledger as a value.
struct budget_status {
  byte_counts total, reserved, peak;
  std::uint32_t granted = 0, waiting = 0;
  std::vector<holder_status> holders;
};

} // namespace cuzk
