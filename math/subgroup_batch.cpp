#include "math/subgroup_batch.hpp"

#include "math/hash/chacha.hpp"
#include "math/lanes/point_pairs.hpp"
#include "math/subgroup.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <string>
#include <vector>

namespace cuzk {
namespace {

constexpr std::size_t buckets = 4096;
constexpr std::size_t rounds = 5;
constexpr std::size_t one_by_one = 20000; ///< below this many points the buckets cost more than the points
constexpr std::size_t good = ~std::size_t{0};

using lanes::pair_of;
using lanes::point_fault;

error fault_of(std::size_t index, point_fault fault) {
  const char* text = "is not in the subgroup of order r";
  if (fault == point_fault::not_canonical)
    text = "has a coordinate that is not below the modulus";
  if (fault == point_fault::not_on_curve)
    text = "is not on the curve";
  if (fault == point_fault::infinity)
    text = "is the point at infinity";
  return {errc::params, text, "point " + std::to_string(index)};
}

// The lowest bad index that any thread has seen.
class first_fault {
public:
  void add(std::size_t index, point_fault fault) {
    auto seen = at_.load();
    const auto mine = index << 3 | static_cast<std::size_t>(fault);
    while (mine < seen && !at_.compare_exchange_weak(seen, mine)) {
    }
  }
  bool any() const { return at_.load(std::memory_order_relaxed) != good; }
  status outcome() const {
    const auto at = at_.load();
    return at == good ? ok() : status(fault_of(at >> 3, static_cast<point_fault>(at & 7)));
  }

private:
  std::atomic<std::size_t> at_ = good;
};

template <class F>
std::vector<const std::byte*> addresses(const point_view& points, std::size_t begin, std::size_t count) {
  std::vector<const std::byte*> out(count);
  for (std::size_t i = 0; i < count; ++i)
    out[i] = points.data + (begin + i) * sizeof(affine<F>);
  return out;
}

// What one thread owns.
template <class Engine>
class lane {
public:
  using F = typename Engine::field_type;
  using point = typename Engine::point;

  explicit lane(const digest& seed) : rng_(seed), order_(buckets), pairs_(buckets), block_(buckets), next_(buckets) {
    std::iota(order_.begin(), order_.end(), std::uint16_t{0});
    for (auto& s : sums_)
      s.resize(buckets);
  }

  void add_block(const point_view& points, std::size_t begin, std::size_t count, first_fault& faults) {
    const auto from = addresses<F>(points, begin, count);
    const auto read = Engine::import(from, {points.layout, points.check_curve}, block_.data());
    if (read.fault != point_fault::none)
      return faults.add(begin + read.bad, read.fault);
    for (auto& s : sums_)
      add_round(s, count);
  }

  void merge(const lane& other) {
    for (std::size_t r = 0; r < rounds; ++r) {
      for (std::size_t b = 0; b < buckets; ++b)
        pairs_[b] = {{&sums_[r][b], false}, {&other.sums_[r][b], false}};
      run(sums_[r]);
    }
  }

  affine<F> bucket(std::size_t i) const { return Engine::to_affine(sums_[i / buckets][i % buckets]); }

private:
  void add_round(std::vector<point>& sums, std::size_t count) {
    for (std::size_t i = buckets; i > 1; --i) { // Fisher and Yates; the bias of 2^-20 does not matter
      const auto j = static_cast<std::size_t>(std::uint64_t{rng_.next_u32()} * i >> 32);
      std::swap(order_[i - 1], order_[j]);
    }
    std::uint64_t signs = 0;
    for (std::size_t b = 0; b < buckets; ++b) {
      signs = b % 64 == 0 ? rng_.next_u64() : signs >> 1;
      const std::size_t i = order_[b];
      pairs_[b] = {{&sums[b], false}, {i < count ? &block_[i] : &nothing_, i < count && (signs & 1) != 0}};
    }
    run(sums);
  }
  void run(std::vector<point>& sums) {
    engine_.add(pairs_, next_.data());
    sums.swap(next_);
  }

