// Row values of a compact matrix: one block of threads a block of rows.
#include "cuda/check.cuh"
#include "cuda/evaluate/evaluate.hpp"

#include <cub/block/block_scan.cuh>

namespace cuzk::cuda {
namespace {

using device::u32;

constexpr int rows_per_block = 256;
constexpr u32 long_row = 255;
// A warp shares rows from this length on, where one thread would keep the others waiting.
constexpr u32 shared_length = 48;

__device__ __forceinline__ fr read(const fr* p) {
  union {
    uint4 q[2];
    fr value;
  } u;
  const auto* from = reinterpret_cast<const uint4*>(p);
  u.q[0] = __ldg(from);
  u.q[1] = __ldg(from + 1);
  return u.value;
}

/// coefficient * wire of entry e, added to sum.
__device__ __forceinline__ void add_entry(const device_matrix& m, const device_witness& w, std::uint64_t e, fr& sum) {
  const u32 column = m.columns[e], wire_mask = m.column_bits == 32 ? ~0u : (1u << m.column_bits) - 1;
  const u32 wire = column & wire_mask;
  const u32 high = m.column_bits == 32 ? 0 : column >> m.column_bits;
  const u32 code = m.codes[e] | high << 8;
  if (wire >= w.first_bit) {
    const u32 i = wire - w.first_bit;
    if (w.bits[i / 32] >> (i % 32) & 1)
      sum += read(m.coefficients + code);
    return;
  }
  const fr value = read(w.values + wire);
  if (code == 0)
    sum += value;
  else if (code == 1)
    sum -= value;
  else
    sum += value * read(m.coefficients + code);
}

__device__ fr shuffled(const fr& x, int offset) {
  fr r;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    r.limb[i] = __shfl_down_sync(0xffffffff, x.limb[i], offset);
  return r;
}

/// All lanes walk over one row; lane 0 gets its value.
__device__ fr shared_row(const device_matrix& m, const device_witness& w, std::uint64_t first, u32 length) {
  fr sum = fr::zero();
  for (u32 i = threadIdx.x & 31; i < length; i += 32)
    add_entry(m, w, first + i, sum);
  for (int offset = 16; offset > 0; offset /= 2)
    sum += shuffled(sum, offset);
  return sum;
}

/// 256 threads: row lengths give every thread its first entry, long rows are counted on the way. Short rows take a
/// thread each, long ones a warp.
__global__ void __launch_bounds__(rows_per_block) evaluate_rows(device_matrix m, device_witness w, fr* out) {
  using scan = cub::BlockScan<u32, rows_per_block>;
  __shared__ typename scan::TempStorage temp;
  const std::uint64_t row = blockIdx.x * std::uint64_t(rows_per_block) + threadIdx.x;
  u32 length = row < m.rows ? m.row_lengths[row] : 0, before = 0;
  const u32 is_long = length == long_row;
  scan(temp).ExclusiveSum(is_long, before);
  __syncthreads();
  if (is_long)
    length = m.long_rows[m.block_long[blockIdx.x] + before];
  scan(temp).ExclusiveSum(length, before);
  const std::uint64_t first = m.block_entry[blockIdx.x] + before;
  fr sum = fr::zero();
  if (length < shared_length)
    for (u32 i = 0; i < length; ++i)
      add_entry(m, w, first + i, sum);
  const u32 lane = threadIdx.x & 31;
  for (u32 left = __ballot_sync(0xffffffff, length >= shared_length); left != 0; left &= left - 1) {
    const int owner = __ffs(left) - 1;
    const std::uint64_t its_first = __shfl_sync(0xffffffff, first, owner);
    const u32 its_length = __shfl_sync(0xffffffff, length, owner);
    fr value = shared_row(m, w, its_first, its_length);
#pragma unroll
    for (int i = 0; i < 4; ++i)
      value.limb[i] = __shfl_sync(0xffffffff, value.limb[i], 0);
    if (lane == owner)
      sum = value;
  }
  if (row < m.rows)
    out[row] = sum;
}

} // namespace

status queue_evaluate(const device_matrix& m, const device_witness& w, std::uint32_t inputs, bool inputs_occur, fr* out,
                      std::uint64_t size, stream_handle s) {
  if (m.rows + inputs > size)
    return bad_input("size", "row values of " + std::to_string(m.rows) + " rows and " + std::to_string(inputs) +
                               " inputs do not fit " + std::to_string(size) + " elements");
  return guarded([&] {
    if (m.rows > 0) {
      evaluate_rows<<<static_cast<unsigned>((m.rows + rows_per_block - 1) / rows_per_block), rows_per_block, 0, s>>>(
        m, w, out);
      check_launch("evaluating a matrix");
    }
    fr* rest = out + m.rows;
    check(cudaMemsetAsync(rest, 0, (size - m.rows) * sizeof(fr), s), "clearing row values");
    if (inputs_occur)
      check(cudaMemcpyAsync(rest, w.values, inputs * sizeof(fr), cudaMemcpyDeviceToDevice, s), "copying inputs");
  });
}

} // namespace cuzk::cuda
