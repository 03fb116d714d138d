#include "math/fixed_base.hpp"

namespace cuzk {
namespace {

// The width with the fewest additions: windows * (count + row length). At most 15 bits: a row of 1.5 MB.
int choose_bits(std::size_t count) {
  int best = 3;
  const auto cost = [&](int bits) { return lanes::windows_of(bits) * (count + (std::size_t{1} << (bits - 1))); };
  for (int bits = 4; bits <= 15; ++bits)
    if (cost(bits) < cost(best))
      best = bits;
  return best;
}

} // namespace

template <class F>
fixed_base<F>::fixed_base(const affine<F>& base, std::size_t count, thread_pool& pool, bool ifma)
  : bits_(choose_bits(count)), table_(make_table(base, bits_, pool, ifma)) {}

template <class F>
typename fixed_base<F>::table fixed_base<F>::make_table(const affine<F>& base, int bits, thread_pool& pool, bool ifma) {
  if (ifma)
    return table(std::in_place_type<ifma_table>, base, bits, pool);
  return table(std::in_place_type<plain_table>, base, bits, pool);
}

template <class F>
void fixed_base<F>::multiply(std::span<const fr> scalars, std::span<affine<F>> out, thread_pool& pool) const {
  std::visit([&](const auto& t) { t.multiply(scalars, out, pool); }, table_);
}

template <class F>
affine<F> fixed_base<F>::multiply(const fr& scalar) const {
  return std::visit([&](const auto& t) { return t.multiply(scalar); }, table_);
}

template <class F>
std::size_t fixed_base<F>::table_bytes() const noexcept {
  return std::visit([](const auto& t) { return t.bytes(); }, table_);
}

template class fixed_base<fp>;
template class fixed_base<fp2>;

} // namespace cuzk
