#pragma once
// Words of 32 Booleans, and sums of words through MultiEq.
#include "circuits/core/gadgets/bits.hpp"
#include "math/field.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <span>

namespace cuzk::circuits {

/// n fresh bits of the number f(args) < 2^n, least significant first, each with its row. f gives an integer as limbs.
/// @param out ceil(n / 32) words; what the last one has beyond n stays constant false.
template <class CS, class F, class... A>
void alloc_bits(CS& cs, std::span<typename CS::word> out, unsigned n, F&& f, const A&... args) {
  if (cs.whole_bits(out, n, f, args...))
    return;
  for (unsigned i = 0; i < n; ++i)
    out[i / 32].set(i % 32, alloc_bit(
                              cs, [&](const auto&... x) { return f(x...).limb[i / 64] >> (i % 64) & 1; }, args...));
}

/// A word of 32 fresh bits, least significant first.
template <class CS, class F>
typename CS::word alloc_word(CS& cs, F&& value) {
  typename CS::word out;
  alloc_bits(cs, std::span(&out, 1), 32, [&] { return big_int<1>{{value()}}; });
  return out;
}

template <class CS>
typename CS::word word_xor(CS& cs, const typename CS::word& a, const typename CS::word& b) {
  typename CS::word out;
  if (cs.whole_xor(a, b, out))
    return out;
  for (unsigned i = 0; i < 32; ++i)
    out.set(i, bit_xor(cs, a.bit(i), b.bit(i)));
  return out;
}

template <class CS>
typename CS::word word_ch(CS& cs, const typename CS::word& a, const typename CS::word& b, const typename CS::word& c) {
  typename CS::word out;
  if (cs.whole_ch(a, b, c, out))
    return out;
  for (unsigned i = 0; i < 32; ++i)
    out.set(i, bit_ch(cs, a.bit(i), b.bit(i), c.bit(i)));
  return out;
}

template <class CS>
typename CS::word word_maj(CS& cs, const typename CS::word& a, const typename CS::word& b, const typename CS::word& c) {
  typename CS::word out;
  if (cs.whole_maj(a, b, c, out))
    return out;
  for (unsigned i = 0; i < 32; ++i)
    out.set(i, bit_maj(cs, a.bit(i), b.bit(i), c.bit(i)));
  return out;
}

/// Packs equalities of small numbers into one row: side by side as digits of a number below 2^254.
template <class CS>
class multi_eq {
public:
  explicit multi_eq(CS& cs) : cs_(cs), left_(cs.make_sum()), right_(cs.make_sum()) {}
  multi_eq(const multi_eq&) = delete;
  multi_eq& operator=(const multi_eq&) = delete;

  /// sum of operands = the n-bit number `digits` (and its upper bits `carries`).
  void enforce_sum(std::span<const typename CS::word> operands, unsigned n, std::span<const typename CS::word> digits) {
    if (capacity <= used_ + n)
      flush();
    for (const auto& w : operands)
      left_.add_power(used_, w);
    for (unsigned i = 0; i < n; ++i)
      right_.add_power(used_ + i, digits[i / 32].bit(i % 32));
    used_ += n;
  }

  /// The last row; to be called once, when nothing more comes.
  void finish() {
    if (used_ > 0)
      flush();
  }

private:
  static constexpr unsigned capacity = 254; // floor(log2 r)

  void flush() {
    auto unit = cs_.make_sum();
    unit.add(1, one);
    cs_.enforce(left_, unit, right_);
    left_.clear();
    right_.clear();
    used_ = 0;
  }

  CS& cs_;
  typename CS::sum left_, right_;
  unsigned used_ = 0;
};

/// Sum of up to 8 words mod 2^32: the bits of the whole sum are allocated, then the equality goes to `eq`.
template <class CS>
typename CS::word add_words(CS& cs, multi_eq<CS>& eq, std::span<const typename CS::word> operands) {
  bool all_constant = true;
  std::uint32_t constant = 0;
  for (const auto& w : operands) {
    all_constant = all_constant && w.is_constant();
    constant += all_constant ? w.constant_value() : 0;
  }
  if (all_constant)
    return CS::word::constant(constant);
  const auto n = static_cast<unsigned>(std::bit_width(operands.size() * std::uint64_t(0xffffffff)));
  std::array<typename CS::word, 2> digits; // the sum, then its carries
  alloc_bits(
    cs, std::span<typename CS::word>(digits), n,
    [](const auto& words) {
      big_int<1> total{};
      for (const auto& w : words)
        total.limb[0] += w.value();
      return total;
    },
    operands);
  eq.enforce_sum(operands, n, digits);
  return digits[0];
}

} // namespace cuzk::circuits
