#pragma once
// Launching the addition kernel.
#include "cuda/check.cuh"
#include "cuda/device/memory.hpp"
#include "cuda/points/batch_add.cuh"

namespace cuzk::cuda {

/// A grid that fills the device once, and the scratch of its threads.
struct adder {
  u32 grid;
  u32 depth;
  uint4* prefix; ///< grid * 128 * depth coordinates
  u32* tickets;  ///< zero, one a launch
  stream_handle stream;
  u32 launched = 0;

  /// Queues all additions of a plan. Throws.
  template <class Plan>
  void run(const Plan& plan) {
    constexpr int blocks = quads<typename Plan::field> == 3 ? 4 : 2;
    batch_add<Plan, blocks><<<grid, batch_block, 0, stream>>>(plan, prefix, depth, tickets + launched);
    check_launch("adding points");
    ++launched;
  }
};

} // namespace cuzk::cuda
