#pragma once
// Reads a circuit for its values: rows and linear combinations are compiled away, what stays is a compact witness.
#include "circuits/core/bit_writer.hpp"
#include "circuits/core/witness_types.hpp"
#include "math/hash/fr_dot.hpp"

#include <initializer_list>
#include <span>
#include <utility>

namespace cuzk::circuits {

/// Where a reader writes: exactly as many inputs and fields as its part of the circuit has, and the same of bits.
struct witness_range {
  std::span<fr> inputs, fields;
  std::uint64_t* bit_words = nullptr; ///< the whole bit string, zero before
  std::uint64_t first_bit = 0, last_bit = 0;
};

class witness_reader {
public:
  using num = witness_num;
  using bit = witness_bit;
  using word = witness_word;
  using lc = fr;
  using sum = witness_sum;
  using term = witness_term;

  explicit witness_reader(const witness_range& range)
    : input_(range.inputs.data()), input_end_(input_ + range.inputs.size()), field_(range.fields.data()),
      field_end_(field_ + range.fields.size()), bits_(range.bit_words, range.first_bit, range.last_bit) {}

  template <class F, class... A>
  num new_num(F&& f, const A&... args) {
    return put(f(value_of(args)...), field_, field_end_);
  }
  template <class F, class... A>
  num new_input(F&& f, const A&... args) {
    return put(f(value_of(args)...), input_, input_end_);
  }
  template <class F, class... A>
  bit new_bit(F&& f, const A&... args) {
    const bool value = f(value_of(args)...);
    bits_.put(value, 1);
    return bit::is(value);
  }

  static constexpr void enforce(std::initializer_list<term>, std::initializer_list<term>, std::initializer_list<term>) {
  }
  static constexpr void enforce(sum&, sum&, sum&) {}
  static constexpr sum make_sum() { return {}; }

  static lc lc_of(const num& x) { return x.value; }
  static lc lc_of(const fr& constant) { return constant; }
  static lc dot(std::span<const lc> x, std::span<const fr> factors) {
    return fr_dot(x.data(), factors.data(), static_cast<unsigned>(x.size()));
  }
  static lc plus(const lc& x, const fr& constant) { return x + constant; }
  static lc plus_scaled(const lc& x, const fr& factor, const lc& y) { return x + factor * y; }

  /// Bit i of the result is bit_xor of bits i: a fresh bit where neither is constant.
  bool whole_xor(const word& a, const word& b, word& out) {
    out = {a.raw ^ b.raw, a.negated ^ b.negated, a.known & b.known};
    put_masked(out.raw, ~a.known & ~b.known);
    return true;
  }
  /// (a and b) or (not a and c), no bit constant.
  bool whole_ch(const word& a, const word& b, const word& c, word& out) {
    if ((a.known | b.known | c.known) != 0)
      return false;
    out = word::allocated((a.value() & b.value()) | (~a.value() & c.value()));
    bits_.put(out.raw, 32);
    return true;
  }
  /// Majority, no bit constant: two bits a place, the majority and then b and c.
  bool whole_maj(const word& a, const word& b, const word& c, word& out) {
    if ((a.known | b.known | c.known) != 0)
      return false;
    const auto both = b.value() & c.value();
    out = word::allocated((a.value() & (b.value() | c.value())) | both);
    bits_.put(spread(out.raw) | spread(both) << 1, 64);
    return true;
  }
  /// n fresh bits of the number f(args), which is below 2^n: limbs of 64 bits by f(...).limb.
  template <class F, class... A>
  bool whole_bits(std::span<word> out, unsigned n, F&& f, const A&... args) {
    const auto value = f(value_of(args)...);
    for (unsigned i = 0; i < n; i += 64)
      bits_.put(value.limb[i / 64], n - i < 64 ? n - i : 64);
    for (unsigned i = 0; i < out.size(); ++i) {
      const unsigned fresh = n - 32 * i < 32 ? n - 32 * i : 32;
      const auto low = ~std::uint32_t(0) >> (32 - fresh);
      out[i] = {static_cast<std::uint32_t>(value.limb[i / 2] >> (32 * (i % 2))) & low, 0, ~low};
    }
    return true;
  }

  template <class Key, class F>
  static num replayed(const Key&, std::span<const num>, F&& body) {
    return body();
  }

  /// Writes what is pending. True when the whole range was filled and nothing more was written.
  bool finish() { return bits_.finish() && input_ == input_end_ && field_ == field_end_ && !overflow_; }

private:
  static const fr& value_of(const num& x) { return x.value; }
  static const fr& value_of(const fr& x) { return x; }
  static bool value_of(const bit& b) { return b.value(); }
  template <class T>
  static std::span<const T> value_of(std::span<const T> x) {
    return x;
  }

  num put(const fr& x, fr*& next, const fr* end) {
    if (next == end)
      overflow_ = true;
    else
      *next++ = x;
    return {x};
  }
  /// Appends the bits of x under the mask, run by run.
  void put_masked(std::uint32_t x, std::uint32_t mask) {
    while (mask != 0) {
      const auto skip = std::countr_zero(mask);
      mask >>= skip;
      x >>= skip;
      const auto n = std::countr_one(mask);
      bits_.put(x & (~std::uint64_t(0) >> (64 - n)), static_cast<unsigned>(n));
      mask = static_cast<std::uint32_t>(std::uint64_t(mask) >> n);
      x = static_cast<std::uint32_t>(std::uint64_t(x) >> n);
    }
  }
  /// Bit i of x at place 2 i.
  static constexpr std::uint64_t spread(std::uint64_t x) {
    x = (x | x << 16) & 0x0000ffff0000ffff;
    x = (x | x << 8) & 0x00ff00ff00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
    x = (x | x << 2) & 0x3333333333333333;
    return (x | x << 1) & 0x5555555555555555;
  }

  fr* input_;
  const fr* input_end_;
  fr* field_;
  const fr* field_end_;
  bit_writer bits_;
  bool overflow_ = false;
};

} // namespace cuzk::circuits
