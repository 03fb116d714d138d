// Gadgets on words of 32 Booleans.
#include "circuits/core/gadgets/numbers.hpp"
#include "gadget_cases.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace cuzk::test {
namespace {

using namespace circuits;

constexpr std::uint32_t word_a = 0x01234567, word_b = 0x89abcdef, word_c = 0xdeadbeef;

template <class CS>
typename CS::word word(CS& cs, std::uint32_t value) {
  return alloc_word(cs, [value] { return value; });
}

/// The word and its 32 bits as a number.
template <class CS>
void pack_and_show(CS& cs, const typename CS::word& w, report& out) {
  typename CS::bit bits[32];
  for (unsigned i = 0; i < 32; ++i)
    bits[i] = w.bit(i);
  out.show(w);
  out.say(", ");
  out.show(pack_bits(cs, std::span<const typename CS::bit>(bits)));
}

template <class CS>
typename CS::word add(CS& cs, const std::vector<typename CS::word>& operands) {
  multi_eq<CS> eq(cs);
  const auto out = add_words(cs, eq, std::span<const typename CS::word>(operands));
  eq.finish();
  return out;
}

/// Words 0xffffffff - i.
template <class CS>
std::vector<typename CS::word> falling_words(CS& cs, std::uint32_t n) {
  std::vector<typename CS::word> words;
  for (std::uint32_t i = 0; i < n; ++i)
    words.push_back(word(cs, 0xffffffff - i));
  return words;
}

/// In one MultiEq; each addition takes the last words known.
gadget_case chain(std::vector<unsigned> operand_counts) {
  return make_case([operand_counts](auto& cs, report& out) {
    using CS = reader_of<decltype(cs)>;
    auto known = falling_words(cs, 8);
    multi_eq<CS> eq(cs);
    for (const auto n : operand_counts)
      known.push_back(add_words(cs, eq, std::span<const typename CS::word>(known).last(n)));
    eq.finish();
    out.show(known.back());
  });
}

void add_sums(gadget_table& table) {
  for (std::uint32_t n = 2; n <= 8; ++n)
    table["uint32-add-" + std::to_string(n)] =
      make_case([n](auto& cs, report& out) { out.show(add(cs, falling_words(cs, n))); });
  table["uint32-add-const"] = make_case([](auto& cs, report& out) {
    using word_type = typename reader_of<decltype(cs)>::word;
    const auto a = word(cs, 0xffffffff), b = word(cs, 0xfffffffe);
    out.show(add(cs, {a, word_type::constant(0x428a2f98), b}));
  });
  table["uint32-add-all-const"] = make_case([](auto& cs, report& out) {
    using word_type = typename reader_of<decltype(cs)>::word;
    out.show(
      add(cs, {word_type::constant(0x6a09e667), word_type::constant(0xbb67ae85), word_type::constant(0x3c6ef372)}));
  });
  table["uint32-add-same"] = make_case([](auto& cs, report& out) {
    const auto a = word(cs, word_a);
    out.show(add(cs, {a, a, a.rotated_right(1)}));
  });
  table["uint32-add-chain-8x2"] = chain(std::vector<unsigned>(8, 2));
  table["uint32-add-chain-9x8"] = chain(std::vector<unsigned>(9, 8));
  table["uint32-add-chain-mixed"] = chain({4, 6, 7, 4, 6, 7, 8, 2, 2, 2, 7});
}

void add_constant_cases(gadget_table& table) {
  table["uint32-sigma-const"] = make_case([](auto& cs, report& out) {
    const auto k = reader_of<decltype(cs)>::word::constant(0x6a09e667);
    const auto a = word(cs, word_a);
    const auto t = word_xor(cs, k.rotated_right(2), a.rotated_right(13));
    pack_and_show(cs, word_xor(cs, t, k.rotated_right(22)), out);
  });
  table["uint32-ch-const"] = make_case([](auto& cs, report& out) {
    using word_type = typename reader_of<decltype(cs)>::word;
    const auto e = word(cs, word_a);
    pack_and_show(cs, word_ch(cs, e, word_type::constant(0x9b05688c), word_type::constant(0x1f83d9ab)), out);
  });
  table["uint32-ch-const-g"] = make_case([](auto& cs, report& out) {
    using word_type = typename reader_of<decltype(cs)>::word;
    const auto e = word(cs, word_a), f = word(cs, word_b);
    pack_and_show(cs, word_ch(cs, e, f, word_type::constant(0x1f83d9ab)), out);
  });
  table["uint32-maj-const"] = make_case([](auto& cs, report& out) {
    using word_type = typename reader_of<decltype(cs)>::word;
    const auto a = word(cs, word_a);
    pack_and_show(cs, word_maj(cs, a, word_type::constant(0xbb67ae85), word_type::constant(0x3c6ef372)), out);
  });
  table["uint32-maj-const-c"] = make_case([](auto& cs, report& out) {
    using word_type = typename reader_of<decltype(cs)>::word;
    const auto a = word(cs, word_a), b = word(cs, word_b);
    pack_and_show(cs, word_maj(cs, a, b, word_type::constant(0x3c6ef372)), out);
  });
}

} // namespace

void add_word_cases(gadget_table& table) {
  table["uint32"] = make_case([](auto& cs, report& out) { out.show(word(cs, word_a)); });
  table["uint32-xor"] = make_case([](auto& cs, report& out) {
    const auto a = word(cs, word_a), b = word(cs, word_b);
    out.show(word_xor(cs, a, b));
  });
  table["uint32-ch"] = make_case([](auto& cs, report& out) {
    const auto a = word(cs, word_a), b = word(cs, word_b), c = word(cs, word_c);
    out.show(word_ch(cs, a, b, c));
  });
  table["uint32-maj"] = make_case([](auto& cs, report& out) {
    const auto a = word(cs, word_a), b = word(cs, word_b), c = word(cs, word_c);
    out.show(word_maj(cs, a, b, c));
  });
  table["uint32-sigma"] = make_case([](auto& cs, report& out) {
    const auto a = word(cs, word_a);
    const auto t = word_xor(cs, a.rotated_right(7), a.rotated_right(18));
    out.show(word_xor(cs, t, a.shifted_right(3)));
  });
  add_constant_cases(table);
  add_sums(table);
}

} // namespace cuzk::test
