#pragma once
// A proof on the CPU, step by step.
#include "groth16/backend.hpp"
#include "groth16/circuit.hpp"
#include "groth16/proving_key.hpp"
#include "runtime/base/thread_pool.hpp"

#include <functional>

namespace cuzk::groth16 {

using stage_told = std::function<void(stage, double seconds)>;

/// Proves in the calling thread with the help of the pool. Memory: three vectors of the domain, then one and the
/// scratch of a sum. Errors: cancelled (within about 50 ms); params (a damaged point of the key, named; no derived key
/// where one is required); internal (witness and circuit of different size).
result<raw_proof> prove(const prove_request& request, thread_pool& pool, const stage_told& told,
                        prove_timings& timings);

/// The five sums of A.5, before alpha, beta and delta are added. `h` is the sum over h and, on the derived way, what
/// the derived key folds into it; l + h is the same on both ways.
struct proof_sums {
  g1 a, b_g1, l, h;
  g2 b_g2;
};
/// A = alpha + a + r delta, B = beta + b + s delta, C = l + h + s A' + r B1' + ... Source: ePrint 2016/260,
/// section 3.2.
raw_proof assemble(const verifying_key& vk, const proof_sums& sums, const fr& r, const fr& s);

} // namespace cuzk::groth16
