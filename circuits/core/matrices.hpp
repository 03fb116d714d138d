#pragma once
// The constraint matrices A, B, C of a circuit in compact form: five bytes an entry and one byte a row.
// Everything lies behind spans, so the same view serves built matrices, a mapped cache file and a copy to a device.
#include "circuits/core/wire_map.hpp"
#include "math/field.hpp"
#include "math/hash/digest.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace cuzk {

/// One matrix by rows (CSR). Entry e of a row is
///   wire        = columns[e] & (2^column_bits - 1)             (compact order, circuits/core/wire_map.hpp)
///   coefficient = coefficients[codes[e] | (columns[e] >> column_bits) << 8]
/// with column_bits and coefficients of the `matrices` it belongs to: the byte is the code, and the column's free high
/// bits are its extension beyond 256 coefficients. Entries of a row are in no particular order, each wire once, no
/// zero.
struct sparse_matrix {
  /// Rows of one block; the last block may be short.
  static constexpr std::uint32_t rows_per_block = 256;
  /// A row length that does not fit the byte: its length is the next of long_rows.
  static constexpr std::uint8_t long_row = 255;

  std::span<const std::uint8_t> row_lengths;  ///< per circuit row
  std::span<const std::uint64_t> block_entry; ///< first entry of each block, and the end: blocks + 1 values
  std::span<const std::uint32_t> block_long;  ///< first long row of each block, and the end: blocks + 1 values
  std::span<const std::uint32_t> long_rows;   ///< lengths of the rows marked long_row, in row order
  std::span<const std::uint32_t> columns;     ///< per entry
  std::span<const std::uint8_t> codes;        ///< per entry

  std::uint64_t rows() const noexcept { return row_lengths.size(); }
  std::uint64_t entries() const noexcept { return columns.size(); }
  std::uint64_t blocks() const noexcept { return block_long.empty() ? 0 : block_long.size() - 1; }
  std::uint64_t bytes() const noexcept {
    return row_lengths.size_bytes() + block_entry.size_bytes() + block_long.size_bytes() + long_rows.size_bytes() +
           columns.size_bytes() + codes.size_bytes();
  }
};

/// Which wires occur in a matrix, circuit rows only (the input rows make every input occur in A besides).
struct wire_density {
  std::span<const std::uint64_t> mask; ///< bit w % 64 of word w / 64: wire w, compact order, inputs included
  std::uint32_t inputs = 0;            ///< how many inputs occur
  std::uint32_t aux = 0;               ///< how many aux occur
  bool has(std::uint32_t wire) const noexcept { return mask[wire / 64] >> (wire % 64) & 1; }
};

/// A circuit ready to be proved: wires, matrices, densities, digest. Immutable; copies share the storage.
/// The rows are the circuit's, then one row `Input(i) * 0 = 0` per input, which is not stored: its A value is input i.
struct matrices {
  wire_counts wires;
  std::uint64_t circuit_rows = 0;
  unsigned column_bits = 32;        ///< 32 - column_bits bits extend the code
  std::span<const fr> coefficients; ///< entry 0 is 1, entry 1 is -1, then by falling frequency
  sparse_matrix a, b, c;
  wire_density a_density, b_density;
  digest hash{}; ///< BLAKE2s-256 of the R1CS (circuits/core/r1cs_digest.hpp); all zero when it was not computed
  std::shared_ptr<const void> owner;

  std::uint64_t rows() const noexcept { return circuit_rows + wires.inputs; }
  /// log2 of the evaluation domain: the smallest power of two that holds all rows.
  unsigned lg_domain() const noexcept {
    unsigned lg = 0;
    while ((std::uint64_t(1) << lg) < rows())
      ++lg;
    return lg;
  }
  std::uint32_t wire_of(std::uint32_t column) const noexcept {
    return column & static_cast<std::uint32_t>((std::uint64_t(1) << column_bits) - 1);
  }
  std::uint32_t code_of(std::uint32_t column, std::uint8_t byte) const noexcept {
    return byte | static_cast<std::uint32_t>(std::uint64_t(column) >> column_bits) << 8;
  }
  std::uint64_t bytes() const noexcept {
    return a.bytes() + b.bytes() + c.bytes() + coefficients.size_bytes() + a_density.mask.size_bytes() +
           b_density.mask.size_bytes();
  }
};

/// The entries of one row.
struct row_view {
  std::span<const std::uint32_t> columns;
  std::span<const std::uint8_t> codes;
};

/// Calls f(row index, row_view) for the rows of blocks [first, last).
template <class F>
void for_each_row(const sparse_matrix& m, std::uint64_t first, std::uint64_t last, F&& f) {
  std::uint64_t entry = m.block_entry[first];
  std::uint32_t next_long = m.block_long[first];
  const std::uint64_t end =
    last * sparse_matrix::rows_per_block < m.rows() ? last * sparse_matrix::rows_per_block : m.rows();
  for (std::uint64_t row = first * sparse_matrix::rows_per_block; row < end; ++row) {
    std::uint32_t length = m.row_lengths[row];
    if (length == sparse_matrix::long_row)
      length = m.long_rows[next_long++];
    f(row, row_view{m.columns.subspan(entry, length), m.codes.subspan(entry, length)});
    entry += length;
  }
}

} // namespace cuzk
