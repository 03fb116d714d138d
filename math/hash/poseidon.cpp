#include "math/hash/poseidon.hpp"

#include "math/hash/poseidon_permutation.hpp"

#include <algorithm>

namespace cuzk {
namespace {

template <unsigned Arity>
fr hash(std::span<const fr> preimage, const fr& tag) {
  std::array<fr, Arity + 1> state;
  state[0] = tag;
  std::copy(preimage.begin(), preimage.end(), state.begin() + 1);
  poseidon_permute<Arity + 1>(poseidon_table(Arity), state, [](const fr&, const fr&, const fr&, const fr&) {});
  return state[1];
}

} // namespace

fr poseidon_hash(std::span<const fr> preimage, const fr& tag) {
  switch (preimage.size()) {
  case 2: return hash<2>(preimage, tag);
  case 4: return hash<4>(preimage, tag);
  case 8: return hash<8>(preimage, tag);
  case 11: return hash<11>(preimage, tag);
  case 16: return hash<16>(preimage, tag);
  default: return fr::zero();
  }
}

fr poseidon_hash(std::span<const fr> preimage) {
  return poseidon_hash(preimage, poseidon_merkle_tag(static_cast<unsigned>(preimage.size())));
}

} // namespace cuzk
