#pragma once
// What the actors need of the world, as functions: circuits, inputs, keys, compute threads, clock, log. main fills
// them in (services_production.hpp), tests give fakes.
#include "groth16/backend.hpp"
#include "messages/handles.hpp"
#include "messages/params.hpp"
#include "messages/status.hpp"
#include "messages/work.hpp"
#include "runtime/store.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cuzk {

/// What an input turned out to be.
struct prepared_job {
  std::shared_ptr<const prepared_input> input;
  std::uint32_t partitions = 0;
  std::string identity; ///< "checked", "unchecked", "in input"
};

struct made_witness {
  std::shared_ptr<const partition_witness> witness;
  std::shared_ptr<const partition_statement> statement;
};

struct opened_key {
  std::shared_ptr<const loaded_key> key;
  byte_counts size; ///< really used
  bool test_key = false;
  std::string path;
};

/// A device of this host.
struct lane_device {
  lane_info info;
  std::shared_ptr<groth16::backend> backend;
  std::uint32_t depth = 0; ///< orders at the backend at once; 0 = as many as it likes. The rest wait in the lane
};

struct prover_services {
  // -- cheap, called by actors directly

  /// Memory the steps of a circuit's jobs take. Errors: bad_input (no such circuit).
  std::function<result<work_need>(const std::string& circuit)> need_of;
  /// Size of a circuit's key and matrices. Errors: bad_input, params (no key file).
  std::function<result<byte_counts>(const std::string& circuit)> key_size_of;
  /// Unix time in ms.
  std::function<std::int64_t()> wall_ms;
  /// Writes a line of the log. Called by telemetry alone.
  std::function<void(const log_line&)> log;

  // -- heavy, run on the compute threads

  /// Queues a task for the compute threads and returns at once.
  std::function<void(std::function<void()>)> compute;
  /// The cheap look at an input before it is accepted. Errors: bad_input.
  std::function<input_inspected(const job_spec&, byte_view)> inspect;
  /// Reads an input back from the store. Errors: not_found, internal.
  std::function<result<std::shared_ptr<const bytes>>(const bytes32& digest)> read_input;
  /// Parses and checks an input in full. Errors: bad_input with the place.
  std::function<result<prepared_job>(const job_spec&, const bytes&)> prepare;
  /// Makes the witness of a partition of the input; looks at `stop` now and then. Errors: cancelled, bad_input,
  /// internal.
  std::function<result<made_witness>(const prepared_input&, std::uint32_t partition, const std::atomic<bool>& stop)>
    synthesize;
  /// Verifies a proof. Errors: self_check_failed; internal when it could not be checked.
  std::function<status(const proof_bytes&, const statement_handle&)> verify;

  // -- blocking, run on the loader's own thread

  /// Errors: params, resources, bad_input.
  std::function<result<opened_key>(const std::string& circuit)> open_key;

  // -- engines

  std::vector<lane_device> lanes;
  /// Turns an order into the backend's request: key, circuit, witness, r and s (drawn when not given).
  std::function<result<groth16::prove_request>(const prove_partition&, const witness_handle&)> to_request;
  /// Bytes of the points. Errors: internal.
  std::function<result<proof_bytes>(const groth16::raw_proof&)> encode;
  std::shared_ptr<store::journal_store> journal;
};

using services_ptr = std::shared_ptr<const prover_services>;

} // namespace cuzk
