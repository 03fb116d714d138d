#pragma once
// Many multiples of one point: tables of windows, for key generation.
#include "math/affine_batch.hpp"
#include "math/curve.hpp"
#include "runtime/base/thread_pool.hpp"

#include <span>
#include <vector>

namespace cuzk {

/// Multiples of one fixed point of order r. The table is read only once made: any number of threads may use it.
/// A multiple is a sum of one table entry per window of signed digits; sums of a thousand scalars advance together,
/// one window at a time, by batched affine additions. Instantiated for fp (G1) and fp2 (G2).
template <class F>
class fixed_base {
public:
  /// @param count about how many multiples will be asked for in all: it picks the width of the windows. From a few
  ///   hundred thousand on, the table takes about 26 MB (G1) or 31 MB (G2).
  fixed_base(const affine<F>& base, std::size_t count, thread_pool& pool);

  /// out[i] = scalars[i] * base, for any scalars, zero included. `out` has the length of `scalars`.
  void multiply(std::span<const fr> scalars, std::span<affine<F>> out, thread_pool& pool) const;
  /// One multiple.
  affine<F> multiply(const fr& scalar) const;

  int window_bits() const noexcept { return bits_; }
  std::size_t table_bytes() const noexcept { return table_.size() * sizeof(affine<F>); }

private:
  std::span<const affine<F>> row(int window) const;
  void fill_row(std::size_t window, const affine<F>& first);
  void multiply_chunk(std::span<const fr> scalars, std::span<affine<F>> out, affine_batch<F>& batch,
                      std::vector<std::int32_t>& digits) const;

  int bits_;
  int windows_;
  std::vector<affine<F>> table_; ///< row j: k * 2^(bits j) * base, k = 1..2^(bits - 1)
};

extern template class fixed_base<fp>;
extern template class fixed_base<fp2>;

} // namespace cuzk
