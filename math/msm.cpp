#include "math/msm.hpp"

#include "math/cpu_features.hpp"
#include "math/lanes/group_sums.hpp"
#include "math/msm_digits.hpp"
#include "runtime/base/large_array.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>

namespace cuzk {

namespace {

using lanes::group_sums;
using lanes::import_rules;
using lanes::point_fault;

constexpr std::size_t chunk_points = 1 << 17;
constexpr std::size_t import_piece = 1 << 12;
constexpr std::size_t mask_piece = 1 << 15;
constexpr std::size_t part_items = 1 << 13; // added to buckets at once: their sums stay in the second cache
constexpr std::size_t max_bucket_bytes = 130u << 20;
constexpr std::size_t small_count = 24; // below: bit by bit

error fault_error(std::size_t index, point_fault fault) {
  const char* text = fault == point_fault::infinity        ? "is the point at infinity"
                     : fault == point_fault::not_canonical ? "has a coordinate that is not below the modulus"
                                                           : "is not on the curve";
  return {errc::params, text, "point " + std::to_string(index)};
}

/// The point fault with the lowest index that any thread met.
class fault_report {
public:
  void add(std::size_t index, point_fault fault) {
    std::lock_guard lock(mutex_);
    if (!first_ || index < first_->first)
      first_ = {index, fault};
    any_ = true;
  }
  bool any() const noexcept { return any_; }
  error why() const { return fault_error(first_->first, first_->second); }

private:
  std::mutex mutex_;
  std::optional<std::pair<std::size_t, point_fault>> first_;
  std::atomic<bool> any_{false};
};

/// Runs body(worker, task) for every task, `workers` at once; a worker's index is used by one thread at a time.
template <class Body>
void share_out(thread_pool& pool, std::size_t workers, std::size_t tasks, const Body& body) {
  std::atomic<std::size_t> next{0};
  pool.parallel_for(std::min(workers, tasks), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t worker = begin; worker < end; ++worker)
      for (std::size_t task; (task = next.fetch_add(1)) < tasks;)
        body(worker, task);
  });
}

/// What both kinds of sum need: workers with an engine each, the source, faults and the stop flag.
template <class Engine>
class sum_job {
protected:
  using F = typename Engine::field_type;
  using point = typename Engine::point;
  using summer = group_sums<Engine>;
  using ref = typename summer::ref;

  sum_job(const point_view& source, const msm_options& options) : source_(source), options_(options) {
    for (unsigned i = 0; i < options.pool.threads(); ++i)
      workers_.push_back(std::make_unique<summer>());
  }

  const std::byte* address(std::size_t index) const { return source_.data + index * 2 * sizeof(F); }
  bool stopping() const { return faults_.any() || (options_.stop != nullptr && options_.stop->load()); }
  status outcome() const {
    if (faults_.any())
      return faults_.why();
    if (options_.stop != nullptr && options_.stop->load())
      return error{errc::cancelled, "stopped"};
    return ok();
  }
  /// Reads the points at `from`; `index_of` names them in a fault.
  template <class IndexOf>
  void import(std::span<const std::byte* const> from, point* out, const IndexOf& index_of) {
    const auto read = Engine::import(from, import_rules{source_.layout, source_.check_curve}, out);
    if (read.fault != point_fault::none)
      faults_.add(index_of(read.bad), read.fault);
  }

  const point_view& source_;
  const msm_options& options_;
  std::vector<std::unique_ptr<summer>> workers_;
  fault_report faults_;
};

// sum of (k + first) * points[k]
template <class F>
jacobian<F> weighted(const std::vector<affine<F>>& points, std::size_t first) {
  auto running = jacobian<F>::infinity(), total = jacobian<F>::infinity();
  for (std::size_t k = points.size(); k-- > 1 - first;) {
    running += points[k];
    total += running;
  }
  return total;
}

