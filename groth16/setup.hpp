#pragma once
// Key generation from known toxic scalars: for tests, benches and demonstrations. Whoever knows the scalars can prove
// anything, so such a key is insecure by construction.
#include "groth16/circuit.hpp"
#include "groth16/multiples.hpp"
#include "groth16/verifying_key.hpp"
#include "runtime/base/thread_pool.hpp"

#include <functional>
#include <string>

namespace cuzk::groth16 {

/// What fixes a key.
struct toxic_waste {
  fr alpha, beta, gamma, delta, tau;
  g1_affine g1;
  g2_affine g2;
};

/// The scalars of a seed: scalar i = SHA-512("cuzk-test-key" || seed as u64 LE || i as one byte) as a little-endian
/// integer mod r, i = 0..4 for alpha, beta, gamma, delta, tau; standard generators.
toxic_waste toxic_of_seed(std::uint64_t seed);

/// Where a generated key goes. An empty path: that file is not written.
struct key_paths {
  std::string params, vk, derived;
};

/// Told as points are made: what, and how much of all of it, 0 to 1.
using progress = std::function<void(std::string_view what, double done)>;

/// Who makes a key, and who hears of it.
struct key_work {
  thread_pool& pool;
  progress told = [](std::string_view, double) {};
  multiples_of by = {}; ///< none: the pool
  /// Leaves h and l of .params empty: a key for the derived way alone, to measure with where the disk is small.
  bool derived_only = false;
};

/// Writes the key of a circuit: .params in the production layout, .vk, and the derived key straight from tau. Each file
/// is written beside its name and renamed when whole. Memory: about 100 bytes a wire and 64 a row.
/// Errors: bad_input (a scalar is zero, tau lies on the domain or its odd coset, a wire never occurs); resources;
/// gpu_fault.
result<verifying_key> generate_key(const circuit& of, const toxic_waste& toxic, const key_paths& paths,
                                   const key_work& work);

} // namespace cuzk::groth16
