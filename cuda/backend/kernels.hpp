#pragma once
// The small kernels between the big ones: points of a key file to device form, scalars and bits picked, the quotient.
// No CUDA header, C++17.
#include "cuda/device/memory.hpp"
#include "cuda/msm/plan.hpp"
#include "math/field.hpp"

#include <cstdint>

namespace cuzk::cuda {

/// A piece of a section of a key on its way to where its points are used.
struct point_piece {
  curve_group group = curve_group::g1;
  bool big_endian = false;        ///< uncompressed as in .params, checked for range and curve; else copied as it is
  const std::byte* raw = nullptr; ///< on the device
  const std::uint32_t* slots = nullptr; ///< place of each point in `out`; null: first, first + 1, ..
  std::uint64_t first = 0;              ///< number of the first point within its section
  std::uint32_t count = 0;
  std::byte* out = nullptr; ///< affine points as math/curve.hpp lays them out
};

/// What is wrong with the first damaged point of a section: number << 2 | fault. All ones: none is.
enum class point_fault : std::uint8_t { form = 0, range = 1, curve = 2 };
inline constexpr std::uint64_t no_bad_point = ~std::uint64_t{0};

/// Queues the decoding; `bad` is one word on the device and keeps the least. Errors: gpu_fault.
status queue_points(const point_piece& piece, std::uint64_t* bad, stream_handle s);

/// out[i] = values[wires[i]], i < n.
status queue_gather(const fr* values, const std::uint32_t* wires, std::uint32_t n, fr* out, stream_handle s);

/// The bits that `chosen` picks, moved together. `rank`: how many are picked before each word. Shapes: `words` of bits,
/// chosen and rank; out `out_words` words, cleared first.
struct bit_choice {
  const std::uint32_t* bits = nullptr;
  const std::uint32_t* chosen = nullptr;
  const std::uint32_t* rank = nullptr;
  std::uint32_t words = 0;
};
status queue_choose_bits(const bit_choice& choice, std::uint32_t* out, std::size_t out_words, stream_handle s);

/// ab[i] = (ab[i] - c[i]) * scale, i < n.
status queue_quotient(fr* ab, const fr* c, const fr& scale, std::uint64_t n, stream_handle s);

} // namespace cuzk::cuda
