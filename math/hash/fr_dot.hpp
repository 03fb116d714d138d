#pragma once
// Sums of products of scalars with one reduction at the end.
#include "math/field.hpp"

#include <cstdint>

namespace cuzk {

/// Accumulator of up to 64 products a * b of reduced scalars; `reduce` divides by 2^256 mod r once.
/// Bound: sum < 64 r^2 < 2^516, so nine limbs never overflow.
class fr_sum {
public:
  void add_product(const fr& a, const fr& b) {
    using u128 = unsigned __int128;
    std::uint64_t high = 0; // carry into limb i + 4
    for (int i = 0; i < 4; ++i) {
      u128 c = 0;
      for (int j = 0; j < 4; ++j) {
        c += u128(a.limb[i]) * b.limb[j] + t_[i + j];
        t_[i + j] = std::uint64_t(c);
        c >>= 64;
      }
      c += u128(t_[i + 4]) + high;
      t_[i + 4] = std::uint64_t(c);
      high = std::uint64_t(c >> 64);
    }
    t_[8] += high;
  }

  /// Adds a itself: a * 2^256 before the reduction.
  void add(const fr& a) {
    std::uint64_t carry = 0;
    for (int i = 0; i < 4; ++i) {
      const unsigned __int128 s = static_cast<unsigned __int128>(t_[4 + i]) + a.limb[i] + carry;
      t_[4 + i] = std::uint64_t(s);
      carry = std::uint64_t(s >> 64);
    }
    t_[8] += carry;
  }

  /// The sum divided by 2^256, reduced.
  fr reduce() const {
    using u128 = unsigned __int128;
    constexpr auto q = fr_params::modulus();
    std::uint64_t t[9];
    for (int i = 0; i < 9; ++i)
      t[i] = t_[i];
    std::uint64_t high = 0;
    for (int i = 0; i < 4; ++i) {
      const std::uint64_t m = t[i] * fr_params::inv;
      u128 c = (u128(m) * q.limb[0] + t[i]) >> 64;
      for (int j = 1; j < 4; ++j) {
        c += u128(m) * q.limb[j] + t[i + j];
        t[i + j] = std::uint64_t(c);
        c >>= 64;
      }
      c += u128(t[i + 4]) + high;
      t[i + 4] = std::uint64_t(c);
      high = std::uint64_t(c >> 64);
    }
    t[8] += high;
    return below_modulus(t + 4);
  }

private:
  /// x < 64 r of five limbs -> x mod r.
  static fr below_modulus(const std::uint64_t* x) {
    using u128 = unsigned __int128;
    constexpr auto q = fr_params::modulus();
    // k = floor(x / 2^198) / (floor(r / 2^198) + 1) is the quotient or one less: both parts keep 57 bits or more.
    const std::uint64_t top = (x[4] << 58) | (x[3] >> 6);
    constexpr std::uint64_t divisor = (fr_params::modulus().limb[3] >> 6) + 1;
    const std::uint64_t k = top / divisor;
    std::uint64_t borrow = 0;
    std::uint64_t carry = 0;
    fr out{};
    for (int i = 0; i < 4; ++i) {
      const u128 p = u128(k) * q.limb[i] + carry;
      carry = std::uint64_t(p >> 64);
      const u128 d = u128(x[i]) - std::uint64_t(p) - borrow;
      out.limb[i] = std::uint64_t(d);
      borrow = std::uint64_t(d >> 64) & 1;
    }
    return out + fr::zero(); // below 2 r by now; the addition reduces once
  }

  std::uint64_t t_[9] = {};
};

} // namespace cuzk
