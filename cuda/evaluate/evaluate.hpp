#pragma once
// Row values of a compact matrix and a compact witness on the device. No CUDA header, C++17.
#include "cuda/device/memory.hpp"
#include "math/field.hpp"

#include <cstdint>

namespace cuzk::cuda {

/// A sparse_matrix of circuits/core/matrices.hpp, its arrays on the device.
struct device_matrix {
  const std::uint8_t* row_lengths = nullptr; ///< 255: the length is in long_rows
  const std::uint64_t* block_entry = nullptr;
  const std::uint32_t* block_long = nullptr;
  const std::uint32_t* long_rows = nullptr;
  const std::uint32_t* columns = nullptr;
  const std::uint8_t* codes = nullptr;
  std::uint64_t rows = 0;
  unsigned column_bits = 32;
  const fr* coefficients = nullptr; ///< entry 0 is 1, entry 1 is -1
};

/// A compact_witness, on the device.
struct device_witness {
  const fr* values = nullptr; ///< inputs, then fields
  const std::uint32_t* bits = nullptr;
  std::uint32_t first_bit = 0; ///< inputs + fields: wires from here on are bits
};

/// Queues out[row] = <row, witness> for the circuit rows; the `inputs` rows after them get the witness's inputs, or
/// zero when `inputs_occur` is false (they occur in A alone); the rest of `out` up to `size` becomes zero. Shapes: out
/// `size` elements on the device, size >= m.rows + inputs. Errors: bad_input (size), gpu_fault.
status queue_evaluate(const device_matrix& m, const device_witness& w, std::uint32_t inputs, bool inputs_occur, fr* out,
                      std::uint64_t size, stream_handle s);

} // namespace cuzk::cuda
