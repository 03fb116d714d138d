#include "circuits/core/coefficients.hpp"

#include "math/field_bytes.hpp"

#include <algorithm>

namespace cuzk {

coefficient_pool::coefficient_pool() {
  small_.fill(none);
  for (int k = 1; k <= small_max; ++k)
    for (int sign : {1, -1}) {
      const auto x = fr::from_u64(static_cast<std::uint64_t>(k));
      small_[static_cast<std::size_t>(sign * k + small_max)] = intern(sign > 0 ? x : -x);
    }
  fr x = fr::one();
  for (unsigned k = 0; k < powers; ++k, x = x.doubled()) {
    power_[0][k] = intern(x);
    power_[1][k] = intern(-x);
  }
}

coefficient_id coefficient_pool::intern(const fr& x) {
  const auto [at, fresh] = ids_.try_emplace(x, static_cast<coefficient_id>(values_.size()));
  if (fresh) {
    values_.push_back(x);
    bytes_.push_back(to_le_bytes(x));
    std::reverse(bytes_.back().begin(), bytes_.back().end());
  }
  return at->second;
}

coefficient_id coefficient_pool::sum(coefficient_id a, coefficient_id b) {
  const auto [at, fresh] = sums_.try_emplace(std::uint64_t(a) << 32 | b, none);
  if (fresh) {
    const auto x = values_[a] + values_[b];
    if (!x.is_zero())
      at->second = intern(x);
  }
  return at->second;
}

} // namespace cuzk
