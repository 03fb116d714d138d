#pragma once
// The circuit's polynomials at tau: what key generation multiplies generators by.
#include "groth16/circuit.hpp"
#include "runtime/base/thread_pool.hpp"

#include <vector>

namespace cuzk::groth16 {

/// Per wire, compact order: u_j(tau), v_j(tau), w_j(tau) of Groth's paper.
struct wire_values {
  std::vector<fr> a, b, c;
};
/// Input rows are counted in a. tau must not lie on the domain.
wire_values values_at(const circuit& of, const fr& tau, thread_pool& pool);

/// Scalars of the derived key for known tau (derived_key.hpp): G_k for the m odd points, and K_j per wire.
/// @param z_over_delta (tau^m - 1) / delta
std::vector<fr> derived_g_scalars(int lg_m, const fr& tau, const fr& z_over_delta, thread_pool& pool);
std::vector<fr> derived_k_scalars(const circuit& of, const fr& tau, const fr& z_over_delta, thread_pool& pool);

} // namespace cuzk::groth16
