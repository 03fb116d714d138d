#include "gadget_cases.hpp"

#include <algorithm>
#include <cstdio>

namespace cuzk::test {

void report::show(const circuits::witness_word& w) {
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(w.value()));
  text += digits;
}

std::string report::hex_of(const fr& x) {
  std::string out = "0x";
  auto bytes = to_le_bytes(x);
  std::reverse(bytes.begin(), bytes.end());
  for (const auto b : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(b));
    out += digits;
  }
  return out;
}

gadget_table all_gadget_cases() {
  gadget_table table;
  add_bit_cases(table);
  add_number_cases(table);
  add_word_cases(table);
  add_hash_cases(table);
  add_merkle_cases(table);
  add_circuit_cases(table);
  add_snap_cases(table);
  return table;
}

} // namespace cuzk::test
