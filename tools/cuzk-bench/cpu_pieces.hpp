#pragma once
// The pieces that a proof on the CPU is made of, each measured and its result checked.
#include "runtime/base/error.hpp"
#include "runtime/base/thread_pool.hpp"

#include <string>
#include <vector>

namespace cuzk::bench {

/// One figure: `value` in `unit`, per operation, of one core where the unit says "cpu".
struct figure {
  std::string name;
  double value = 0;
  std::string unit;
};

/// Products, batched additions, transforms and sums. `large`: sizes as in the reference's table (2^20), else smaller.
/// Errors: internal, when a result is wrong.
result<std::vector<figure>> measure_pieces(thread_pool& pool, bool large);

/// Products of eight lanes: multiplies `rounds` times in each of two groups of lanes and returns nanoseconds a product.
/// Only where cpu().avx512ifma. Errors: internal, when a result is wrong.
result<double> measure_lane_products(unsigned rounds);

} // namespace cuzk::bench
