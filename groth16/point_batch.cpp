#include "groth16/point_batch.hpp"

#include "math/endomorphism.hpp"
#include "math/lanes/group_sums.hpp"

#include <bit>

namespace cuzk::groth16 {

halves split_scalar(const fr& k) {
  // Long division by x^2, a bit at a time: a fiftieth of what the product costs.
  constexpr auto divisor = static_cast<unsigned __int128>(curve_x_abs) * curve_x_abs;
  const auto value = k.to_int();
  unsigned __int128 rest = 0, quotient = 0;
  for (int bit = 254; bit >= 0; --bit) {
    const bool carry = (rest >> 127) != 0;
    rest = rest << 1 | (value.limb[bit / 64] >> (bit % 64) & 1);
    quotient <<= 1;
    if (carry || rest >= divisor) {
      rest -= divisor;
      quotient |= 1;
    }
  }
  return {rest, quotient};
}

namespace {

constexpr std::size_t block = 512; // products that advance together: their tables stay in the second cache
constexpr int window = 4;          // bits of a digit
constexpr int windows = 33;        // of 128 bits and the last carry
constexpr int table_size = 1 << (window - 1);

/// Signed digits in [-8, 8], lowest first.
void write_digits(unsigned __int128 k, bool negate, std::int8_t* out, std::size_t stride) {
  int carry = 0;
  for (int w = 0; w < windows; ++w, k >>= window) {
    int digit = static_cast<int>(k & (2 * table_size - 1)) + carry;
    carry = digit > table_size ? 1 : 0;
    digit -= carry * 2 * table_size;
    out[static_cast<std::size_t>(w) * stride] = static_cast<std::int8_t>(negate ? -digit : digit);
  }
}

template <class Engine>
class batch_over final : public point_batch {
  using point = typename Engine::point;
  using ref = lanes::signed_ref<point>;
  using pair = lanes::pair_of<point>;

public:
  explicit batch_over(thread_pool& pool) : pool_(pool) {}

  void multiply(std::span<g1_affine> points, std::span<const fr> scalars) const override {
    pool_.parallel_for(points.size(), block, [&](std::size_t begin, std::size_t end) {
      product_block work;
      work.run(points.subspan(begin, end - begin), scalars.subspan(begin, end - begin));
      for (std::size_t i = begin; i < end; ++i)
        points[i] = Engine::to_affine(work.products()[i - begin]);
    });
  }

  void transform(std::span<g1_affine> points, const fr& root, const std::atomic<bool>* stop) const override {
    const std::size_t n = points.size();
    reverse_bits(points);
    std::vector<fr> powers(n / 2, fr::one());
    for (std::size_t i = 1; i < powers.size(); ++i)
      powers[i] = powers[i - 1] * root;
    for (std::size_t half = 1; half < n; half *= 2) {
      if (stop != nullptr && stop->load(std::memory_order_relaxed))
        return;
      pool_.parallel_for(n / 2, block,
                         [&](std::size_t begin, std::size_t end) { butterflies(points, powers, half, begin, end); });
    }
  }

  std::vector<g1_affine> sums(std::span<const g1_affine> points, std::span<const std::uint32_t> items,
                              std::span<const std::uint32_t> ends) const override {
    const auto imported = import(points);
    std::vector<g1_affine> out(ends.size());
    pool_.parallel_for(ends.size(), 1 << 13, [&](std::size_t begin, std::size_t end) {
      const std::uint32_t first = begin == 0 ? 0 : ends[begin - 1];
      std::vector<ref> terms, sums;
      for (const auto item : items.subspan(first, ends[end - 1] - first))
        terms.emplace_back(&imported[item & ~negative], (item & negative) != 0);
      std::vector<std::uint32_t> own;
      for (std::size_t g = begin; g < end; ++g)
        own.push_back(ends[g] - first);
      lanes::group_sums<Engine> summer;
      summer.run(terms, own, sums);
      for (std::size_t g = begin; g < end; ++g)
        out[g] = to_affine(sums[g - begin]);
    });
    return out;
  }

private:
  /// Up to `block` products in step: four doublings, then one table entry for each half of the scalars.
  class product_block {
  public:
    void run(std::span<const g1_affine> points, std::span<const fr> scalars) {
      n_ = points.size();
      digits_.resize(2 * windows * n_);
      for (std::size_t i = 0; i < n_; ++i) {
        const auto k = split_scalar(scalars[i]);
        write_digits(k.low, false, &digits_[i], 2 * n_);
        write_digits(k.high, true, &digits_[n_ + i], 2 * n_);
      }
      make_tables(points);
      sums_.assign(n_, nothing_);
      next_.resize(n_);
      for (int w = windows - 1; w >= 0; --w) {
        for (int i = 0; i < window && w != windows - 1; ++i)
          add([&](std::size_t j) { return ref(&sums_[j], false); });
        for (std::size_t half = 0; half < 2; ++half)
          add(
            [&](std::size_t j) { return entry(half, digits_[(2 * static_cast<std::size_t>(w) + half) * n_ + j], j); });
      }
    }
    const std::vector<point>& products() const noexcept { return sums_; }
    Engine& engine() noexcept { return engine_; }

