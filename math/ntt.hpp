#pragma once
// Number-theoretic transforms over Fr.
#include "math/field.hpp"
#include "math/lanes/column_fft.hpp"
#include "runtime/base/thread_pool.hpp"

#include <atomic>
#include <cstddef>
#include <span>

namespace cuzk {

/// A primitive 2^lg-th root of unity: w32^(2^(32 - lg)) with w32 = 7^((r - 1) / 2^32). 0 <= lg <= 32.
fr root_of_unity(int lg);

/// Which code runs; `best` asks the processor. The others are for tests; they must be available.
enum class ntt_path { best, portable, ifma };

/// Transforms of one size. The domain is the powers of w = root_of_unity(lg), in natural order everywhere.
/// Method: the data as a matrix of 2^(lg/2) rows; columns, factors, turn round, columns (Bailey's four steps), each
/// step eight columns at a time. Tables: about 2^(lg/2 + 1) elements. Immutable: threads may share it.
class ntt_domain {
public:
  /// 0 <= lg <= 28.
  explicit ntt_domain(int lg, ntt_path path = ntt_path::best);

  int lg() const noexcept { return lg_; }
  std::size_t size() const noexcept { return std::size_t{1} << lg_; }
  const fr& root() const noexcept { return w_; }

  /// data[k] = sum_j data[j] shift^j w^(jk): values at shift * w^k of the polynomial with these coefficients.
  /// With shift = root_of_unity(lg + 1) these are the roots of X^m + 1.
  /// @param data, scratch size() elements each; the contents of scratch are lost.
  void forward(std::span<fr> data, std::span<fr> scratch, thread_pool& pool, const fr& shift = fr::one()) const;
  /// The inverse of forward with the same shift.
  void inverse(std::span<fr> data, std::span<fr> scratch, thread_pool& pool, const fr& shift = fr::one()) const;

private:
  struct direction {
    fr w;
    lanes::root_table rows, columns; ///< lengths 2^rows_lg and 2^columns_lg
  };
  void small(std::span<fr> data, const fr& w) const;
  void steps(const direction& d, std::span<fr> data, std::span<fr> scratch, thread_pool& pool, const fr& before,
             const fr& scale, const fr& after) const;
  direction make_direction(const fr& w) const;

  int lg_, rows_lg_, columns_lg_;
  bool ifma_;
  fr w_, size_inverse_;
  direction ahead_, back_;
};

} // namespace cuzk
