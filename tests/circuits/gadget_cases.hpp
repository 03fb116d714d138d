#pragma once
// The gadgets of tests/data/vectors/r1cs.json by name: each one text, read both ways.
#include "circuits/core/shape_reader.hpp"
#include "circuits/core/witness_reader.hpp"
#include "math/field_bytes.hpp"

#include <functional>
#include <map>
#include <span>
#include <string>

namespace cuzk::test {

/// What a gadget gave, as the vectors write it. The shape reader has nothing to show.
class report {
public:
  std::string text;

  void say(const std::string& words) { text += words; }
  void show(const fr& x) { text += hex_of(x); }
  void show(const circuits::witness_num& x) { show(x.value); }
  void show(const circuits::witness_bit& b) { text += b.value() ? '1' : '0'; }
  void show(const circuits::witness_word& w);
  void show(const circuits::shape_num&) {}
  void show(const circuits::shape_bit&) {}
  void show(const circuits::shape_word&) {}
  /// With commas between.
  template <class T>
  void show_list(std::span<const T> all) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i > 0)
        say(",");
      show(all[i]);
    }
  }
  /// 0x and 64 digits, most significant first.
  static std::string hex_of(const fr& x);
};

/// A gadget with the inputs of its vector.
struct gadget_case {
  std::function<void(circuits::shape_reader&, report&)> shape;
  std::function<void(circuits::witness_reader&, report&)> witness;
  bool inputs_in_output = false; ///< the vector's output is the public inputs
};

using gadget_table = std::map<std::string, gadget_case>;

/// One generic function for both readings.
template <class F>
gadget_case make_case(F f, bool inputs_in_output = false) {
  return {[f](circuits::shape_reader& cs, report& out) { f(cs, out); },
          [f](circuits::witness_reader& cs, report& out) { f(cs, out); }, inputs_in_output};
}

void add_bit_cases(gadget_table& table);
void add_number_cases(gadget_table& table);
void add_word_cases(gadget_table& table);
void add_hash_cases(gadget_table& table);
void add_merkle_cases(gadget_table& table);
void add_circuit_cases(gadget_table& table);
void add_snap_cases(gadget_table& table);
gadget_table all_gadget_cases();

/// The reader of a generic gadget.
template <class T>
using reader_of = std::remove_cvref_t<T>;

/// Bit i of the bytes 1, 2, 3 … (mod 256), most significant first.
inline bool counting_bit(std::size_t i) {
  return (i / 8 + 1) >> (7 - i % 8) & 1;
}

/// A case that has no values.
inline gadget_case only_shape(std::function<void(circuits::shape_reader&)> f) {
  return {[f = std::move(f)](circuits::shape_reader& cs, report&) { f(cs); }, nullptr};
}

template <class CS>
typename CS::num number(CS& cs, std::uint64_t value) {
  return cs.new_num([value] { return fr::from_u64(value); });
}

} // namespace cuzk::test
