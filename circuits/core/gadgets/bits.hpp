#pragma once
// Booleans: allocation, xor, and, the two SHA-256 functions. Cases and order as the key files need them.
#include "circuits/core/reader.hpp"

namespace cuzk::circuits {

/// A bit with the row that makes it one: (1 - v) * v = 0.
template <class CS, class F, class... A>
typename CS::bit alloc_bit(CS& cs, F&& f, const A&... args) {
  const auto v = cs.new_bit(f, args...);
  cs.enforce({{1, one}, {-1, v}}, {{1, v}}, {});
  return v;
}

/// xor of two variables: 2a * b = a + b - c.
template <class CS>
typename CS::bit xor_of_variables(CS& cs, const typename CS::bit& a, const typename CS::bit& b) {
  const auto c = cs.new_bit([](bool x, bool y) { return x != y; }, a, b);
  cs.enforce({{2, a}}, {{1, b}}, {{1, a}, {1, b}, {-1, c}});
  return c;
}

/// a xor b; a row only where neither is constant, and negations stay outside of it.
template <class CS>
typename CS::bit bit_xor(CS& cs, const typename CS::bit& a, const typename CS::bit& b) {
  if (a.is_constant())
    return a.is_true() ? !b : b;
  if (b.is_constant())
    return b.is_true() ? !a : a;
  const auto x = a.variable_part(), y = b.variable_part();
  if (a.is_not() == b.is_not())
    return xor_of_variables(cs, x, y);
  return !(a.is_not() ? xor_of_variables(cs, y, x) : xor_of_variables(cs, x, y));
}

/// a and b: one row a * b = c where neither is constant. Of a negated and a plain operand the plain one comes first.
template <class CS>
typename CS::bit bit_and(CS& cs, const typename CS::bit& a, const typename CS::bit& b) {
  if (a.is_false() || b.is_false())
    return CS::bit::constant(false);
  if (a.is_true())
    return b;
  if (b.is_true())
    return a;
  const bool swap = a.is_not() && !b.is_not();
  const auto& x = swap ? b : a;
  const auto& y = swap ? a : b;
  const auto c = cs.new_bit([](bool p, bool q) { return p && q; }, x, y);
  cs.enforce({{1, x}}, {{1, y}}, {{1, c}});
  return c;
}

/// SHA-256 "choose": b where a, else c. The first case that fits decides what is allocated.
template <class CS>
typename CS::bit bit_ch(CS& cs, const typename CS::bit& a, const typename CS::bit& b, const typename CS::bit& c) {
  if (a.is_constant() && b.is_constant() && c.is_constant())
    return a.is_true() ? b : c;
  if (a.is_false())
    return c;
  if (b.is_false())
    return bit_and(cs, !a, c);
  if (c.is_false())
    return bit_and(cs, a, b);
  if (c.is_true())
    return !bit_and(cs, a, !b);
  if (b.is_true())
    return !bit_and(cs, !a, !c);
  const auto ch = cs.new_bit([](bool x, bool y, bool z) { return x ? y : z; }, a, b, c);
  cs.enforce({{1, b}, {-1, c}}, {{1, a}}, {{1, ch}, {-1, c}});
  return ch;
}

/// SHA-256 "majority". The first case that fits decides; in the last one the result is allocated before b and c.
template <class CS>
typename CS::bit bit_maj(CS& cs, const typename CS::bit& a, const typename CS::bit& b, const typename CS::bit& c) {
  if (a.is_constant() && b.is_constant() && c.is_constant())
    return CS::bit::constant(a.is_true() + b.is_true() + c.is_true() >= 2);
  if (a.is_false())
    return bit_and(cs, b, c);
  if (b.is_false())
    return bit_and(cs, a, c);
  if (c.is_false())
    return bit_and(cs, a, b);
  if (c.is_true())
    return !bit_and(cs, !a, !b);
  if (b.is_true())
    return !bit_and(cs, !a, !c);
  if (a.is_true())
    return !bit_and(cs, !b, !c);
  const auto maj = cs.new_bit([](bool x, bool y, bool z) { return int(x) + y + z >= 2; }, a, b, c);
  const auto both = bit_and(cs, b, c);
  cs.enforce({{2, both}, {-1, b}, {-1, c}}, {{1, a}}, {{1, both}, {-1, maj}});
  return maj;
}

} // namespace cuzk::circuits