template <class Engine>
class pippenger : sum_job<Engine> {
  using base = sum_job<Engine>;
  using F = typename base::F;
  using point = typename base::point;
  using ref = typename base::ref;
  using summer = typename base::summer;
  using base::options_;
  using base::workers_;

public:
  pippenger(const point_view& source, std::span<const std::uint32_t> indices, std::span<const fr> scalars,
            const msm_options& options)
    : base(source, options), indices_(indices), scalars_(scalars),
      windows_(choose_windows(scalars.size(), max_bucket_bytes / sizeof(point))),
      chunk_(std::min(chunk_points, scalars.size())),
      buckets_(windows_.buckets() * static_cast<std::size_t>(windows_.count)), points_(chunk_),
      digits_(chunk_ * static_cast<std::size_t>(windows_.count)), filled_(buckets_.span().size()),
      desks_(options.pool.threads()) {
    // Enough pieces for every thread to finish at about the same time.
    const std::size_t wanted = 4 * options.pool.threads(), count = static_cast<std::size_t>(windows_.count);
    ranges_ = std::min(std::bit_ceil((wanted + count - 1) / count), windows_.buckets());
  }

  result<jacobian<F>> run() {
    for (std::size_t at = 0; at < scalars_.size(); at += chunk_points) {
      const std::size_t count = std::min(chunk_points, scalars_.size() - at);
      read_chunk(at, count);
      if (!this->stopping())
        share_out(options_.pool, workers_.size(), static_cast<std::size_t>(windows_.count) * ranges_,
                  [&](std::size_t worker, std::size_t task) { fill_buckets(worker, task, count); });
      CUZK_CHECK(this->outcome());
    }
    return combine();
  }

private:
  /// Lists of one worker.
  struct desk {
    std::vector<std::uint32_t> place, own;
    std::vector<ref> items, sums;
  };

  std::size_t index_of(std::size_t i) const { return indices_.empty() ? i : indices_[i]; }

  void read_chunk(std::size_t first, std::size_t count) {
    const std::size_t pieces = (count + import_piece - 1) / import_piece;
    share_out(options_.pool, workers_.size(), pieces, [&](std::size_t, std::size_t piece) {
      const std::size_t begin = piece * import_piece, end = std::min(count, begin + import_piece);
      std::vector<const std::byte*> from(end - begin);
      for (std::size_t i = begin; i < end; ++i) {
        from[i - begin] = this->address(index_of(first + i));
        signed_digits(scalars_[first + i], windows_, digits_.span().data() + i, chunk_);
      }
      this->import(from, points_.span().data() + begin, [&](std::size_t bad) { return index_of(first + begin + bad); });
    });
  }

  // One window, one range of its buckets: the points of the chunk are added to them.
  void fill_buckets(std::size_t worker, std::size_t task, std::size_t count) {
    if (this->stopping())
      return;
    const std::size_t window = task / ranges_, width = windows_.buckets() / ranges_, low = task % ranges_ * width;
    const std::int32_t* digits = digits_.span().data() + window * chunk_;
    const point* points = points_.span().data();
    const auto bucket_of = [&](std::size_t i) { // width: of another range, or digit zero
      return std::min(static_cast<std::size_t>(std::abs(digits[i])) - 1 - low, width);
    };
    auto& mine = desks_[worker];
    auto& place = mine.place;
    place.assign(width + 1, 0);
    for (std::size_t i = 0; i < count; ++i)
      ++place[bucket_of(i)];
    const std::size_t first = window * windows_.buckets() + low;
    point* buckets = buckets_.span().data() + first;
    mine.items.resize(count + width);
    auto& items = mine.items;
    std::uint32_t total = 0;
    for (std::size_t b = 0; b < width; ++b) {
      const std::uint32_t more = place[b];
      if (more != 0 && filled_[first + b] != 0)
        items[total++] = ref(&buckets[b], false);
      if (more != 0)
        filled_[first + b] = 1;
      place[b] = total;
      total += more;
    }
    for (std::size_t i = 0; i < count; ++i)
      if (const std::size_t b = bucket_of(i); b != width)
        items[place[b]++] = ref(&points[i], digits[i] < 0);
    place.resize(width); // place[b] is now the end of group b
    add_to_buckets(worker, std::span(items).first(total), buckets);
  }

