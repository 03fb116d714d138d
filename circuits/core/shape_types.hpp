#pragma once
// Handles of the shape reader: variables without values.
#include "circuits/core/reader.hpp"
#include "circuits/core/rows.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace cuzk::circuits {

struct shape_num {
  variable var = one_variable;
};

/// A Boolean: constant, Is(v) or Not(v).
class shape_bit {
public:
  constexpr shape_bit() = default; // constant false
  static constexpr shape_bit constant(bool value) {
    return {one_variable, value ? form::constant_true : form::constant_false};
  }
  static constexpr shape_bit is(variable v) { return {v, form::is}; }

  constexpr bool is_constant() const { return form_ <= form::constant_true; }
  constexpr bool is_false() const { return form_ == form::constant_false; }
  constexpr bool is_true() const { return form_ == form::constant_true; }
  constexpr bool is_not() const { return form_ == form::is_not; }
  constexpr shape_bit operator!() const { return {var_, static_cast<form>(static_cast<unsigned>(form_) ^ 1)}; }
  /// The variable itself, without its negation. Not for constants.
  constexpr shape_bit variable_part() const { return {var_, form::is}; }
  constexpr variable var() const { return var_; }

private:
  enum class form : std::uint32_t { constant_false, constant_true, is, is_not };
  constexpr shape_bit(variable v, form f) : var_(v), form_(f) {}
  variable var_ = one_variable;
  form form_ = form::constant_false;
};

class shape_word {
public:
  static shape_word constant(std::uint32_t value) {
    shape_word out;
    for (unsigned i = 0; i < 32; ++i)
      out.bits_[i] = shape_bit::constant(value >> i & 1);
    return out;
  }
  const shape_bit& bit(unsigned i) const { return bits_[i]; }
  void set(unsigned i, const shape_bit& b) { bits_[i] = b; }
  bool is_constant() const {
    for (const auto& b : bits_)
      if (!b.is_constant())
        return false;
    return true;
  }
  /// Of a constant word.
  std::uint32_t constant_value() const {
    std::uint32_t out = 0;
    for (unsigned i = 0; i < 32; ++i)
      out |= static_cast<std::uint32_t>(bits_[i].is_true()) << i;
    return out;
  }
  shape_word rotated_right(unsigned n) const {
    shape_word out;
    for (unsigned i = 0; i < 32; ++i)
      out.bits_[i] = bits_[(i + n) % 32];
    return out;
  }
  shape_word shifted_right(unsigned n) const {
    shape_word out;
    for (unsigned i = 0; i + n < 32; ++i)
      out.bits_[i] = bits_[i + n];
    return out;
  }
  shape_word bytes_swapped() const {
    shape_word out;
    for (unsigned i = 0; i < 32; ++i)
      out.bits_[i] = bits_[(24 - i / 8 * 8) + i % 8];
    return out;
  }

private:
  std::array<shape_bit, 32> bits_{};
};

/// A term of a short row as a gadget writes it: k * (variable, Boolean or ONE) with a small integer k,
/// brought to the form `coefficient * var + constant * ONE`.
struct shape_term {
  variable var = one_variable;
  int coefficient = 0;
  int constant = 0;

  shape_term(int k, one_t) : constant(k) {}
  shape_term(int k, const shape_num& x) : var(x.var), coefficient(k) {}
  shape_term(int k, const shape_bit& b) {
    if (b.is_constant()) {
      constant = b.is_true() ? k : 0;
      return;
    }
    var = b.var();
    coefficient = b.is_not() ? -k : k;
    constant = b.is_not() ? k : 0;
  }
};

/// A linear combination with any coefficients, sorted by variable, one term a variable.
struct shape_lc {
  struct entry {
    variable var;
    fr coefficient;
  };
  std::vector<entry> entries;
};

/// One side of a long row; terms come in any order and may repeat.
class shape_sum {
public:
  explicit shape_sum(coefficient_pool& pool) : pool_(&pool) {}

  void add(int k, one_t) { constant_ += small(k); }
  void add(int k, const shape_num& x) { terms_.push_back({x.var, pool_->small(k)}); }
  void add(const shape_lc& x) {
    for (const auto& e : x.entries)
      terms_.push_back({e.var, pool_->intern(e.coefficient)});
  }
  /// Takes a constant off.
  void subtract(const fr& constant) { constant_ -= constant; }
  /// Adds 2^k * b, k < coefficient_pool::powers.
  void add_power(unsigned k, const shape_bit& b) {
    if (b.is_constant() ? b.is_true() : b.is_not())
      constant_ += pool_->value(pool_->power(k));
    if (!b.is_constant())
      terms_.push_back({b.var(), pool_->power(k, b.is_not())});
  }
  /// Adds 2^k * w.
  void add_power(unsigned k, const shape_word& w) {
    for (unsigned i = 0; i < 32; ++i)
      add_power(k + i, w.bit(i));
  }
  void clear() {
    terms_.clear();
    constant_ = fr::zero();
  }
  /// The terms as a row wants them. Valid until the next change.
  std::span<const term> normalised();

private:
  fr small(int k) const { return pool_->value(pool_->small(k)); }
  void sort();

  coefficient_pool* pool_;
  std::vector<term> terms_, scratch_;
  fr constant_ = fr::zero();
};

} // namespace cuzk::circuits
