#pragma once
// The table behind fixed_base, over either engine of math/lanes/point_pairs.hpp.
#include "math/lanes/point_pairs.hpp"
#include "runtime/base/thread_pool.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace cuzk::lanes {

/// Row j of the table holds k * 2^(bits j) * base for k = 1..2^(bits - 1), in the engine's form.
/// A multiple is the sum of one entry a row. Two thousand scalars advance together, one row at a time.
template <class Engine>
class window_table {
public:
  using field_type = typename Engine::field_type;

  window_table(const affine<field_type>& base, int bits, thread_pool& pool);

  /// out[i] = scalars[i] * base.
  void multiply(std::span<const fr> scalars, std::span<affine<field_type>> out, thread_pool& pool) const;
  affine<field_type> multiply(const fr& scalar) const;

  std::size_t bytes() const noexcept { return entries_.size() * sizeof(point); }

private:
  using point = typename Engine::point;
  using ref = signed_ref<point>;
  struct scratch;

  void fill_row(Engine& engine, std::size_t window, const affine<field_type>& first);
  ref entry(std::size_t window, std::int32_t digit) const;
  void multiply_chunk(std::span<const fr> scalars, std::span<affine<field_type>> out, scratch& s) const;

  int bits_;
  std::size_t windows_, row_;
  point nothing_{}; ///< infinity, for digits that are zero
  std::vector<point> entries_;
};

/// How many windows of that width a scalar takes.
std::size_t windows_of(int bits);
/// Signed digits of a scalar in [-2^(bits - 1), 2^(bits - 1)], lowest first, `stride` apart; 3 <= bits <= 20.
void write_digits(const fr& scalar, int bits, std::int32_t* out, std::size_t stride);

extern template class window_table<plain_engine<fp>>;
extern template class window_table<plain_engine<fp2>>;
extern template class window_table<ifma_engine<fp>>;
extern template class window_table<ifma_engine<fp2>>;

} // namespace cuzk::lanes
