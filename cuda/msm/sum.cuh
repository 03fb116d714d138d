#pragma once
// Queues a multi-scalar multiplication over one field: what msm_g1.cu and msm_g2.cu compile.
#include "cuda/msm/levels.cuh"
#include "cuda/msm/msm.hpp"

namespace cuzk::cuda {

template <class F>
class msm_queue {
public:
  msm_queue(const msm_plan& plan, const affine<F>* points, std::byte* scratch, stream_handle s)
    : plan_(plan), table_{points}, scratch_(scratch), a_(arrays_of(plan, scratch)),
      stream_(s), add_{plan.grid, plan.depth, reinterpret_cast<uint4*>(scratch + plan.memory.prefix), a_.tickets, s} {}

  void run(const fr* scalars, jacobian<F>* ends) {
    const std::uint32_t all = plan_.windows.first_bucket[plan_.windows.count];
    check(cudaMemsetAsync(scratch_ + plan_.memory.counters, 0, 4096 * 4, stream_), "clearing counters");
    check(cudaMemsetAsync(scratch_ + plan_.memory.sums, 0, plane_bytes<F>(all), stream_), "clearing buckets");
    for (int first = 0; first < plan_.windows.count; first += plan_.at_once) {
      const int end = first + plan_.at_once < plan_.windows.count ? first + plan_.at_once : plan_.windows.count;
      list_group(plan_, a_, scalars, first, end, stream_);
      sum_buckets(first, end);
    }
    weigh_buckets(ends);
  }

private:
  plane_view<F> planes(std::size_t offset, std::size_t stride) const {
    return {reinterpret_cast<uint4*>(scratch_ + offset), stride};
  }

  void sum_buckets(int first, int end) {
    const u32 base = plan_.windows.first_bucket[first], buckets = plan_.windows.first_bucket[end] - base;
    plane_view<F> sums = planes(plan_.memory.sums, plan_.windows.first_bucket[plan_.windows.count]);
    sums.base += 2 * std::size_t(base);
    tree<F> t{
      planes(plan_.memory.tree, plan_.tree_points), sums, a_.count, a_.place, a_.slots[slot_array(1)], a_.bucket_of[1]};
    const u32 blocks = std::min<u32>((buckets + list_threads - 1) / list_threads, 4096);
    copy_odd<F><<<blocks, list_threads, 0, stream_>>>(table_, a_.odd, a_.slots[0], t, buckets);
    check_launch("copying odd points");
    scan_level(a_, buckets, 1, stream_);
    add_.run(
      plan_first_level<F>{t, table_, reinterpret_cast<const uint2*>(a_.pairs), a_.bucket_of[0], a_.slots[0], buckets});
    for (int level = 1; level < plan_.levels; ++level) {
      scan_level(a_, buckets, level + 1, stream_);
      t.next_slot = a_.slots[slot_array(level + 1)];
      t.next_bucket_of = a_.bucket_of[(level + 1) & 1];
      add_.run(plan_level<F>{t, a_.largest, a_.bucket_of[level & 1], a_.slots[slot_array(level)], buckets, level});
    }
  }

  /// One more folding of a chain: `from` becomes the folded set. None left when `bit` is below the last.
  folding<F> next_folding(plane_view<F>& from, u32& size, int bit, int last, std::size_t to_offset) {
    if (bit < last)
      return {from, from, 0, 0};
    size /= 2;
    const folding<F> f{from, planes(to_offset, size), size, bit};
    from = f.out;
    return f;
  }

  /// Row sums take the low bits out of the bucket number, column sums the high bits, from the top of each.
  void weigh_buckets(jacobian<F>* ends) {
    const u32 all = plan_.windows.first_bucket[plan_.windows.count];
    const int low = plan_.fold_low, high = plan_.piece_bits - low;
    plane_view<F> rows = planes(plan_.memory.sums, all), columns = rows;
    u32 row_points = all, column_points = all;
    for (int i = 0; high > 0 && i < high; ++i) {
      const folding<F> r = next_folding(rows, row_points, low - 1 - i, 0, plan_.memory.rows[i & 1]);
      const folding<F> c =
        next_folding(columns, column_points, plan_.piece_bits - 1 - i, low, plan_.memory.columns[i & 1]);
      add_.run(plan_fold<F>{r, c});
    }
    auto* device_ends = reinterpret_cast<jacobian<F>*>(scratch_ + plan_.memory.ends);
    const u32 row_vectors = high > 0 ? plan_.pieces : 0;
    weigh<F><<<row_vectors + plan_.pieces, weigh_threads, weigh_threads * sizeof(jacobian<F>), stream_>>>(
      vectors<F>{rows, row_vectors, 1u << high}, vectors<F>{columns, plan_.pieces, 1u << low}, device_ends);
    check_launch("weighing buckets");
    check(cudaMemcpyAsync(ends, device_ends, plan_.ends() * sizeof(jacobian<F>), cudaMemcpyDeviceToHost, stream_),
          "copying bucket weights");
  }

  const msm_plan& plan_;
  table_view<F> table_;
  std::byte* scratch_;
  msm_arrays a_;
  stream_handle stream_;
  adder add_;
};

template <class F>
status queue_sum(curve_group group, const msm_plan& plan, const affine<F>* points, const fr* scalars,
                 std::byte* scratch, jacobian<F>* ends, stream_handle s) {
  if (plan.options.group != group)
    return bad_input("plan", "the plan is for the other group");
  return guarded([&] { msm_queue<F>(plan, points, scratch, s).run(scalars, ends); });
}

} // namespace cuzk::cuda
