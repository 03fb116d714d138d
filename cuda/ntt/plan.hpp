#pragma once
// How a number-theoretic transform is cut into passes over memory, and the tables it needs. Pure arithmetic, no GPU.
// C++17.
#include "runtime/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cuzk::cuda {

inline constexpr int max_ntt_lg = 28;
inline constexpr int max_pass_bits = 9;   ///< rows of a tile: 2^9
inline constexpr int tile_columns_lg = 2; ///< 4 elements of 32 bytes: whole 128-byte lines
inline constexpr int split_lg = 14;       ///< powers of the root come as w^(high 2^14) times w^low
inline constexpr int table_lg = 18;       ///< twiddles between two passes are a table up to this size, else made up

/// One pass: transforms of 2^bits elements along one digit of the index. With digits j1 (first pass, highest) .. jP,
/// the input is natural, a pass writes its digit's frequency where the digit was, and the last pass writes natural
/// order: k1 + n1 k2 + n1 n2 k3 ..
struct ntt_pass {
  int bits = 0;
  int columns_lg = 0; ///< tile columns
  bool last = false;
  int stride_lg = 0;  ///< elements between two rows; 0 in the last pass
  int span_lg = 0;    ///< bits + stride_lg: twiddles after the pass are powers of the 2^span_lg-th root
  int weight_lg = 0;  ///< this digit's frequency counts 2^weight_lg
  bool table = false; ///< twiddles from a table of 2^span_lg, not made up
  std::size_t tiles = 0;
  int threads = 0; ///< of a block, one block a tile
  std::size_t shared_bytes = 0;
  // Last pass alone: a tile is the columns k1 .. k1 + 2^columns_lg - 1 of one middle index.
  int first_bits = 0;      ///< digit k1
  int middle_bits[2] = {}; ///< digits k2, k3 between the first and the last
};

struct ntt_plan {
  int lg = 0;
  std::vector<ntt_pass> passes;
  std::size_t size() const { return std::size_t(1) << lg; }
};

/// Where an element of a tile lies. Host and device use the same text.
struct ntt_place {
  std::size_t base = 0; ///< of the tile in the input
  std::size_t out_base = 0;
  std::size_t row = 0;     ///< input step of a row
  std::size_t column = 0;  ///< input step of a column
  std::size_t out_row = 0; ///< output step of a frequency
  std::size_t out_column = 0;
  std::size_t first_column = 0; ///< twiddle exponents count columns from here
};

#ifdef __CUDACC__
__host__ __device__
#endif
  inline ntt_place
  place_of_tile(const ntt_pass& p, int lg, std::size_t tile) {
  ntt_place at;
  if (!p.last) {
    const int blocks_lg = p.stride_lg - p.columns_lg; // tiles of a span
    const std::size_t span = tile >> blocks_lg;
    at.first_column = (tile & ((std::size_t(1) << blocks_lg) - 1)) << p.columns_lg;
    at.base = at.out_base = (span << p.span_lg) + at.first_column;
    at.row = at.out_row = std::size_t(1) << p.stride_lg;
    at.column = at.out_column = 1;
    return at;
  }
  const int column_blocks_lg = p.first_bits - p.columns_lg;
  const std::size_t k1 = (tile & ((std::size_t(1) << column_blocks_lg) - 1)) << p.columns_lg;
  const std::size_t middle = tile >> column_blocks_lg; // k2 2^bits(k3) + k3
  const std::size_t k3 = middle & ((std::size_t(1) << p.middle_bits[1]) - 1), k2 = middle >> p.middle_bits[1];
  at.column = std::size_t(1) << (lg - p.first_bits);
  at.base = k1 * at.column + (middle << p.bits);
  at.row = 1;
  at.out_base = k1 + (k2 << p.first_bits) + (k3 << (p.first_bits + p.middle_bits[0]));
  at.out_column = 1;
  at.out_row = std::size_t(1) << p.weight_lg;
  return at;
}

/// @param largest_table_lg twiddles between two passes are a table of 2^span_lg up to this size: one product an element
/// less than making them up. 18 costs 8 MiB; at 2^27 a table of 27 costs 4 GiB a kind and saves 5 %.
/// @param largest_pass_bits rows of a tile at most; 8 for devices with less than 72 KiB of shared memory a block.
/// Errors: bad_input (lg outside 1 .. 28).
result<ntt_plan> plan_ntt(int lg, int largest_table_lg = table_lg, int largest_pass_bits = max_pass_bits);

} // namespace cuzk::cuda
