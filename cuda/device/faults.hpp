#pragma once
// The test hook of fault injection: one CUDA call, counted from now, is taken as failed. No CUDA header.
#include <atomic>
#include <cstdint>

namespace cuzk::cuda {

/// n > 0: the n-th checked CUDA call from now on fails. 0 or less: none does. Counting goes on below zero, so that a
/// test can read how many calls there were.
inline std::atomic<std::int64_t> call_to_fail{0};

/// Whether this very call is the one.
inline bool fault_is_due() noexcept {
  return call_to_fail.fetch_sub(1, std::memory_order_relaxed) == 1;
}

} // namespace cuzk::cuda