  private:
    // Row d - 1 of a half's table holds d times its points.
    void make_tables(std::span<const g1_affine> points) {
      std::vector<g1_affine> images(points.begin(), points.end());
      for (auto& p : images)
        p = phi(p);
      nothing_ = import_one(g1_affine::infinity());
      for (std::size_t half = 0; half < 2; ++half) {
        table_[half].resize(table_size * n_);
        import_to(half == 0 ? points : std::span<const g1_affine>(images), table_[half].data());
        for (std::size_t d = 1; d < table_size; ++d) {
          pairs_.clear();
          for (std::size_t j = 0; j < n_; ++j)
            pairs_.push_back({ref(&table_[half][(d - 1) * n_ + j], false), ref(&table_[half][j], false)});
          engine_.add(pairs_, table_[half].data() + d * n_);
        }
      }
    }
    ref entry(std::size_t half, std::int8_t digit, std::size_t j) const {
      if (digit == 0)
        return ref(&nothing_, false);
      const auto size = static_cast<std::size_t>(digit < 0 ? -digit : digit);
      return ref(&table_[half][(size - 1) * n_ + j], digit < 0);
    }
    template <class Term>
    void add(const Term& term) {
      pairs_.clear();
      for (std::size_t j = 0; j < n_; ++j)
        pairs_.push_back({ref(&sums_[j], false), term(j)});
      engine_.add(pairs_, next_.data());
      sums_.swap(next_);
    }

    Engine engine_;
    std::size_t n_ = 0;
    std::vector<std::int8_t> digits_;
    std::vector<point> table_[2], sums_, next_;
    std::vector<pair> pairs_;
    point nothing_{};
  };

  static void import_to(std::span<const g1_affine> points, point* out) {
    std::vector<const std::byte*> from(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
      from[i] = reinterpret_cast<const std::byte*>(&points[i]);
    Engine::import(from, {}, out);
  }
  static point import_one(const g1_affine& p) {
    point out;
    import_to(std::span(&p, 1), &out);
    return out;
  }
  std::vector<point> import(std::span<const g1_affine> points) const {
    std::vector<point> out(points.size());
    pool_.parallel_for(points.size(), 1 << 12, [&](std::size_t begin, std::size_t end) {
      import_to(points.subspan(begin, end - begin), out.data() + begin);
    });
    return out;
  }
  static g1_affine to_affine(const ref& sum) {
    if (sum.point() == nullptr)
      return g1_affine::infinity();
    const auto p = Engine::to_affine(*sum.point());
    return sum.negative() ? -p : p;
  }

  static void reverse_bits(std::span<g1_affine> points) {
    const int lg = std::bit_width(points.size()) - 1;
    for (std::size_t i = 0; i < points.size(); ++i) {
      std::size_t j = 0;
      for (int b = 0; b < lg; ++b)
        j |= (i >> b & 1) << (lg - 1 - b);
      if (i < j)
        std::swap(points[i], points[j]);
    }
  }

  // Butterflies [begin, end) of the layer that joins transforms of size `half`: (a, b) becomes (a + w b, a - w b).
  void butterflies(std::span<g1_affine> points, const std::vector<fr>& powers, std::size_t half, std::size_t begin,
                   std::size_t end) const {
    const std::size_t step = powers.size() / half;
    const auto upper = [half](std::size_t i) { return i / half * 2 * half + i % half; };
    std::vector<g1_affine> a, b;
    std::vector<fr> factors;
    for (std::size_t i = begin; i < end; ++i) {
      a.push_back(points[upper(i)]);
      b.push_back(points[upper(i) + half]);
      factors.push_back(powers[i % half * step]);
    }
    product_block work;
    std::vector<point> products(b.size()), left(a.size()), sums(a.size()), differences(a.size());
    if (half == 1) { // every factor is one
      import_to(b, products.data());
    } else {
      work.run(b, factors);
      products = work.products();
    }
    import_to(a, left.data());
    std::vector<pair> pairs(a.size());
    for (const bool minus : {false, true}) {
      for (std::size_t i = 0; i < a.size(); ++i)
        pairs[i] = {ref(&left[i], false), ref(&products[i], minus)};
      work.engine().add(pairs, minus ? differences.data() : sums.data());
    }
    for (std::size_t i = begin; i < end; ++i) {
      points[upper(i)] = Engine::to_affine(sums[i - begin]);
      points[upper(i) + half] = Engine::to_affine(differences[i - begin]);
    }
  }

  thread_pool& pool_;
};

} // namespace

std::unique_ptr<const point_batch> make_point_batch(thread_pool& pool, bool lanes) {
  if (lanes)
    return std::make_unique<batch_over<lanes::ifma_engine<fp>>>(pool);
  return std::make_unique<batch_over<lanes::plain_engine<fp>>>(pool);
}

} // namespace cuzk::groth16
