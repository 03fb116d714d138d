#pragma once
// Proving keys and matrices: lease, preload, evict, load.
#include "messages/budget.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cuzk {

/// Takes one lease of a circuit's key and matrices; loads them when they are not there. Answered by key_ready or
/// key_failed to the scheduler.
struct lease_key {
  std::string circuit;
  job_class cls = job_class::bulk; ///< of the most urgent job that wants it
};
/// Gives one lease back.
struct release_key {
  std::string circuit;
};
/// Its memory is granted, it is being read; key_ready or key_failed follows.
struct key_loading {
  std::string circuit;
};
/// The key is loaded and leased. Comes with a key_handle.
struct key_ready {
  std::string circuit;
  bool test_key = false;
};
/// Errors: params, resources.
struct key_failed {
  std::string circuit;
  error why{};
};

/// Loads now and keeps until evicted. Refusals: params, resources, bad_input (no such circuit).
struct preload_params {
  std::string circuit;
};
/// Refusals: not_found (not loaded), conflict ("in use by 2 jobs").
struct evict_params {
  std::string circuit;
};
struct params_reply {
  outcome result;
  std::uint64_t bytes = 0;
  std::int64_t took_ms = 0;
};

/// Order to the loader, and its answers; `load` tells an answer of an older order apart.
struct load_key {
  std::string circuit;
  std::uint64_t load = 0;
};
/// Comes with a key_handle.
struct key_loaded {
  std::string circuit;
  std::uint64_t load = 0;
  byte_counts size; ///< really used
  bool test_key = false;
  std::string path;
};
struct key_load_failed {
  std::string circuit;
  std::uint64_t load = 0;
  error why{};
};

enum class key_state : std::uint8_t { waiting_for_memory, loading, loaded, failed };
struct key_status {
  std::string circuit;
  key_state state{};
  byte_counts size;
  std::uint32_t leases = 0;
  bool pinned = false; ///< preloaded: not evicted to make room
  bool test_key = false;
  std::string path;
  error failure{}; ///< when failed
};
struct params_query {};
struct params_status {
  std::string cache_dir;
  std::vector<key_status> keys;
  std::uint64_t loads = 0, evictions = 0;
};

} // namespace cuzk
