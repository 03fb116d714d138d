#pragma once
// Sums of many independent pairs of points: what multi-scalar multiplication spends its time on. Two engines with one
// interface: plain affine points, and eight lanes of AVX-512 IFMA with points in their own form.
#include "math/affine_batch.hpp"
#include "math/curve.hpp"
#include "math/point_view.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace cuzk::lanes {

/// A point by address, its lowest bit the sign: points are aligned, so the bit is free.
template <class Point>
class signed_ref {
public:
  signed_ref() = default;
  signed_ref(const Point* point, bool negative) : bits_(reinterpret_cast<std::uintptr_t>(point) | (negative ? 1 : 0)) {}
  const Point* point() const noexcept { return reinterpret_cast<const Point*>(bits_ & ~std::uintptr_t{1}); }
  bool negative() const noexcept { return (bits_ & 1) != 0; }

private:
  std::uintptr_t bits_ = 0;
};

template <class Point>
struct pair_of {
  signed_ref<Point> a, b;
};

/// How a source is read: its layout, and whether points must be shown to lie on the curve.
struct import_rules {
  point_layout layout = point_layout::montgomery;
  bool check_curve = false;
};

/// What import() says of a point that is no good.
enum class point_fault : std::uint8_t { none, not_canonical, not_on_curve, infinity };
struct import_result {
  std::size_t bad = 0; ///< index into the list of addresses
  point_fault fault = point_fault::none;
};

/// Affine points as they are.
template <class F>
class plain_engine {
public:
  using field_type = F;
  using point = affine<F>;

  plain_engine() : batch_(batch_size), sums_(batch_size) {}
  /// out[i] = a + b of pairs[i]. Every operand is taken. `out` may not hold operands.
  void add(std::span<const pair_of<point>> pairs, point* out);
  /// Points that the calls after the next one take: a wish to have them near.
  void upcoming(std::span<const signed_ref<point>>) {}
  /// Reads points from their addresses. Infinity is an error in big-endian form (a key never holds it).
  static import_result import(std::span<const std::byte* const> from, const import_rules& rules, point* out);
  static affine<F> to_affine(const point& p) { return p; }
  static bool is_infinity(const point& p) { return p.is_infinity(); }
  static point negative(const point& p) { return -p; }

private:
  static constexpr std::size_t batch_size = 1024;
  affine_batch<F> batch_;
  std::vector<point> sums_;
};

/// Coordinates x * 2^416 in eight limbs of 52 bits: x, y, or x0, x1, y0, y1.
template <class F>
struct alignas(64) lane_point {
  static constexpr int coordinates = sizeof(F) == sizeof(fp) ? 2 : 4;
  std::uint64_t limb[coordinates][8];
};

/// The AVX-512 engine. Only where cpu().avx512ifma.
template <class F>
class ifma_engine {
public:
  using field_type = F;
  using point = lane_point<F>;

  ifma_engine();
  void add(std::span<const pair_of<point>> pairs, point* out);
  void upcoming(std::span<const signed_ref<point>> items) { upcoming_ = items; }
  static import_result import(std::span<const std::byte* const> from, const import_rules& rules, point* out);
  static affine<F> to_affine(const point& p);
  static bool is_infinity(const point& p);
  static point negative(const point& p);

private:
  std::vector<std::byte> scratch_;
  std::span<const signed_ref<point>> upcoming_;
};

} // namespace cuzk::lanes
