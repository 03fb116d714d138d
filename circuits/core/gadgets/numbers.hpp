#pragma once
// Allocated numbers: products, packing of bits, decomposition into bits.
#include "circuits/core/gadgets/words.hpp"
#include "math/field.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace cuzk::circuits {

/// The 256 bits of a number, least significant first; bit 255 is constant false. Also 32 bytes, byte i in bits 8i….
template <class CS>
using number_bits = std::array<typename CS::word, 8>;

/// Bits that fit one number for sure.
inline constexpr unsigned number_capacity = 254;
inline constexpr unsigned number_bit_count = 255;

/// Makes x a public input: (input) * 1 = x.
template <class CS>
void inputize(CS& cs, const typename CS::num& x) {
  const auto input = cs.new_input([](const fr& v) { return v; }, x);
  cs.enforce({{1, input}}, {{1, one}}, {{1, x}});
}

/// a * 1 = b
template <class CS>
void enforce_equal(CS& cs, const typename CS::num& a, const typename CS::num& b) {
  cs.enforce({{1, a}}, {{1, one}}, {{1, b}});
}

/// p = x * y
template <class CS>
typename CS::num multiply(CS& cs, const typename CS::num& x, const typename CS::num& y) {
  const auto p = cs.new_num([](const fr& a, const fr& b) { return a * b; }, x, y);
  cs.enforce({{1, x}}, {{1, y}}, {{1, p}});
  return p;
}

/// s: (x + y) * 1 = s. Encoding of a data node with its key is this sum.
template <class CS>
typename CS::num add_numbers(CS& cs, const typename CS::num& x, const typename CS::num& y) {
  const auto s = cs.new_num([](const fr& a, const fr& b) { return a + b; }, x, y);
  cs.enforce({{1, x}, {1, y}}, {{1, one}}, {{1, s}});
  return s;
}

/// 255 bits of the canonical value, each with its row; no row says that they make up x.
template <class CS>
number_bits<CS> alloc_number_bits(CS& cs, const typename CS::num& x) {
  number_bits<CS> bits;
  alloc_bits(
    cs, std::span<typename CS::word>(bits), number_bit_count, [](const fr& v) { return v.to_int(); }, x);
  return bits;
}

/// sum of 2^i * bit i, i < n
template <class CS>
typename CS::sum sum_of_bits(CS& cs, std::span<const typename CS::word> words, unsigned n) {
  auto out = cs.make_sum();
  for (unsigned i = 0; i < n; ++i)
    out.add_power(i, words[i / 32].bit(i % 32));
  return out;
}
template <class CS>
typename CS::sum sum_of_bits(CS& cs, std::span<const typename CS::bit> bits) {
  auto out = cs.make_sum();
  for (unsigned i = 0; i < bits.size(); ++i)
    out.add_power(i, bits[i]);
  return out;
}

/// 255 bits, and 0 * 0 = sum 2^i b_i - x: the whole relation stands in C. The bits need not be the canonical ones.
template <class CS>
number_bits<CS> to_bits(CS& cs, const typename CS::num& x) {
  const auto bits = alloc_number_bits(cs, x);
  auto a = cs.make_sum(), b = cs.make_sum();
  auto c = sum_of_bits(cs, std::span<const typename CS::word>(bits), number_bit_count);
  c.add(-1, x);
  cs.enforce(a, b, c);
  return bits;
}

/// Value of Booleans, the first the least significant, as an integer below 2^254.
template <class Bit>
fr value_of_bits(std::span<const Bit> bits) {
  big_int<4> v{};
  for (unsigned i = 0; i < bits.size(); ++i)
    v.limb[i / 64] |= std::uint64_t(bits[i].value()) << (i % 64);
  return fr::from_int(v);
}

/// a * 1 = x
template <class CS>
void enforce_sum_is(CS& cs, typename CS::sum a, const typename CS::num& x) {
  auto b = cs.make_sum(), c = cs.make_sum();
  b.add(1, one);
  c.add(1, x);
  cs.enforce(a, b, c);
}

/// (sum 2^i b_i) * 1 = x
template <class CS>
void enforce_packed(CS& cs, std::span<const typename CS::bit> bits, const typename CS::num& x) {
  enforce_sum_is(cs, sum_of_bits(cs, bits), x);
}

/// An aux that is the number of the first 254 bits at most. With no bits it is 0, row included.
template <class CS>
typename CS::num pack_bits(CS& cs, std::span<const typename CS::bit> bits) {
  bits = bits.first(bits.size() < number_capacity ? bits.size() : number_capacity);
  const auto p = cs.new_num([](const auto& b) { return value_of_bits(b); }, bits);
  enforce_packed(cs, bits, p);
  return p;
}

/// One public input per 254 bits; none for no bits.
template <class CS>
void pack_into_inputs(CS& cs, std::span<const typename CS::bit> bits) {
  while (!bits.empty()) {
    const auto chunk = bits.first(bits.size() < number_capacity ? bits.size() : number_capacity);
    const auto p = cs.new_input([](const auto& b) { return value_of_bits(b); }, chunk);
    enforce_packed(cs, chunk, p);
    bits = bits.subspan(chunk.size());
  }
}

/// The low 254 bits of eight words as an aux.
template <class CS>
typename CS::num pack_words(CS& cs, std::span<const typename CS::word> words) {
  const auto p = cs.new_num(
    [](const auto& w) {
      big_int<4> v{};
      for (unsigned i = 0; i < 8; ++i)
        v.limb[i / 2] |= std::uint64_t(w[i].value()) << (32 * (i % 2));
      v.limb[3] &= ~std::uint64_t(0) >> 2;
      return fr::from_int(v);
    },
    words);
  enforce_sum_is(cs, sum_of_bits(cs, words, number_capacity), p);
  return p;
}

/// A 64-bit number: 64 bits, least significant first, packed into one public input.
template <class CS, class F>
std::array<typename CS::word, 2> alloc_u64_input(CS& cs, F&& value) {
  std::array<typename CS::word, 2> words;
  alloc_bits(cs, std::span<typename CS::word>(words), 64, [&] { return big_int<1>{{value()}}; });
  std::array<typename CS::bit, 64> bits;
  for (unsigned i = 0; i < 64; ++i)
    bits[i] = words[i / 32].bit(i % 32);
  pack_into_inputs(cs, std::span<const typename CS::bit>(bits));
  return words;
}

} // namespace cuzk::circuits
