#pragma once
// Many multiples of one point: tables of windows, for key generation.
#include "math/cpu_features.hpp"
#include "math/lanes/window_table.hpp"

#include <span>
#include <variant>

namespace cuzk {

/// Multiples of one fixed point of order r. The table is read only once made: any number of threads may use it.
/// A multiple is a sum of one table entry per window of signed digits, made by batched affine additions, eight at a
/// time where the processor has AVX-512 IFMA. Instantiated for fp (G1) and fp2 (G2).
template <class F>
class fixed_base {
public:
  /// @param count about how many multiples will be asked for in all: it picks the width of the windows. From a few
  ///   hundred thousand on, the table takes 27 or 36 MB (G1, plain or IFMA), 54 or 71 MB (G2).
  /// @param ifma whether to use AVX-512; only where cpu().avx512ifma.
  fixed_base(const affine<F>& base, std::size_t count, thread_pool& pool, bool ifma = cpu().avx512ifma);

  /// out[i] = scalars[i] * base, for any scalars, zero included. `out` has the length of `scalars`.
  void multiply(std::span<const fr> scalars, std::span<affine<F>> out, thread_pool& pool) const;
  /// One multiple.
  affine<F> multiply(const fr& scalar) const;

  int window_bits() const noexcept { return bits_; }
  std::size_t table_bytes() const noexcept;

private:
  using plain_table = lanes::window_table<lanes::plain_engine<F>>;
  using ifma_table = lanes::window_table<lanes::ifma_engine<F>>;
  using table = std::variant<plain_table, ifma_table>;
  static table make_table(const affine<F>& base, int bits, thread_pool& pool, bool ifma);

  int bits_;
  table table_;
};

extern template class fixed_base<fp>;
extern template class fixed_base<fp2>;

} // namespace cuzk
