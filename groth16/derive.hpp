#pragma once
// The derived key of a key whose toxic scalars nobody knows: from its points (formulas in derived_key.hpp).
#include "groth16/proving_key.hpp"
#include "groth16/setup.hpp"
#include "runtime/base/thread_pool.hpp"

#include <atomic>
#include <string>

namespace cuzk::groth16 {

/// Largest domain that a processor derives; beyond, a device must.
inline constexpr int max_derive_lg = 17;

struct derive_options {
  thread_pool& pool;
  bool lanes;                              ///< AVX-512; only where cpu().avx512ifma
  const std::atomic<bool>* stop = nullptr; ///< looked at every few seconds
  progress told = [](std::string_view, double) {};
};

/// Transforms the points of h to G and K, adds K to l, and writes the derived file at `path`, whole or not at all.
/// Cost: 19 m products of points, about 20 s of two cores in lanes for m = 2^17. Memory: 700 bytes a row.
/// Errors: resources (domain above 2^17; file); params (key of another circuit, damaged point); cancelled.
status derive_key(const proving_key& key, const circuit& of, const std::string& path, const derive_options& options);

} // namespace cuzk::groth16
