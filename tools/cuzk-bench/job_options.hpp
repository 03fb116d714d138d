#pragma once
// The job file of a command line and what is said beside it.
#include "circuits/catalog.hpp"
#include "filecoin/input.hpp"
#include "groth16/circuit.hpp"
#include "tools/cuzk-bench/arguments.hpp"

#include <memory>
#include <vector>

namespace cuzk::bench {

/// Options that say what the file does not: kind, size, API version, identity.
const std::vector<option>& job_options();
/// `more` and those of job_options().
std::vector<option> with_job_options(std::vector<option> more);

/// Reads and frames INPUT. Errors: bad_input; resources.
result<filecoin::job_input> load_job(const arguments& args);

/// The partitions asked for: --partition K alone, else all.
result<std::vector<std::size_t>> partitions_of(const arguments& args, const filecoin::job_input& job);

/// A circuit with its matrices and digest.
struct loaded_circuit {
  std::shared_ptr<const circuits::circuit> text;
  std::shared_ptr<const groth16::circuit> shape;
};
result<loaded_circuit> load_circuit(const filecoin::circuit_name& name);

} // namespace cuzk::bench
