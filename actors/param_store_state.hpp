#pragma once
// Decides about loaded keys: single-flight loading, leases, preloading, eviction. No CAF, clock or I/O.
#include "messages/budget.hpp"
#include "messages/handles.hpp"
#include "messages/params.hpp"
#include "messages/status.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace cuzk {

struct key_ready_effect {
  key_ready fact;
  key_handle key;
};
/// Answers a preload or evict by its ticket.
struct params_answer {
  std::uint64_t ticket = 0;
  params_reply reply;
};
/// Memory asks go to the ledger, load_key to the loader, key facts to the scheduler.
using param_effect = std::variant<reserve_memory, release_memory, load_key, key_loading, key_ready_effect, key_failed,
                                  params_answer, log_line>;
using param_effects = std::vector<param_effect>;

/// Keys and matrices of circuits. A key is loaded once however many want it, stays while it is leased or preloaded, and
/// otherwise until the ledger asks for room: the one unused longest goes first. Times are monotonic, in us.
class param_store_state {
public:
  static constexpr const char* name = "param_store";
  explicit param_store_state(std::string cache_dir) : cache_dir_(std::move(cache_dir)) {}

  /// @param size what the key and its matrices take, or why there is none.
  param_effects lease(const lease_key& ask, const result<byte_counts>& size, std::int64_t now_us);
  param_effects release(const release_key& back, std::int64_t now_us);
  param_effects preload(std::uint64_t ticket, const std::string& circuit, const result<byte_counts>& size,
                        std::int64_t now_us);
  param_effects evict(std::uint64_t ticket, const std::string& circuit);

  param_effects granted(reservation_id id);
  param_effects refused(reservation_id id, const error& why);
  param_effects make_room(const please_evict& ask);

  param_effects loaded(const key_loaded& fact, key_handle key, std::int64_t now_us);
  param_effects load_failed(const key_load_failed& fact);

  /// The scheduler is a new one: its leases are gone.
  param_effects scheduler_replaced(std::int64_t now_us);
  /// The loader is a new one: what it was reading is asked again.
  param_effects loader_replaced();
  /// The ledger is a new one: what is held is booked again, what waited is asked again.
  param_effects budget_replaced();

  params_status status() const;

private:
  struct entry {
    key_state state = key_state::waiting_for_memory;
    reservation_id reservation{};
    byte_counts size;
    job_class cls = job_class::bulk;
    std::uint32_t leases = 0;
    bool pinned = false; ///< preloaded
    bool test_key = false;
    std::uint64_t load = 0;
    std::int64_t asked_us = 0;
    std::int64_t idle_since_us = 0;
    std::string path;
    key_handle key;
    std::vector<std::uint64_t> preloads; ///< tickets that wait
  };
  using entry_map = std::map<std::string, entry>;

  entry& create(const std::string& circuit, const byte_counts& size, job_class cls, std::int64_t now_us,
                param_effects& out);
  reserve_memory ask_for(const entry& e) const;
  void start_load(const std::string& circuit, entry& e, param_effects& out);
  void fail(entry_map::iterator it, const error& why, param_effects& out);
  void drop(entry_map::iterator it, param_effects& out);
  void relieve(param_effects& out);
  bool idle(const entry& e) const { return e.leases == 0 && !e.pinned && e.preloads.empty(); }
  entry_map::iterator find(reservation_id id);

  std::string cache_dir_;
  entry_map entries_;
  byte_counts pressure_;
  std::uint64_t next_id_ = 1, next_load_ = 1, loads_ = 0, evictions_ = 0;
};

} // namespace cuzk
