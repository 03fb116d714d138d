#include "math/encoding.hpp"

#include "math/generators.hpp"
#include "math/sqrt.hpp"
#include "math/subgroup.hpp"

#include <algorithm>

namespace cuzk {
namespace {

constexpr std::uint8_t compressed_flag = 0x80, infinity_flag = 0x40, sign_flag = 0x20, flags = 0xe0;
constexpr std::size_t fp_size = fp::byte_size;

std::uint64_t load_be64(const std::uint8_t* in) {
  std::uint64_t x = 0;
  for (int i = 0; i < 8; ++i)
    x = x << 8 | in[i];
  return x;
}

// 48 big-endian bytes, the bits of `mask` of the first one left out; false when the integer is not below p.
bool read_fp(const std::uint8_t* in, std::uint8_t mask, fp& out) {
  big_int<6> x;
  for (std::size_t i = 0; i < 6; ++i)
    x.limb[5 - i] = load_be64(in + 8 * i);
  x.limb[5] &= ~(std::uint64_t{mask} << 56);
  if (!fp::is_canonical(x))
    return false;
  out = fp::from_int(x);
  return true;
}

bool read_coordinate(const std::uint8_t* in, std::uint8_t mask, fp& out) {
  return read_fp(in, mask, out);
}
bool read_coordinate(const std::uint8_t* in, std::uint8_t mask, fp2& out) {
  return read_fp(in, mask, out.c1) && read_fp(in + fp_size, 0, out.c0);
}

void store_be64(std::uint64_t x, std::uint8_t* out) {
  for (int i = 7; i >= 0; --i, x >>= 8)
    out[i] = static_cast<std::uint8_t>(x);
}

void write_coordinate(const fp& x, std::uint8_t* out) {
  const auto v = x.to_int();
  for (std::size_t i = 0; i < 6; ++i)
    store_be64(v.limb[5 - i], out + 8 * i);
}
void write_coordinate(const fp2& x, std::uint8_t* out) {
  write_coordinate(x.c1, out);
  write_coordinate(x.c0, out + fp_size);
}

// Whether y > -y as integers, that is y > (p - 1) / 2.
bool is_larger(const fp& y) {
  const auto v = y.to_int(), n = (-y).to_int();
  return std::lexicographical_compare(std::rbegin(n.limb), std::rend(n.limb), std::rbegin(v.limb), std::rend(v.limb));
}
bool is_larger(const fp2& y) {
  return y.c1.is_zero() ? is_larger(y.c0) : is_larger(y.c1);
}

// Infinity: nothing but its flag and that of the form.
encoding_fault check_infinity(byte_view in, std::uint8_t form) {
  if (in[0] & sign_flag)
    return encoding_fault::sign;
  if (in[0] != (infinity_flag | form))
    return encoding_fault::infinity;
  const bool rest_zero = std::all_of(in.begin() + 1, in.end(), [](std::uint8_t b) { return b == 0; });
  return rest_zero ? encoding_fault::none : encoding_fault::infinity;
}

template <class F>
encoding_fault finish(const affine<F>& p, point_check check, affine<F>& out) {
  if (check == point_check::subgroup && !in_subgroup(p))
    return encoding_fault::off_subgroup;
  out = p;
  return encoding_fault::none;
}

} // namespace

const char* to_string(encoding_fault fault) noexcept {
  switch (fault) {
  case encoding_fault::none: return "ok";
  case encoding_fault::length: return "wrong number of bytes for a point of this form";
  case encoding_fault::form: return "the compression flag does not fit the form of the point";
  case encoding_fault::sign: return "the sign flag is set where a point has no sign";
  case encoding_fault::infinity: return "the infinity flag is set together with other bits";
  case encoding_fault::range: return "a coordinate of the point is not below the field modulus";
  case encoding_fault::zero_x: return "the point has x = 0";
  case encoding_fault::off_curve: return "the point is not on the curve";
  case encoding_fault::off_subgroup: return "the point is not in the subgroup of order r";
  }
  return "unknown";
}

template <class F>
encoding_fault read_compressed(byte_view in, point_check check, affine<F>& out) noexcept {
  if (in.size() != compressed_size<F>)
    return encoding_fault::length;
  if (!(in[0] & compressed_flag))
    return encoding_fault::form;
  if (in[0] & infinity_flag) {
    const auto fault = check_infinity(in, compressed_flag);
    if (fault == encoding_fault::none)
      out = affine<F>::infinity();
    return fault;
  }
  affine<F> p;
  if (!read_coordinate(in.data(), flags, p.x))
    return encoding_fault::range;
  if (p.x.is_zero())
    return encoding_fault::zero_x;
  const auto y = square_root(p.x.square() * p.x + curve_b<F>());
  if (!y)
    return encoding_fault::off_curve;
  const bool want_larger = (in[0] & sign_flag) != 0;
  p.y = is_larger(*y) == want_larger ? *y : -*y;
  return finish(p, check, out);
}

template <class F>
encoding_fault read_uncompressed(byte_view in, point_check check, affine<F>& out) noexcept {
  if (in.size() != uncompressed_size<F>)
    return encoding_fault::length;
  if (in[0] & flags) {
    if (in[0] & compressed_flag)
      return encoding_fault::form;
    const auto fault = check_infinity(in, 0);
    if (fault == encoding_fault::none)
      out = affine<F>::infinity();
    return fault;
  }
  affine<F> p;
  if (!read_coordinate(in.data(), 0, p.x) || !read_coordinate(in.data() + sizeof(F), 0, p.y))
    return encoding_fault::range;
  if (p.x.is_zero())
    return encoding_fault::zero_x;
  if (!is_on_curve(p))
    return encoding_fault::off_curve;
  return finish(p, check, out);
}

template encoding_fault read_compressed(byte_view, point_check, g1_affine&) noexcept;
template encoding_fault read_compressed(byte_view, point_check, g2_affine&) noexcept;
template encoding_fault read_uncompressed(byte_view, point_check, g1_affine&) noexcept;
template encoding_fault read_uncompressed(byte_view, point_check, g2_affine&) noexcept;

namespace {

template <class F>
void put_compressed(const affine<F>& p, std::span<std::uint8_t> out) {
  std::fill(out.begin(), out.end(), std::uint8_t{0});
  if (p.is_infinity()) {
    out[0] = compressed_flag | infinity_flag;
    return;
  }
  write_coordinate(p.x, out.data());
  out[0] |= compressed_flag | (is_larger(p.y) ? sign_flag : 0);
}

template <class F>
void put_uncompressed(const affine<F>& p, std::span<std::uint8_t> out) {
  write_coordinate(p.x, out.data());
  write_coordinate(p.y, out.data() + sizeof(F));
  if (p.is_infinity())
    out[0] = infinity_flag;
}

} // namespace

void write_compressed(const g1_affine& p, std::span<std::uint8_t, 48> out) noexcept {
  put_compressed(p, out);
}
void write_compressed(const g2_affine& p, std::span<std::uint8_t, 96> out) noexcept {
  put_compressed(p, out);
}
void write_uncompressed(const g1_affine& p, std::span<std::uint8_t, 96> out) noexcept {
  put_uncompressed(p, out);
}
void write_uncompressed(const g2_affine& p, std::span<std::uint8_t, 192> out) noexcept {
  put_uncompressed(p, out);
}

} // namespace cuzk
