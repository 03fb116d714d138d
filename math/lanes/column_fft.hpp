#pragma once
// Eight Fourier transforms side by side: the columns of a piece of a matrix that is eight elements wide. The building
// block of the big transforms in math/ntt.hpp.
#include "math/field.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cuzk::lanes {

/// Roots of one length, in the forms the two paths want.
struct root_table {
  int lg = 0;
  std::vector<fr> roots;              ///< w^0 .. w^(n/2 - 1)
  std::vector<std::uint64_t> limbs52; ///< the same as five limbs of w * 2^260 each; empty without IFMA
};
root_table make_roots(int lg, const fr& w, bool for_ifma);

/// start[j] * step[j]^k multiplies element k of column j. `used` off: no multiplication.
struct geometric {
  bool used = false;
  fr start[8], step[8];
};

/// One piece of work: n rows of eight neighbouring elements, `in_stride` elements from row to row.
struct column_job {
  const fr* in = nullptr;
  std::size_t in_stride = 0;
  fr* out = nullptr;
  std::size_t out_stride = 0;
  bool transposed = false; ///< element k of column j goes to out[j * out_stride + k] instead of out[k * out_stride + j]
  geometric before, after;
};

/// Bytes of scratch a thread needs for transforms of 2^lg rows.
std::size_t column_scratch_bytes(int lg, bool ifma);

/// out = transform of the columns, natural order in and out. `in` and `out` may be the same rows.
/// @param scratch aligned to 64 bytes. @param ifma whether the AVX-512 path runs.
void column_fft(const root_table& roots, const column_job& job, void* scratch, bool ifma);

} // namespace cuzk::lanes
