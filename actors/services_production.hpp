#pragma once
// The services of a real node: circuits, keys, the CPU backend, the store. main asks for them; tests give fakes.
#include "actors/services.hpp"
#include "runtime/base/thread_pool.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cuzk {

struct production_config {
  std::string params_dir;
  std::string cache_dir; ///< matrices and remembered checks; made where missing
  std::string state_dir; ///< of the store, to read inputs back
  bool allow_test_keys = false;
  std::uint64_t test_seed = 1; ///< which test keys
  groth16::derived_use derived = groth16::derived_use::automatic;
  std::vector<std::string> devices{"cpu"}; ///< one lane each: "cpu", "cuda:N", "cuda:all", a UUID
  std::uint64_t max_input_bytes = 1ull << 30;
};

/// What a start-up line says of one circuit's key.
struct key_found {
  std::string circuit;
  std::string path; ///< of the .params file, or where it would be
  bool present = false;
  bool test_key = false;
  std::uint64_t bytes = 0;
};
/// Looks for the key files of circuits; opens none. Empty `circuits`: every circuit whose key is there.
/// Errors: bad_input (no such circuit).
result<std::vector<key_found>> find_keys(const production_config& config, const std::vector<std::string>& circuits);

/// All but log and journal, which are the caller's. The pool must outlive the node.
/// Errors: bad_input (a device that is not here); resources (folders, memory of a device); gpu_fault.
result<prover_services> production_services(const production_config& config, thread_pool& pool);

} // namespace cuzk
