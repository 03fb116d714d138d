#pragma once
// The coefficients of a circuit by small numbers. Rows name them by id, so a term is eight bytes.
#include "math/field.hpp"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace cuzk {

using coefficient_id = std::uint32_t;

/// Every distinct non-zero coefficient met while a circuit is read, with its bytes as the R1CS digest wants them.
class coefficient_pool {
public:
  /// Powers of two known from the start: 2^k and -2^k for k below this.
  static constexpr unsigned powers = 255;
  /// Small integers known from the start: 1 <= |k| <= small_max.
  static constexpr int small_max = 16;

  coefficient_pool();

  /// Id of a value that is not zero.
  coefficient_id intern(const fr& x);
  /// Id of 2^k, or of -2^k.
  coefficient_id power(unsigned k, bool negative = false) const noexcept { return power_[negative][k]; }
  /// Id of k, k != 0 and |k| <= small_max.
  coefficient_id small(int k) const noexcept { return small_[static_cast<std::size_t>(k + small_max)]; }
  /// Id of the sum of two; `none` when it is zero.
  coefficient_id sum(coefficient_id a, coefficient_id b);
  static constexpr coefficient_id none = 0xffffffff;

  const fr& value(coefficient_id id) const noexcept { return values_[id]; }
  /// 32 bytes big endian, canonical.
  const std::array<std::uint8_t, 32>& big_endian(coefficient_id id) const noexcept { return bytes_[id]; }
  std::size_t size() const noexcept { return values_.size(); }

private:
  struct hash_of {
    std::size_t operator()(const fr& x) const noexcept { return x.limb[0] ^ (x.limb[1] * 0x9e3779b97f4a7c15u); }
  };
  std::vector<fr> values_;
  std::vector<std::array<std::uint8_t, 32>> bytes_;
  std::unordered_map<fr, coefficient_id, hash_of> ids_;
  std::unordered_map<std::uint64_t, coefficient_id> sums_;
  std::array<std::array<coefficient_id, powers>, 2> power_;
  std::array<coefficient_id, 2 * small_max + 1> small_;
};

} // namespace cuzk