  // bucket b := sum of its group. A part of the groups at a time, so that operands and sums stay in the second cache.
  void add_to_buckets(std::size_t worker, std::span<const ref> items, point* buckets) {
    auto& [ends, own, kept, sums] = desks_[worker];
    for (std::size_t b = 0; b < ends.size(); b += own.size()) {
      const std::uint32_t first = b == 0 ? 0 : ends[b - 1];
      own.clear();
      for (std::size_t e = b; e < ends.size() && (own.empty() || ends[e] - first <= part_items); ++e)
        own.push_back(ends[e] - first);
      const auto behind = items.subspan(first + own.back());
      workers_[worker]->run(items.subspan(first, own.back()), own, sums,
                            behind.first(std::min(behind.size(), part_items)));
      for (std::size_t g = 0; g < own.size(); ++g)
        if (const auto& sum = sums[g]; sum.point() != nullptr)
          buckets[b + g] = sum.negative() ? Engine::negative(*sum.point()) : *sum.point();
    }
  }

  // sum over b of (b + 1) * bucket b, with the buckets as a matrix: sums of rows and of columns, then weights on those.
  jacobian<F> window_sum(std::size_t worker, std::size_t window) {
    const std::size_t columns = std::size_t{1} << windows_.bits / 2,
                      rows = windows_.buckets() / std::min(columns, windows_.buckets());
    const std::size_t width = windows_.buckets() / rows;
    const std::size_t start = window * windows_.buckets();
    const point* buckets = buckets_.span().data() + start;
    std::vector<ref> items;
    std::vector<std::uint32_t> ends;
    const auto add_line = [&](std::size_t first, std::size_t step, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i)
        if (filled_[start + first + i * step] != 0)
          items.emplace_back(&buckets[first + i * step], false);
      ends.push_back(static_cast<std::uint32_t>(items.size()));
    };
    for (std::size_t r = 0; r < rows; ++r)
      add_line(r * width, 1, width);
    for (std::size_t c = 0; c < width; ++c)
      add_line(c, width, rows);
    std::vector<ref> sums;
    workers_[worker]->run(items, ends, sums);
    const auto lines = [&](std::size_t first, std::size_t count) {
      std::vector<affine<F>> out(count, affine<F>::infinity());
      for (std::size_t i = 0; i < count; ++i)
        if (sums[first + i].point() != nullptr)
          out[i] = Engine::to_affine(*sums[first + i].point());
      return out;
    };
    auto total = weighted(lines(0, rows), 0);
    for (std::size_t w = width; w > 1; w /= 2)
      total = total.doubled();
    return total + weighted(lines(rows, width), 1);
  }

  result<jacobian<F>> combine() {
    std::vector<jacobian<F>> sums(static_cast<std::size_t>(windows_.count));
    share_out(options_.pool, workers_.size(), sums.size(),
              [&](std::size_t worker, std::size_t window) { sums[window] = window_sum(worker, window); });
    auto total = jacobian<F>::infinity();
    for (std::size_t w = sums.size(); w-- > 0;) {
      for (int i = 0; i < windows_.bits; ++i)
        total = total.doubled();
      total += sums[w];
    }
    return total;
  }

  std::span<const std::uint32_t> indices_;
  std::span<const fr> scalars_;
  msm_windows windows_;
  std::size_t chunk_; ///< points read at once
  large_array<point> buckets_, points_;
  large_array<std::int32_t> digits_; ///< digit w of point i at w * chunk_ + i
  std::vector<std::uint8_t> filled_; ///< which buckets hold a sum
  std::vector<desk> desks_;
  std::size_t ranges_ = 1;
};

template <class Engine>
class selection : sum_job<Engine> {
  using base = sum_job<Engine>;
  using F = typename base::F;
  using point = typename base::point;
  using ref = typename base::ref;

public:
  selection(const point_view& source, std::span<const std::uint64_t> mask, const msm_options& options)
    : base(source, options), mask_(mask), totals_(this->workers_.size(), jacobian<F>::infinity()) {}

