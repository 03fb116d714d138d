#pragma once
// The commands of cuzk-bench: each has its table of options and a function that runs it.
#include "tools/cuzk-bench/arguments.hpp"
#include "tools/cuzk-bench/report.hpp"

namespace cuzk::bench {

/// What a command has to say; main prints it.
using outcome = result<report>;

const command& prove_spec();
outcome run_prove(const arguments& args);

const command& witness_spec();
outcome run_witness(const arguments& args);

const command& matrices_spec();
outcome run_matrices(const arguments& args);

const command& generate_spec();
outcome run_generate(const arguments& args);

const command& make_input_spec();
outcome run_make_input(const arguments& args);

const command& seal_spec();
outcome run_seal(const arguments& args);

const command& cpu_spec();
outcome run_cpu(const arguments& args);

} // namespace cuzk::bench