  chacha8_rng rng_;
  Engine engine_;
  std::vector<std::uint16_t> order_; ///< bucket -> point of the block
  std::vector<pair_of<point>> pairs_;
  std::vector<point> block_, next_, sums_[rounds];
  point nothing_{}; ///< infinity
};

} // namespace

template <class F>
class subgroup_batch<F>::engine_part {
public:
  virtual ~engine_part() = default;
  virtual status add(const point_view& points, thread_pool& pool) = 0;
  virtual bool finish(thread_pool& pool) = 0;
};

namespace {

template <class Engine>
class part_of final : public subgroup_batch<typename Engine::field_type>::engine_part {
public:
  part_of(const digest& seed, unsigned threads) {
    chacha8_rng seeds(seed);
    for (unsigned i = 0; i < threads; ++i) {
      digest own;
      std::generate(own.begin(), own.end(), [&] { return static_cast<std::uint8_t>(seeds.next_u32()); });
      lanes_.push_back(std::make_unique<lane<Engine>>(own));
    }
  }

  status add(const point_view& points, thread_pool& pool) override {
    const std::size_t blocks = (points.count + buckets - 1) / buckets;
    first_fault faults;
    pool.parallel_for(lanes_.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t l = begin; l < end; ++l)
        for (std::size_t block = l; block < blocks && !faults.any(); block += lanes_.size()) {
          const std::size_t at = block * buckets;
          lanes_[l]->add_block(points, at, std::min(buckets, points.count - at), faults);
        }
    });
    return faults.outcome();
  }

  bool finish(thread_pool& pool) override {
    auto& all = *lanes_.front();
    for (std::size_t l = 1; l < lanes_.size(); ++l)
      all.merge(*lanes_[l]);
    std::atomic<bool> inside = true;
    pool.parallel_for(rounds * buckets, 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end && inside.load(std::memory_order_relaxed); ++i)
        if (!in_subgroup(all.bucket(i)))
          inside.store(false, std::memory_order_relaxed);
    });
    return inside;
  }

private:
  std::vector<std::unique_ptr<lane<Engine>>> lanes_;
};

template <class F>
status check_each(const point_view& points, thread_pool& pool) {
  first_fault faults;
  pool.parallel_for(points.count, 64, [&](std::size_t begin, std::size_t end) {
    std::vector<affine<F>> piece(end - begin);
    const auto from = addresses<F>(points, begin, end - begin);
    const auto read = lanes::plain_engine<F>::import(from, {points.layout, points.check_curve}, piece.data());
    const std::size_t count = read.fault == point_fault::none ? piece.size() : read.bad;
    for (std::size_t i = 0; i < count; ++i)
      if (!in_subgroup(piece[i]))
        return faults.add(begin + i, point_fault::none);
    if (read.fault != point_fault::none)
      faults.add(begin + read.bad, read.fault);
  });
  return faults.outcome();
}

} // namespace

template <class F>
subgroup_batch<F>::subgroup_batch(const digest& seed, const thread_pool& pool, bool ifma) {
  if (ifma)
    part_ = std::make_unique<part_of<lanes::ifma_engine<F>>>(seed, pool.threads());
  else
    part_ = std::make_unique<part_of<lanes::plain_engine<F>>>(seed, pool.threads());
}

template <class F>
subgroup_batch<F>::~subgroup_batch() = default;

template <class F>
status subgroup_batch<F>::add(const point_view& points, thread_pool& pool) {
  return part_->add(points, pool);
}

template <class F>
bool subgroup_batch<F>::finish(thread_pool& pool) {
  return part_->finish(pool);
}

template <class F>
status check_points(const point_view& points, const digest& seed, thread_pool& pool) {
  if (points.count < one_by_one)
    return check_each<F>(points, pool);
  subgroup_batch<F> batch(seed, pool);
  CUZK_CHECK(batch.add(points, pool));
  if (!batch.finish(pool))
    return error{errc::params, "not all are in the subgroup of order r", std::to_string(points.count) + " points"};
  return ok();
}

template class subgroup_batch<fp>;
template class subgroup_batch<fp2>;
template status check_points<fp>(const point_view&, const digest&, thread_pool&);
template status check_points<fp2>(const point_view&, const digest&, thread_pool&);

} // namespace cuzk
