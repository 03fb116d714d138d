// Gadgets on single Booleans.
#include "circuits/core/gadgets/numbers.hpp"
#include "gadget_cases.hpp"

#include <array>
#include <vector>

namespace cuzk::test {
namespace {

using namespace circuits;

template <class CS>
typename CS::bit bit(CS& cs, bool value) {
  return alloc_bit(cs, [value] { return value; });
}

/// False, true, b and not b.
template <class CS>
std::array<typename CS::bit, 4> forms(const typename CS::bit& b) {
  return {CS::bit::constant(false), CS::bit::constant(true), b, !b};
}

template <class CS>
void pack_and_show(CS& cs, const std::vector<typename CS::bit>& bits, report& out) {
  for (const auto& b : bits)
    out.show(b);
  out.say(", ");
  out.show(pack_bits(cs, std::span<const typename CS::bit>(bits)));
}

/// f over all forms of two Booleans.
template <class F>
gadget_case table_of_two(F f) {
  return make_case([f](auto& cs, report& out) {
    using CS = reader_of<decltype(cs)>;
    const auto a = bit(cs, true), b = bit(cs, false);
    std::vector<typename CS::bit> results;
    for (const auto& x : forms<CS>(a))
      for (const auto& y : forms<CS>(b))
        results.push_back(f(cs, x, y));
    pack_and_show(cs, results, out);
  });
}

/// f over all forms of three Booleans.
template <class F>
gadget_case table_of_three(F f) {
  return make_case([f](auto& cs, report& out) {
    using CS = reader_of<decltype(cs)>;
    const auto a = bit(cs, true), b = bit(cs, false), c = bit(cs, true);
    std::vector<typename CS::bit> results;
    for (const auto& x : forms<CS>(a))
      for (const auto& y : forms<CS>(b))
        for (const auto& z : forms<CS>(c))
          results.push_back(f(cs, x, y, z));
    pack_and_show(cs, results, out);
  });
}

template <class F>
gadget_case of_two(bool first, bool second, F f) {
  return make_case([first, second, f](auto& cs, report& out) {
    const auto a = bit(cs, first), b = bit(cs, second);
    out.show(f(cs, a, b));
  });
}

} // namespace

void add_bit_cases(gadget_table& table) {
  const auto by_xor = [](auto& cs, const auto& a, const auto& b) { return bit_xor(cs, a, b); };
  const auto by_and = [](auto& cs, const auto& a, const auto& b) { return bit_and(cs, a, b); };
  const auto by_ch = [](auto& cs, const auto& a, const auto& b, const auto& c) { return bit_ch(cs, a, b, c); };
  const auto by_maj = [](auto& cs, const auto& a, const auto& b, const auto& c) { return bit_maj(cs, a, b, c); };
  table["bit"] = make_case([](auto& cs, report& out) { out.show(bit(cs, true)); });
  table["bit-xor"] = of_two(true, false, by_xor);
  table["bit-xor-same"] = make_case([](auto& cs, report& out) {
    const auto a = bit(cs, true);
    out.show(bit_xor(cs, a, a));
  });
  table["bit-and"] = of_two(true, true, by_and);
  table["bit-and-not"] = of_two(true, false, [](auto& cs, const auto& a, const auto& b) { return bit_and(cs, a, !b); });
  table["bit-nor"] = of_two(false, false, [](auto& cs, const auto& a, const auto& b) { return bit_and(cs, !a, !b); });
  table["bool-xor-table"] = table_of_two(by_xor);
  table["bool-and-table"] = table_of_two(by_and);
  table["bool-ch-table"] = table_of_three(by_ch);
  table["bool-maj-table"] = table_of_three(by_maj);
  const auto of_three = [](auto f) {
    return make_case([f](auto& cs, report& out) {
      const auto a = bit(cs, true), b = bit(cs, false), c = bit(cs, true);
      out.show(f(cs, a, b, c));
    });
  };
  table["bool-ch"] = of_three(by_ch);
  table["bool-maj"] = of_three(by_maj);
  table["pack-bits-forms"] = make_case([](auto& cs, report& out) {
    using bit_type = typename reader_of<decltype(cs)>::bit;
    const auto a = bit(cs, true), b = bit(cs, false);
    const bit_type bits[] = {bit_type::constant(true), a, !b, bit_type::constant(false), !a, b,
                             bit_type::constant(true)};
    out.show(pack_bits(cs, std::span<const bit_type>(bits)));
  });
}

} // namespace cuzk::test
