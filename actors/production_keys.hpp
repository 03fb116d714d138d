#pragma once
// Keys of a real node: where they lie, which may be used, and opening them.
#include "actors/production_circuits.hpp"
#include "actors/services_production.hpp"
#include "groth16/circuit.hpp"
#include "groth16/proving_key.hpp"

#include <string>

namespace cuzk {

/// A key with its matrices, ready for a backend.
struct real_key final : loaded_key {
  std::shared_ptr<const groth16::proving_key> key;
  std::shared_ptr<const groth16::circuit> circuit;
};

/// The key file of a circuit: the published name, else, where test keys are allowed, that of the test key.
key_found key_file(const production_config& config, const filecoin::circuit_name& circuit);

/// Opens a key. A file that was never seen before is read in full first: digest and every point, remembered in
/// cache_dir/checked-files. Errors: params (missing, damaged, a test key where none is allowed, no derived key where
/// one is required); bad_input (no such circuit); resources.
result<opened_key> open_key(const production_config& config, circuit_table& circuits, const std::string& circuit,
                            thread_pool& pool);

} // namespace cuzk
