#pragma once
// Many multiples of one point, for key generation: a table of windows in device memory, one addition a window and
// multiple. No CUDA header, C++17.
#include "cuda/device/memory.hpp"
#include "cuda/msm/plan.hpp"
#include "math/curve.hpp"

#include <cstdint>

namespace cuzk::cuda {

/// Signed digits of 16 bits: d of window w stands for (d - 2^15) 2^(16 w), after 2^15 was added to every window.
inline constexpr int multiples_windows = 16;
inline constexpr std::uint32_t multiples_window_points = 1u << 15; ///< 1 .. 2^15 times 2^(16 w) of the point

struct multiples_plan {
  curve_group group = curve_group::g1;
  std::uint32_t at_once = 0;                       ///< multiples of one call, at most
  std::uint32_t grid = 0;                          ///< blocks of the addition kernel
  std::uint32_t depth = 0;                         ///< additions a thread batches, at most
  std::size_t digits = 0, prefix = 0, tickets = 0; ///< places in the scratch
  std::size_t scratch_bytes = 0;
  std::size_t table_bytes = 0; ///< 50 MB in G1, 101 MB in G2
};

/// @param at_once 1 .. 2^26. Errors: bad_input.
result<multiples_plan> plan_multiples(curve_group group, std::size_t at_once, int multiprocessors);

/// Queues the making of the table of `base`, which must not be infinity. `table` and `scratch` lie on the device,
/// aligned to 256. Errors: gpu_fault; bad_input (plan of the other group).
status queue_multiples_table(const multiples_plan& plan, const g1_affine& base, std::byte* table, std::byte* scratch,
                             stream_handle s);
status queue_multiples_table(const multiples_plan& plan, const g2_affine& base, std::byte* table, std::byte* scratch,
                             stream_handle s);

/// Queues out[i] = scalars[i] * base for i < n <= plan.at_once; scalars and out lie on the device.
status queue_multiples(const multiples_plan& plan, const std::byte* table, const fr* scalars, std::uint32_t n,
                       g1_affine* out, std::byte* scratch, stream_handle s);
status queue_multiples(const multiples_plan& plan, const std::byte* table, const fr* scalars, std::uint32_t n,
                       g2_affine* out, std::byte* scratch, stream_handle s);

/// Queues the conversion of n points, where they lie, to the uncompressed form of .params files: big-endian x, y, the
/// imaginary part first in G2, flag 0x40 for infinity.
status queue_uncompressed(g1_affine* points, std::uint32_t n, stream_handle s);
status queue_uncompressed(g2_affine* points, std::uint32_t n, stream_handle s);

} // namespace cuzk::cuda
