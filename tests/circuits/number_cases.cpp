// Gadgets on numbers.
#include "circuits/core/gadgets/numbers.hpp"
#include "gadget_cases.hpp"

#include <string>
#include <vector>

namespace cuzk::test {
namespace {

using namespace circuits;

template <class CS>
std::vector<typename CS::bit> counting_bits(CS& cs, std::size_t n) {
  std::vector<typename CS::bit> bits;
  for (std::size_t i = 0; i < n; ++i)
    bits.push_back(alloc_bit(cs, [i] { return counting_bit(i); }));
  return bits;
}

template <class CS>
void show_bits(const number_bits<CS>& bits, report& out) {
  for (unsigned i = 0; i < number_bit_count; ++i)
    out.show(bits[i / 32].bit(i % 32));
}

gadget_case decomposed(const fr& value) {
  return make_case([value](auto& cs, report& out) {
    using CS = reader_of<decltype(cs)>;
    show_bits<CS>(to_bits(cs, cs.new_num([value] { return value; })), out);
  });
}

/// and of several Booleans, one after the other.
template <class CS>
typename CS::bit all_of(CS& cs, const std::vector<typename CS::bit>& bits) {
  auto out = bits.front();
  for (std::size_t i = 1; i < bits.size(); ++i)
    out = bit_and(cs, out, bits[i]);
  return out;
}

/// The canonical bits and no others; no circuit needs it. From the top, every run of ones of r - 1 is folded into "all
/// equal so far", and where r - 1 has a zero the bit must be zero if all is equal so far: (1 - equal - bit) * bit = 0.
template <class CS>
std::vector<typename CS::bit> strict_bits(CS& cs, const typename CS::num& x) {
  using bit = typename CS::bit;
  const auto largest = (-fr::one()).to_int();
  std::vector<bit> bits(number_bit_count), run, equal; // `equal` holds one bit once the first run has ended
  for (unsigned i = number_bit_count; i-- > 0;) {
    const auto value = [i](const fr& v) { return v.to_int().limb[i / 64] >> (i % 64) & 1; };
    if (largest.limb[i / 64] >> (i % 64) & 1) {
      bits[i] = alloc_bit(cs, value, x);
      run.push_back(bits[i]);
      continue;
    }
    if (!run.empty()) {
      run.insert(run.end(), equal.begin(), equal.end());
      equal = {all_of(cs, run)};
      run.clear();
    }
    bits[i] = cs.new_bit(value, x);
    cs.enforce({{1, one}, {-1, equal.front()}, {-1, bits[i]}}, {{1, bits[i]}}, {});
  }
  auto a = cs.make_sum(), b = cs.make_sum(), c = sum_of_bits(cs, std::span<const bit>(bits));
  c.add(-1, x);
  cs.enforce(a, b, c);
  return bits;
}

/// 256 Booleans from the bytes of a number, most significant bit of every byte first, as two inputs.
gadget_case reversed(const fr& value) {
  return make_case(
    [value](auto& cs, report&) {
      using CS = reader_of<decltype(cs)>;
      const auto bits = to_bits(cs, cs.new_num([value] { return value; }));
      std::vector<typename CS::bit> turned;
      for (unsigned i = 0; i < 256; ++i)
        turned.push_back(bits[i / 32].bytes_swapped().bit(31 - i % 32));
      pack_into_inputs(cs, std::span<const typename CS::bit>(turned));
    },
    true);
}

/// Bytes 1..32, the first the most significant.
fr counting_number() {
  std::array<std::uint8_t, 32> bytes;
  for (std::size_t i = 0; i < 32; ++i)
    bytes[i] = static_cast<std::uint8_t>(32 - i);
  return *from_le_bytes<fr>(bytes);
}

template <class F>
gadget_case of_two_numbers(std::uint64_t x, std::uint64_t y, F f) {
  return make_case([x, y, f](auto& cs, report& out) {
    const auto a = number(cs, x), b = number(cs, y);
    out.show(f(cs, a, b));
  });
}

void add_packing(gadget_table& table) {
  for (const std::size_t n : {0, 1, 3, 64, 254, 255, 512})
    table["pack-into-inputs-" + std::to_string(n)] = make_case(
      [n](auto& cs, report&) {
        using bit_type = typename reader_of<decltype(cs)>::bit;
        pack_into_inputs(cs, std::span<const bit_type>(counting_bits(cs, n)));
      },
      true);
  for (const std::size_t n : {0, 3, 254, 256})
    table["pack-bits-" + std::to_string(n)] = make_case([n](auto& cs, report& out) {
      using bit_type = typename reader_of<decltype(cs)>::bit;
      out.show(pack_bits(cs, std::span<const bit_type>(counting_bits(cs, n))));
    });
  table["uint64"] = make_case([](auto& cs, report&) { alloc_u64_input(cs, [] { return std::uint64_t(22); }); }, true);
}

} // namespace

void add_number_cases(gadget_table& table) {
  table["field-bits"] = make_case([](auto& cs, report& out) {
    using CS = reader_of<decltype(cs)>;
    number_bits<CS> bits;
    alloc_bits(cs, std::span<typename CS::word>(bits), number_bit_count, [] { return big_int<4>{{5}}; });
    show_bits<CS>(bits, out);
  });
  table["num"] = make_case([](auto& cs, report& out) { out.show(number(cs, 3)); });
  table["num-inputize"] = make_case([](auto& cs, report&) { inputize(cs, number(cs, 3)); }, true);
  table["num-mul"] = of_two_numbers(3, 5, [](auto& cs, const auto& x, const auto& y) { return multiply(cs, x, y); });
  table["num-square"] = make_case([](auto& cs, report& out) {
    const auto x = number(cs, 3);
    out.show(multiply(cs, x, x));
  });
  table["num-add"] = of_two_numbers(3, 5, [](auto& cs, const auto& x, const auto& y) { return add_numbers(cs, x, y); });
  table["encode"] = table["num-add"];
  table["decode"] = of_two_numbers(3, 5, [](auto& cs, const auto& key, const auto& value) {
    const auto r = cs.new_num([](const fr& k, const fr& v) { return v - k; }, key, value);
    cs.enforce({{1, r}, {1, key}}, {{1, one}}, {{1, value}});
    return r;
  });
  table["num-equal"] = make_case([](auto& cs, report&) {
    const auto a = number(cs, 3), b = number(cs, 3);
    enforce_equal(cs, a, b);
  });
  table["num-to-bits"] = decomposed(fr::from_u64(5));
  table["num-to-bits-max"] = decomposed(-fr::one());
  table["num-to-bits-strict"] = make_case([](auto& cs, report& out) {
    for (const auto& b : strict_bits(cs, number(cs, 5)))
      out.show(b);
  });
  table["num-to-bits-reversed"] = reversed(counting_number());
  add_packing(table);
}

} // namespace cuzk::test
