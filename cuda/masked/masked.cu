// Masked sums: launches.
#include "cuda/masked/kernels.cuh"
#include "cuda/masked/masked.hpp"

namespace cuzk::cuda {
namespace {

template <class F>
void queue_sum(const masked_plan& plan, const affine<F>* points, const u32* mask, std::byte* scratch, jacobian<F>* sum,
               stream_handle s) {
  auto* counters = reinterpret_cast<u32*>(scratch + plan.counters);
  auto* partial = reinterpret_cast<u32*>(scratch + plan.partial);
  auto* list = reinterpret_cast<u32*>(scratch + plan.list);
  const u32 words = static_cast<u32>((plan.points + 31) / 32), tiles = (words + mask_tile_words - 1) / mask_tile_words;
  check(cudaMemsetAsync(counters, 0, 4 * 64, s), "clearing counters");
  count_mask<<<tiles, list_threads, 0, s>>>(mask, words, partial);
  scan_mask<<<1, 1024, 0, s>>>(partial, tiles, counters);
  list_mask<<<tiles, list_threads, 0, s>>>(mask, words, partial, list);
  check_launch("listing the points of a mask");
  const plane_view<F> tree{reinterpret_cast<uint4*>(scratch + plan.tree), (plan.points + 1) / 2};
  adder add{plan.grid, plan.depth, reinterpret_cast<uint4*>(scratch + plan.prefix), counters + 1, s};
  const plan_listed<F> first{{points}, tree, list, counters};
  copy_last<F><<<1, 1, 0, s>>>(first);
  add.run(first);
  for (int level = 1; level <= plan.levels; ++level)
    add.run(plan_halve<F>{tree, counters, level});
  auto* end = reinterpret_cast<jacobian<F>*>(scratch + plan.end);
  sum_rest<F>
    <<<1, end_threads, end_threads * sizeof(jacobian<F>), s>>>(plan_halve<F>{tree, counters, plan.levels + 1}, end);
  check_launch("adding the last points");
  check(cudaMemcpyAsync(sum, end, sizeof(jacobian<F>), cudaMemcpyDeviceToHost, s), "copying a masked sum");
}

template <class F>
status queue(curve_group group, const masked_plan& plan, const affine<F>* points, const std::uint64_t* mask,
             std::byte* scratch, jacobian<F>* sum, stream_handle s) {
  if (plan.group != group)
    return bad_input("plan", "the plan is for the other group");
  return guarded([&] { queue_sum<F>(plan, points, reinterpret_cast<const u32*>(mask), scratch, sum, s); });
}

} // namespace

status queue_masked(const masked_plan& plan, const g1_affine* points, const std::uint64_t* mask, std::byte* scratch,
                    g1* sum, stream_handle s) {
  return queue<fp>(curve_group::g1, plan, points, mask, scratch, sum, s);
}
status queue_masked(const masked_plan& plan, const g2_affine* points, const std::uint64_t* mask, std::byte* scratch,
                    g2* sum, stream_handle s) {
  return queue<fp2>(curve_group::g2, plan, points, mask, scratch, sum, s);
}

} // namespace cuzk::cuda
