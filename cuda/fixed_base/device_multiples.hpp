#pragma once
// Multiples of a key's generators on a device, for key generation. No CUDA header.
#include "cuda/device/memory.hpp"
#include "groth16/multiples.hpp"

#include <functional>

namespace cuzk::cuda {

struct device_multiples_options {
  int device = 0;
  int multiprocessors = 132;
  std::size_t piece = std::size_t{1} << 22; ///< multiples at once: 0.9 GB of the device in G1, 1.7 GB in G2
  /// Returns when a stream has passed: how a caller waits is its own, this room never does. Answers what tell_after
  /// told.
  std::function<status(stream_handle)> passed;
};

/// For one thread. Errors of what is made: resources (device memory), gpu_fault.
groth16::multiples_of multiples_on(const device_multiples_options& options);

} // namespace cuzk::cuda
