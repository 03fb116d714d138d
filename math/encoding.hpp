#pragma once
// Points as bytes: the compressed and uncompressed big-endian forms with three flag bits.
// Flags in the first byte: 0x80 compressed form, 0x40 infinity, 0x20 y is the larger of {y, -y} (compressed only).
#include "math/curve.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/hex.hpp"

#include <array>
#include <span>

namespace cuzk {

/// What a reader checks beside the form and the range of the coordinates.
enum class point_check : std::uint8_t {
  curve,    ///< on the curve
  subgroup, ///< and of order r
};

/// Why bytes are no point.
enum class encoding_fault : std::uint8_t {
  none,
  length,       ///< not the length of the form
  form,         ///< the compression flag does not fit the form
  sign,         ///< the sign flag where there is no sign: infinity or uncompressed form
  infinity,     ///< infinity flag with other bits set
  range,        ///< a coordinate is not below p
  zero_x,       ///< x = 0, which no point of the subgroups has
  off_curve,    ///< not on the curve
  off_subgroup, ///< on the curve, of another order
};

/// One sentence; "ok" for none.
const char* to_string(encoding_fault fault) noexcept;

template <class F>
inline constexpr std::size_t compressed_size = sizeof(F); ///< 48 for G1 (fp), 96 for G2 (fp2)
template <class F>
inline constexpr std::size_t uncompressed_size = 2 * sizeof(F); ///< 96 for G1, 192 for G2

/// The readers for hot loops: no allocation; `out` is written only on success. Infinity is a point here: callers that
/// refuse it ask is_infinity(). Stricter than the common reader in one case: bytes of the uncompressed form whose
/// first byte has the compression flag are refused. Instantiated for fp and fp2.
template <class F>
encoding_fault read_compressed(byte_view in, point_check check, affine<F>& out) noexcept;
template <class F>
encoding_fault read_uncompressed(byte_view in, point_check check, affine<F>& out) noexcept;

/// The same as values. Errors: bad_input with the fault as text; `where` is left to the caller.
template <class F>
result<affine<F>> decode_compressed(byte_view in, point_check check) {
  affine<F> out;
  const auto fault = read_compressed(in, check, out);
  if (fault != encoding_fault::none)
    return bad_input({}, to_string(fault));
  return out;
}

template <class F>
result<affine<F>> decode_uncompressed(byte_view in, point_check check) {
  affine<F> out;
  const auto fault = read_uncompressed(in, check, out);
  if (fault != encoding_fault::none)
    return bad_input({}, to_string(fault));
  return out;
}

/// `out` must have the length of the form.
void write_compressed(const g1_affine& p, std::span<std::uint8_t, 48> out) noexcept;
void write_compressed(const g2_affine& p, std::span<std::uint8_t, 96> out) noexcept;
void write_uncompressed(const g1_affine& p, std::span<std::uint8_t, 96> out) noexcept;
void write_uncompressed(const g2_affine& p, std::span<std::uint8_t, 192> out) noexcept;

template <class F>
std::array<std::uint8_t, compressed_size<F>> encode_compressed(const affine<F>& p) noexcept {
  std::array<std::uint8_t, compressed_size<F>> out;
  write_compressed(p, out);
  return out;
}

template <class F>
std::array<std::uint8_t, uncompressed_size<F>> encode_uncompressed(const affine<F>& p) noexcept {
  std::array<std::uint8_t, uncompressed_size<F>> out;
  write_uncompressed(p, out);
  return out;
}

} // namespace cuzk
