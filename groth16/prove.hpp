#pragma once
// A proof on the CPU, step by step.
#include "groth16/backend.hpp"
#include "groth16/circuit.hpp"
#include "groth16/proving_key.hpp"
#include "runtime/base/thread_pool.hpp"

#include <functional>

namespace cuzk::groth16 {

using stage_told = std::function<void(stage, double seconds)>;

/// The five sums of a proof, before alpha, beta and delta are added. On the derived way `h` is the sum over the derived
/// G, and what the derived key folds into l is in `l`: l + h is the same on both ways.
struct proof_sums {
  g1 a = g1::infinity(), b_g1 = g1::infinity(), l = g1::infinity(), h = g1::infinity();
  g2 b_g2 = g2::infinity();
};

/// All that costs time in a proof, in the calling thread with the help of the pool. Memory: three arrays of the domain,
/// then one and the scratch of a sum. Errors: cancelled (looked at every few milliseconds within sums, and between
/// transforms); params (a damaged point of the key, named; key and circuit that do not fit; no derived key where one is
/// required); bad_input (witness of another circuit); resources.
result<proof_sums> prove_sums(const prove_request& request, thread_pool& pool, const stage_told& told,
                              prove_timings& timings);

/// A = alpha + a + r delta, B = beta + b + s delta, C = l + h + s (alpha + a) + r (beta + b) + r s delta.
/// Source: Groth, ePrint 2016/260, section 3.2.
raw_proof assemble(const verifying_key& vk, const proof_sums& sums, const fr& r, const fr& s);

/// Both. The points satisfy nothing yet: verify them before they are given out.
result<raw_proof> prove(const prove_request& request, thread_pool& pool, const stage_told& told,
                        prove_timings& timings);

} // namespace cuzk::groth16
