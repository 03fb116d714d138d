#pragma once
// Row values <A, w>, <B, w>, <C, w> of a witness on the CPU.
#include "circuits/core/compact_witness.hpp"
#include "circuits/core/matrices.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/thread_pool.hpp"

#include <span>

namespace cuzk {

enum class which_matrix : std::uint8_t { a, b, c };

/// Fills `out` with the values of all rows: circuit rows, then input rows (A: the input, B and C: zero), then zeros.
/// @param out at least m.rows() elements, usually the whole domain.
/// Errors: internal when witness and matrices are of different size, or `out` is too short.
status evaluate(const matrices& m, which_matrix which, const compact_witness& w, std::span<fr> out, thread_pool& pool);

/// Index of the first circuit row with a * b != c; m.circuit_rows when the witness satisfies all.
/// Errors: internal when witness and matrices are of different size.
result<std::uint64_t> first_broken_row(const matrices& m, const compact_witness& w, thread_pool& pool);

} // namespace cuzk
