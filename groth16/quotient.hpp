#pragma once
// The field half of a proof: row values, transforms, and the scalars that meet the key's h or the derived G.
#include "circuits/core/compact_witness.hpp"
#include "groth16/circuit.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/large_array.hpp"
#include "runtime/base/thread_pool.hpp"

#include <atomic>

namespace cuzk::groth16 {

/// What the two functions below need, and the seconds they took.
struct quotient_run {
  const circuit& of;
  const compact_witness& witness;
  thread_pool& pool;
  const std::atomic<bool>* stop = nullptr; ///< looked at between evaluations and transforms; then errc::cancelled
  double eval_seconds = 0, ntt_seconds = 0;
};

/// Coefficients of h = (a b - c) / Z by seven transforms; domain() of them, the last one zero for a witness that
/// satisfies the circuit. Memory: three arrays of the domain. Errors: cancelled; internal (witness of another size);
/// resources.
result<large_array<fr>> h_coefficients(quotient_run& run);

/// a b on the roots of X^m + 1 by four transforms, C untouched: the scalars of the derived G (derived_key.hpp).
/// Memory and errors as above.
result<large_array<fr>> odd_products(quotient_run& run);

} // namespace cuzk::groth16
