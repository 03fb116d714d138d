#pragma once
// Handles of the witness reader: values without variables.
#include "circuits/core/reader.hpp"
#include "math/field.hpp"

#include <bit>
#include <cstdint>

namespace cuzk::circuits {

struct witness_num {
  fr value;
};

/// A Boolean as its variable's value and its form; a constant is the negation (or not) of a variable 0.
class witness_bit {
public:
  constexpr witness_bit() = default; // constant false
  constexpr witness_bit(bool raw, bool negated, bool known) : raw_(raw), negated_(negated), known_(known) {}
  static constexpr witness_bit constant(bool value) { return {false, value, true}; }
  static constexpr witness_bit is(bool value) { return {value, false, false}; }

  constexpr bool value() const { return raw_ != negated_; }
  constexpr bool is_constant() const { return known_; }
  constexpr bool is_false() const { return known_ && !negated_; }
  constexpr bool is_true() const { return known_ && negated_; }
  constexpr bool is_not() const { return !known_ && negated_; }
  constexpr witness_bit operator!() const { return {raw_, !negated_, known_}; }
  constexpr witness_bit variable_part() const { return {raw_, false, false}; }
  constexpr bool raw() const { return raw_; }
  constexpr bool negated() const { return negated_; }

private:
  bool raw_ = false, negated_ = false, known_ = true;
};

/// 32 Booleans in three words: values of the variables (0 where constant), negations, which are constant.
struct witness_word {
  std::uint32_t raw = 0, negated = 0, known = ~std::uint32_t(0);

  static constexpr witness_word constant(std::uint32_t value) { return {0, value, ~std::uint32_t(0)}; }
  static constexpr witness_word allocated(std::uint32_t value) { return {value, 0, 0}; }

  constexpr std::uint32_t value() const { return raw ^ negated; }
  constexpr bool is_constant() const { return known == ~std::uint32_t(0); }
  constexpr std::uint32_t constant_value() const { return negated; }
  constexpr witness_bit bit(unsigned i) const {
    return {(raw >> i & 1) != 0, (negated >> i & 1) != 0, (known >> i & 1) != 0};
  }
  constexpr void set(unsigned i, const witness_bit& b) {
    const auto put = [i](std::uint32_t& word, bool x) {
      word = (word & ~(std::uint32_t(1) << i)) | static_cast<std::uint32_t>(x) << i;
    };
    put(raw, b.raw());
    put(negated, b.negated());
    put(known, b.is_constant());
  }
  constexpr witness_word rotated_right(unsigned n) const {
    return {std::rotr(raw, int(n)), std::rotr(negated, int(n)), std::rotr(known, int(n))};
  }
  constexpr witness_word shifted_right(unsigned n) const { return {raw >> n, negated >> n, ~(~known >> n)}; }
  constexpr witness_word bytes_swapped() const { return {swap(raw), swap(negated), swap(known)}; }

private:
  static constexpr std::uint32_t swap(std::uint32_t x) {
    return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
  }
};

/// The row side of nothing: whatever is added disappears at compile time.
struct witness_term {
  template <class T>
  constexpr witness_term(int, const T&) {}
};
struct witness_sum {
  template <class... A>
  constexpr void add(const A&...) {}
  constexpr void subtract(const fr&) {}
  template <class... A>
  constexpr void add_power(const A&...) {}
  constexpr void clear() {}
};

} // namespace cuzk::circuits
