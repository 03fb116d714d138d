#include "math/subgroup.hpp"

#include "math/endomorphism.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

namespace cuzk {
namespace {

template <class F>
jacobian<F> times_x_abs(const jacobian<F>& p) {
  return p.times(&curve_x_abs, 1);
}

// Below this many points the buckets of the random test cost more than the points.
constexpr std::size_t one_by_one = 20000;

template <class F>
bool each_in_subgroup(std::span<const affine<F>> points, thread_pool& pool) {
  std::atomic<bool> good = true;
  pool.parallel_for(points.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && good.load(std::memory_order_relaxed); ++i)
      if (!in_subgroup(points[i]))
        good.store(false, std::memory_order_relaxed);
  });
  return good;
}

template <class F>
bool all_of(std::span<const affine<F>> points, const digest& seed, thread_pool& pool) {
  if (points.size() < one_by_one)
    return each_in_subgroup(points, pool);
  subgroup_batch<F> batch(seed, pool);
  batch.add(points, pool);
  return batch.finish(pool);
}

} // namespace

bool in_subgroup(const g1_affine& p) {
  return times_x_abs(times_x_abs(g1::from(p))) == g1::from(-phi(p));
}

bool in_subgroup(const g2_affine& p) {
  return times_x_abs(g2::from(p)) == g2::from(-psi(p));
}

template <class F>
subgroup_batch<F>::lane::lane(const digest& seed)
  : rng(seed), batch(buckets), order(buckets), sums(rounds * buckets, affine<F>::infinity()) {
  std::iota(order.begin(), order.end(), std::uint16_t{0});
}

template <class F>
void subgroup_batch<F>::lane::add_block(std::span<const affine<F>> points) {
  for (int r = 0; r < rounds; ++r) {
    for (std::size_t i = buckets; i > 1; --i) { // Fisher and Yates; the bias of 2^-20 does not matter
      const auto j = static_cast<std::size_t>(std::uint64_t{rng.next_u32()} * i >> 32);
      std::swap(order[i - 1], order[j]);
    }
    std::uint64_t signs = 0;
    batch.add(std::span(sums).subspan(r * buckets, buckets), [&](std::size_t bucket) {
      signs = bucket % 64 == 0 ? rng.next_u64() : signs >> 1;
      const std::size_t i = order[bucket];
      return i < points.size() ? signed_point<F>{&points[i], (signs & 1) != 0} : signed_point<F>{};
    });
  }
}

template <class F>
subgroup_batch<F>::subgroup_batch(const digest& seed, const thread_pool& pool) {
  chacha8_rng seeds(seed);
  for (unsigned i = 0; i < pool.threads(); ++i) {
    digest own;
    std::generate(own.begin(), own.end(), [&] { return static_cast<std::uint8_t>(seeds.next_u32()); });
    lanes_.emplace_back(own);
  }
}

template <class F>
void subgroup_batch<F>::add(std::span<const affine<F>> points, thread_pool& pool) {
  const std::size_t blocks = (points.size() + buckets - 1) / buckets;
  pool.parallel_for(lanes_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t l = begin; l < end; ++l)
      for (std::size_t block = l; block < blocks; block += lanes_.size()) {
        const std::size_t at = block * buckets;
        lanes_[l].add_block(points.subspan(at, std::min(buckets, points.size() - at)));
      }
  });
}

template <class F>
bool subgroup_batch<F>::finish(thread_pool& pool) {
  auto& sums = lanes_.front().sums;
  for (std::size_t l = 1; l < lanes_.size(); ++l)
    for (std::size_t at = 0; at < sums.size(); at += buckets)
      lanes_.front().batch.add(std::span(sums).subspan(at, buckets), [&](std::size_t i) {
        return signed_point<F>{&lanes_[l].sums[at + i], false};
      });
  return each_in_subgroup(std::span<const affine<F>>(sums), pool);
}

template class subgroup_batch<fp>;
template class subgroup_batch<fp2>;

bool all_in_subgroup(std::span<const g1_affine> points, const digest& seed, thread_pool& pool) {
  return all_of(points, seed, pool);
}
bool all_in_subgroup(std::span<const g2_affine> points, const digest& seed, thread_pool& pool) {
  return all_of(points, seed, pool);
}

} // namespace cuzk
