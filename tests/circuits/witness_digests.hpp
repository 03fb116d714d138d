#pragma once
// SHA-256 over values as the vectors take it: 32 bytes little endian each, in order.
#include "circuits/core/compact_witness.hpp"
#include "circuits/core/wire_map.hpp"
#include "math/hash/sha256.hpp"
#include "runtime/base/hex.hpp"

#include <span>
#include <string>
#include <vector>

namespace cuzk::test {

inline std::string hex_of(const digest& d) {
  return to_hex(d);
}

inline std::string sha256_of_values(std::span<const fr> values) {
  sha256 hash;
  for (const auto& x : values)
    hash.update(to_digest(x));
  return hex_of(hash.finish());
}

/// Calls f(value as digest) for all aux in aux order.
template <class F>
void for_each_aux(const compact_witness& w, const wire_map& map, F&& f) {
  constexpr digest zero{}, one{1};
  for (const auto& run : map.runs())
    for (std::uint32_t i = run.first; i < run.first + run.count; ++i)
      f(run.kind == wire_kind::bit ? (w.bit(i) ? one : zero) : to_digest(w.fields()[i]));
}

inline std::string aux_sha256(const compact_witness& w, const wire_map& map) {
  sha256 hash;
  for_each_aux(w, map, [&](const digest& d) { hash.update(d); });
  return hex_of(hash.finish());
}

} // namespace cuzk::test
