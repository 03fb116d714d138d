#pragma once
// Rows of a constraint system as they leave the shape reader, and who takes them.
#include "circuits/core/coefficients.hpp"
#include "circuits/core/wire_map.hpp"

#include <cstdint>
#include <span>

namespace cuzk {

/// A variable: input i is i, aux j is j with the top bit set. Sorted this way inputs come before aux.
using variable = std::uint32_t;
inline constexpr variable aux_flag = 0x80000000;
inline constexpr variable one_variable = 0;
constexpr bool is_aux(variable v) noexcept {
  return v & aux_flag;
}
constexpr std::uint32_t index_of(variable v) noexcept {
  return v & ~aux_flag;
}

/// One term of a linear combination.
struct term {
  variable var;
  coefficient_id coefficient;
};

/// A row A * B = C. Each side is sorted by variable, one term per variable, no zero coefficient.
struct r1cs_row {
  std::span<const term> a, b, c;
};

/// How much of a circuit has been read.
struct r1cs_size {
  std::uint64_t inputs = 0; ///< ONE included
  std::uint64_t aux = 0;
  std::uint64_t rows = 0; ///< those of the circuit, without the input rows
  friend constexpr bool operator==(const r1cs_size&, const r1cs_size&) = default;
};

/// Takes rows in order, one call a row, while the circuit is being read; keeps what it needs.
class row_sink {
public:
  virtual ~row_sink() = default;
  /// @param pool gives the values of the ids in the row; it only grows while the circuit is read.
  virtual void row(const r1cs_row& row, const coefficient_pool& pool) = 0;
};

} // namespace cuzk
