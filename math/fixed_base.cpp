#include "math/fixed_base.hpp"

#include "math/batch_inverse.hpp"

namespace cuzk {
namespace {

int choose_bits(std::size_t count) {
  int bits = 3;
  while (bits < 10 && (std::size_t{64} << bits) < count)
    ++bits;
  return bits;
}

std::size_t digit(const big_int<4>& x, int at, int bits) {
  const int word = at / 64, shift = at % 64;
  std::uint64_t v = x.limb[word] >> shift;
  if (shift + bits > 64 && word < 3)
    v |= x.limb[word + 1] << (64 - shift);
  return v & ((std::size_t{1} << bits) - 1);
}

} // namespace

template <class F>
fixed_base<F>::fixed_base(const affine<F>& base, std::size_t count, thread_pool& pool)
  : bits_(choose_bits(count)), windows_((255 + bits_ - 1) / bits_) {
  const std::size_t row = (std::size_t{1} << bits_) - 1;
  std::vector<jacobian<F>> first(windows_);
  jacobian<F> power = jacobian<F>::from(base);
  for (auto& p : first) {
    p = power;
    for (int i = 0; i < bits_; ++i)
      power = power.doubled();
  }
  table_.resize(row * windows_);
  pool.parallel_for(windows_, 1, [&](std::size_t begin, std::size_t end) {
    std::vector<jacobian<F>> multiples(row);
    for (std::size_t j = begin; j < end; ++j) {
      multiples[0] = first[j];
      for (std::size_t k = 1; k < row; ++k)
        multiples[k] = multiples[k - 1] + first[j];
      batch_to_affine(std::span<const jacobian<F>>(multiples), std::span(table_).subspan(j * row, row));
    }
  });
}

template <class F>
void fixed_base<F>::multiply(std::span<const fr> scalars, std::span<affine<F>> out, thread_pool& pool) const {
  const std::size_t row = (std::size_t{1} << bits_) - 1;
  pool.parallel_for(scalars.size(), 1024, [&](std::size_t begin, std::size_t end) {
    std::vector<jacobian<F>> sums(end - begin, jacobian<F>::infinity());
    for (std::size_t i = begin; i < end; ++i) {
      const auto k = scalars[i].to_int();
      for (int j = 0; j < windows_; ++j)
        if (const auto d = digit(k, j * bits_, bits_))
          sums[i - begin] += table_[j * row + d - 1];
    }
    batch_to_affine(std::span<const jacobian<F>>(sums), out.subspan(begin, end - begin));
  });
}

template <class F>
affine<F> fixed_base<F>::multiply(const fr& scalar) const {
  const std::size_t row = (std::size_t{1} << bits_) - 1;
  const auto k = scalar.to_int();
  auto sum = jacobian<F>::infinity();
  for (int j = 0; j < windows_; ++j)
    if (const auto d = digit(k, j * bits_, bits_))
      sum += table_[j * row + d - 1];
  return sum.to_affine();
}

template class fixed_base<fp>;
template class fixed_base<fp2>;

} // namespace cuzk
