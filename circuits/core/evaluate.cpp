#include "circuits/core/evaluate.hpp"

#include "math/hash/fr_dot.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

namespace cuzk {
namespace {

constexpr std::uint64_t blocks_per_task = 16;

/// Sum of reduced elements with the reduction put off: below 2^320.
class plain_sum {
public:
  void add(const fr& x) {
    unsigned __int128 c = 0;
    for (int i = 0; i < 4; ++i) {
      c += static_cast<unsigned __int128>(limb_[i]) + x.limb[i];
      limb_[i] = static_cast<std::uint64_t>(c);
      c >>= 64;
    }
    limb_[4] += static_cast<std::uint64_t>(c);
    any_ = true;
  }
  bool any() const { return any_; }
  fr reduce() const {
    fr low{{limb_[0], limb_[1], limb_[2], limb_[3]}};
    // below 2^256 < 3 r: the additions of zero take r off twice at most
    low = low + fr::zero() + fr::zero();
    // limb 4 stands for limb * 2^256, and that is what the Montgomery form of an integer is
    return limb_[4] == 0 ? low : low + fr::from_u64(limb_[4]);
  }

private:
  std::uint64_t limb_[5] = {};
  bool any_ = false;
};

/// Coefficients as small integers where they are: bits with such coefficients need no field arithmetic.
class small_integers {
public:
  static constexpr int limit = 64;

  explicit small_integers(std::span<const fr> coefficients) : of_code_(coefficients.size()) {
    for (int k = 1; k <= limit; ++k) {
      positive_[static_cast<std::size_t>(k)] = positive_[static_cast<std::size_t>(k - 1)] + fr::one();
      for (std::size_t code = 0; code < coefficients.size(); ++code) {
        if (coefficients[code] == positive_[static_cast<std::size_t>(k)])
          of_code_[code] = static_cast<std::int8_t>(k);
        if (coefficients[code] == -positive_[static_cast<std::size_t>(k)])
          of_code_[code] = static_cast<std::int8_t>(-k);
      }
    }
  }
  /// 0 when the coefficient is not small.
  int of_code(std::uint32_t code) const { return of_code_[code]; }
  fr to_field(std::int64_t x) const {
    const auto size = static_cast<std::uint64_t>(x < 0 ? -x : x);
    const fr out = size <= limit ? positive_[size] : fr::from_u64(size);
    return x < 0 ? -out : out;
  }

private:
  std::vector<std::int8_t> of_code_;
  std::array<fr, limit + 1> positive_{};
};

/// Sum of products with one reduction for many.
class product_sum {
public:
  void add(const fr& value, const fr& coefficient) {
    values_[count_] = value;
    coefficients_[count_] = coefficient;
    any_ = true;
    if (++count_ == at_once)
      flush();
  }
  bool any() const { return any_; }
  fr sum() {
    if (count_ != 0)
      flush();
    return sum_;
  }

private:
  static constexpr unsigned at_once = 64; // fr_dot's bound

  void flush() {
    sum_ += fr_dot(values_, coefficients_, count_);
    count_ = 0;
  }

  bool any_ = false;
  unsigned count_ = 0;
  fr sum_ = fr::zero();
  fr values_[at_once], coefficients_[at_once]; // the first count_ are set
};

/// Row values of one witness. Terms go three ways: small integers where a bit or ONE meets a small coefficient, plain
/// sums where no product is needed, products for the rest.
class evaluator {
public:
  evaluator(const matrices& m, const compact_witness& w) : m_(m), w_(w), small_(m.coefficients) {}

  fr row(const row_view& row) const {
    std::int64_t integer = 0;
    plain_sum plain;
    product_sum products;
    const auto first_bit = m_.wires.first_bit();
    for (std::size_t e = 0; e < row.columns.size(); ++e) {
      const auto wire = m_.wire_of(row.columns[e]);
      const auto code = m_.code_of(row.columns[e], row.codes[e]);
      if (wire >= first_bit || wire == 0) {
        if (wire != 0 && !w_.bit(wire - first_bit))
          continue;
        if (const int k = small_.of_code(code))
          integer += k;
        else
          plain.add(m_.coefficients[code]);
        continue;
      }
      const fr& value = wire < m_.wires.inputs ? w_.inputs()[wire] : w_.fields()[wire - m_.wires.inputs];
      if (code == 0)
        plain.add(value);
      else if (code == 1)
        plain.add(-value);
      else
        products.add(value, m_.coefficients[code]);
    }
    fr out = small_.to_field(integer);
    if (plain.any()) // most rows of SHA-256 are bits with small coefficients and nothing else
      out += plain.reduce();
    if (products.any())
      out += products.sum();
    return out;
  }

private:
  const matrices& m_;
  const compact_witness& w_;
  small_integers small_;
};

status check_fit(const matrices& m, const compact_witness& w) {
  if (w.counts() != m.wires)
    return internal_error("witness of " + std::to_string(w.counts().total()) + " wires for a circuit of " +
                          std::to_string(m.wires.total()));
  return ok();
}

} // namespace

status evaluate(const matrices& m, which_matrix which, const compact_witness& w, std::span<fr> out, thread_pool& pool) {
  CUZK_CHECK(check_fit(m, w));
  if (out.size() < m.rows())
    return internal_error("room for " + std::to_string(out.size()) + " row values, " + std::to_string(m.rows()) +
                          " are needed");
  const auto& matrix = which == which_matrix::a ? m.a : which == which_matrix::b ? m.b : m.c;
  const evaluator values(m, w);
  pool.parallel_for(matrix.blocks(), blocks_per_task, [&](std::size_t begin, std::size_t end) {
    for_each_row(matrix, begin, end,
                 [&](std::uint64_t row, const row_view& entries) { out[row] = values.row(entries); });
  });
  auto rest = out.subspan(m.circuit_rows);
  if (which == which_matrix::a)
    std::copy(w.inputs().begin(), w.inputs().end(), rest.begin());
  else
    std::fill_n(rest.begin(), m.wires.inputs, fr::zero());
  std::fill(rest.begin() + m.wires.inputs, rest.end(), fr::zero());
  return ok();
}

result<std::uint64_t> first_broken_row(const matrices& m, const compact_witness& w, thread_pool& pool) {
  CUZK_CHECK(check_fit(m, w));
  const evaluator values(m, w);
  std::atomic<std::uint64_t> broken{m.circuit_rows};
  pool.parallel_for(m.a.blocks(), blocks_per_task, [&](std::size_t begin, std::size_t end) {
    for (std::size_t block = begin; block < end; ++block) {
      const auto first = block * sparse_matrix::rows_per_block;
      std::array<fr, sparse_matrix::rows_per_block> product;
      for_each_row(m.a, block, block + 1, [&](auto row, const auto& e) { product[row - first] = values.row(e); });
      for_each_row(m.b, block, block + 1, [&](auto row, const auto& e) { product[row - first] *= values.row(e); });
      for_each_row(m.c, block, block + 1, [&](auto row, const auto& e) {
        if (product[row - first] == values.row(e))
          return;
        auto lowest = broken.load(std::memory_order_relaxed);
        while (row < lowest && !broken.compare_exchange_weak(lowest, row, std::memory_order_relaxed)) {
        }
      });
    }
  });
  return broken.load();
}

} // namespace cuzk
