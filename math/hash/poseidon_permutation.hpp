#pragma once
// The optimised Poseidon permutation with a visitor at every S-box, so that a circuit's witness costs no more than a
// hash.
#include "math/hash/fr_dot.hpp"
#include "math/hash/poseidon.hpp"

#include <array>
#include <cstddef>

namespace cuzk {

/// Runs the permutation on `state` (width = Width) in place.
/// `visit(x, x2, x4, out)` is called at each S-box, elements 0..t-1 of a full round, element 0 of a partial one:
/// x its input, x2 = x^2, x4 = x^4, out = x^5 + the next round's constant (no constant in the last round). Of the first
/// round x includes the first constant. Source of the schedule: neptune 11, poseidon.rs, hash_optimized_static.
template <unsigned Width, class Visitor>
void poseidon_permute(const poseidon_constants& table, std::array<fr, Width>& state, Visitor&& visit) {
  const fr* next = table.compressed.data();
  for (auto& x : state)
    x += *next++;
  const auto sbox = [&](fr& x, bool with_constant) {
    const fr x2 = x.square();
    const fr x4 = x2.square();
    fr out = x4 * x;
    if (with_constant)
      out += *next++;
    visit(x, x2, x4, out);
    x = out;
  };
  const auto mix = [&](const fr* columns) { // column by column
    std::array<fr, Width> out;
    for (unsigned j = 0; j < Width; ++j)
      out[j] = fr_dot(state.data(), columns + j * Width, Width);
    state = out;
  };
  const auto full_round = [&](const fr* m, bool with_constant) {
    for (auto& x : state)
      sbox(x, with_constant);
    mix(m);
  };

  for (unsigned i = 0; i < 3; ++i)
    full_round(table.mds.data(), true);
  full_round(table.pre_sparse_columns.data(), true);
  const fr* sparse = table.sparse.data();
  for (unsigned i = 0; i < table.partial_rounds; ++i, sparse += 2 * Width - 1) {
    sbox(state[0], true);
    const fr first = fr_dot(state.data(), sparse, Width);
    for (unsigned k = 1; k < Width; ++k)
      state[k] += state[0] * sparse[Width + k - 1];
    state[0] = first;
  }
  for (unsigned i = 0; i < 3; ++i)
    full_round(table.mds.data(), true);
  full_round(table.mds.data(), false);
}

} // namespace cuzk
