#include "cuda/ntt/plan.hpp"

#include <algorithm>
#include <string>

namespace cuzk::cuda {

result<ntt_plan> plan_ntt(int lg, int largest_table_lg, int largest_pass_bits) {
  if (lg < 1 || lg > max_ntt_lg)
    return bad_input("lg", "a transform has 2^1 to 2^28 elements, not 2^" + std::to_string(lg));
  if (largest_pass_bits < 7 || largest_pass_bits > max_pass_bits)
    return bad_input("largest_pass_bits", "a pass has 7 to 9 bits at most, not " + std::to_string(largest_pass_bits));
  ntt_plan plan;
  plan.lg = lg;
  const int count = (lg + largest_pass_bits - 1) / largest_pass_bits;
  int left = lg;
  for (int i = 0; i < count; ++i) {
    ntt_pass p;
    p.bits = (left + count - i - 1) / (count - i); // the larger ones first
    left -= p.bits;
    p.last = i + 1 == count;
    p.columns_lg = count == 1 ? 0 : tile_columns_lg;
    p.stride_lg = left;
    p.span_lg = p.bits + left;
    p.weight_lg = i == 0 ? 0 : plan.passes.back().weight_lg + plan.passes.back().bits;
    p.table = !p.last && p.span_lg <= largest_table_lg;
    p.tiles = plan.size() >> (p.bits + p.columns_lg);
    const int sets = std::max(1, (1 << (p.bits + p.columns_lg)) / 4); // of four rows, a thread's unit
    p.threads = std::clamp(sets, 32, 256);
    // two planes of 16-byte halves, 64 bytes apart in the banks
    p.shared_bytes = std::size_t(32) * std::max(4, 1 << (p.bits + p.columns_lg)) + 64;
    if (!p.last && !p.table) // low and high powers of every column's root
      p.shared_bytes += std::size_t(32) * (16 + ((1 << p.bits) + 15) / 16) << p.columns_lg;
    if (p.last && count > 1) {
      p.first_bits = plan.passes.front().bits;
      for (int k = 1; k < i; ++k)
        p.middle_bits[k - 1] = plan.passes[k].bits;
    }
    plan.passes.push_back(p);
  }
  return plan;
}

} // namespace cuzk::cuda