  result<jacobian<F>> run() {
    const std::size_t pieces = (this->source_.count + mask_piece - 1) / mask_piece;
    share_out(this->options_.pool, this->workers_.size(), pieces, [&](std::size_t worker, std::size_t piece) {
      if (!this->stopping())
        add_piece(worker, piece * mask_piece, std::min(this->source_.count, (piece + 1) * mask_piece));
    });
    CUZK_CHECK(this->outcome());
    auto total = jacobian<F>::infinity();
    for (const auto& part : totals_)
      total += part;
    return total;
  }

private:
  void add_piece(std::size_t worker, std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> chosen;
    for (std::size_t word = begin / 64; word * 64 < end; ++word) {
      std::uint64_t bits = mask_[word];
      if (end - word * 64 < 64)
        bits &= (std::uint64_t{1} << (end - word * 64)) - 1;
      for (; bits != 0; bits &= bits - 1)
        chosen.push_back(static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
    }
    if (chosen.empty())
      return;
    std::vector<const std::byte*> from(chosen.size());
    std::transform(chosen.begin(), chosen.end(), from.begin(), [&](std::uint32_t i) { return this->address(i); });
    std::vector<point> points(chosen.size());
    this->import(from, points.data(), [&](std::size_t bad) { return chosen[bad]; });
    if (this->stopping())
      return;
    std::vector<ref> items(points.size()), sums;
    for (std::size_t i = 0; i < points.size(); ++i)
      items[i] = ref(&points[i], false);
    const std::uint32_t all = static_cast<std::uint32_t>(items.size());
    this->workers_[worker]->run(items, std::span(&all, 1), sums);
    totals_[worker] += Engine::to_affine(*sums[0].point());
  }

  std::span<const std::uint64_t> mask_;
  std::vector<jacobian<F>> totals_;
};

template <class F>
result<jacobian<F>> bit_by_bit(const point_view& points, std::span<const std::uint32_t> indices,
                               std::span<const fr> scalars) {
  auto total = jacobian<F>::infinity();
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    const std::size_t index = indices.empty() ? i : indices[i];
    const std::byte* from = points.data + index * 2 * sizeof(F);
    affine<F> p;
    const auto read =
      lanes::plain_engine<F>::import(std::span(&from, 1), import_rules{points.layout, points.check_curve}, &p);
    if (read.fault != point_fault::none)
      return fault_error(index, read.fault);
    total += jacobian<F>::from(p).times(scalars[i]);
  }
  return total;
}

bool use_ifma(msm_path path) {
  return path == msm_path::ifma || (path == msm_path::best && cpu().avx512ifma);
}

} // namespace

template <class F>
result<jacobian<F>> msm(const point_view& points, std::span<const std::uint32_t> indices, std::span<const fr> scalars,
                        const msm_options& options) {
  if (!indices.empty() && indices.size() != scalars.size())
    return bad_input("indices", std::to_string(indices.size()) + " for " + std::to_string(scalars.size()) + " scalars");
  const std::size_t last =
    indices.empty() ? scalars.size() : 1 + std::size_t{*std::max_element(indices.begin(), indices.end())};
  if (!scalars.empty() && last > points.count)
    return bad_input("scalars", "need " + std::to_string(last) + " points, there are " + std::to_string(points.count));
  if (scalars.size() < small_count)
    return bit_by_bit<F>(points, indices, scalars);
  if (use_ifma(options.path))
    return pippenger<lanes::ifma_engine<F>>(points, indices, scalars, options).run();
  return pippenger<lanes::plain_engine<F>>(points, indices, scalars, options).run();
}

template <class F>
result<jacobian<F>> masked_sum(const point_view& points, std::span<const std::uint64_t> mask,
                               const msm_options& options) {
  if (mask.size() * 64 < points.count)
    return bad_input("mask",
                     "has " + std::to_string(mask.size()) + " words for " + std::to_string(points.count) + " points");
  if (use_ifma(options.path))
    return selection<lanes::ifma_engine<F>>(points, mask, options).run();
  return selection<lanes::plain_engine<F>>(points, mask, options).run();
}

template result<g1> msm<fp>(const point_view&, std::span<const std::uint32_t>, std::span<const fr>, const msm_options&);
template result<g2> msm<fp2>(const point_view&, std::span<const std::uint32_t>, std::span<const fr>,
                             const msm_options&);
template result<g1> masked_sum<fp>(const point_view&, std::span<const std::uint64_t>, const msm_options&);
template result<g2> masked_sum<fp2>(const point_view&, std::span<const std::uint64_t>, const msm_options&);

} // namespace cuzk
