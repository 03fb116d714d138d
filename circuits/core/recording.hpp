#pragma once
// Rows of a gadget with its own variables and its arguments by place, so that they can be repeated for other arguments.
#include "circuits/core/shape_types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace cuzk::circuits {

/// What a gadget did: aux it allocated, rows it emitted.
struct recording {
  /// Where a variable lies: 0 = ONE, k + 1 = argument k, aux_flag | j = own aux j.
  struct slot_term {
    std::uint32_t slot;
    coefficient_id coefficient;
  };
  struct row_lengths {
    std::uint32_t a, b, c;
  };
  std::vector<slot_term> terms;
  std::vector<row_lengths> rows; ///< empty when the reader had no sink
  std::uint64_t row_count = 0;
  std::vector<wire_run> runs;               ///< own aux; first_aux counts from the gadget's start
  std::vector<std::uint8_t> argument_order; ///< argument places by rising variable, as recorded
  std::uint32_t result = 0;                 ///< slot
};

/// Takes down rows between start and stop.
class recorder {
public:
  /// @param first_aux own aux begin here. @param rows emitted so far.
  recorder(std::span<const shape_num> args, std::uint32_t first_aux, std::uint64_t rows);
  void add(const r1cs_row& row);
  /// False when the rows use a variable that is neither argument nor own: then nothing may be repeated.
  bool finish(const wire_map& wires, std::uint64_t rows, const shape_num& result, recording& out);

private:
  std::uint32_t slot_of(variable v);
  void add_side(std::span<const term> side);

  std::vector<shape_num> args_;
  std::uint32_t first_aux_;
  std::uint64_t first_row_;
  bool closed_ = true; // every variable so far is an argument or own
  recording out_;
};

/// Places of the arguments by rising variable.
std::vector<std::uint8_t> order_of(std::span<const shape_num> args);

} // namespace cuzk::circuits
