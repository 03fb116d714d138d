#include "filecoin/merkle_check.hpp"

#include "math/hash/poseidon.hpp"
#include "math/hash/sha256.hpp"
#include "runtime/base/hex.hpp"

#include <array>

namespace cuzk::filecoin {
namespace {

error not_below(const digest& d, std::string where) {
  return bad_input(std::move(where), to_hex(d) + " is not below the modulus of the scalar field");
}

status compare_root(const digest& computed, const digest& stated) {
  if (computed == stated)
    return ok();
  return bad_input("root", "the path leads to " + to_hex(computed) + "; the proof says " + to_hex(stated));
}

} // namespace

result<fr> scalar_of(const digest& d, const char* where) {
  const auto x = to_fr(d);
  if (!x)
    return not_below(d, where);
  return *x;
}

digest poseidon_digest(const fr& left, const fr& right) {
  return to_digest(poseidon_hash(std::array{left, right}));
}

status check_poseidon_path(const merkle_proof& proof, const tree_shape& tree) {
  CUZK_TRY(current, scalar_of(proof.leaf, "leaf"));
  std::array<fr, 8> children;
  std::size_t next = 0;
  std::uint64_t index = proof.index;
  for (unsigned level = 0; level < tree.levels(); ++level) {
    const unsigned arity = tree.arity(level);
    const auto own = static_cast<unsigned>(index % arity);
    index /= arity;
    for (unsigned i = 0; i < arity; ++i) {
      if (i == own) {
        children[i] = current;
        continue;
      }
      const auto sibling = to_fr(proof.siblings[next]);
      if (!sibling)
        return not_below(proof.siblings[next], "level " + std::to_string(level));
      children[i] = *sibling;
      ++next;
    }
    current = poseidon_hash(std::span(children).first(arity));
  }
  return compare_root(to_digest(current), proof.root);
}

digest sha256_path_node(const merkle_proof& proof, unsigned level) {
  digest current = proof.leaf;
  for (unsigned i = 0; i < level; ++i) {
    const bool right = proof.index >> i & 1;
    const auto& sibling = proof.siblings[i];
    current = right ? sha256_node(sibling, current) : sha256_node(current, sibling);
  }
  return current;
}

status check_sha256_path(const merkle_proof& proof, const tree_shape& tree) {
  if (!to_fr(proof.leaf))
    return not_below(proof.leaf, "leaf");
  for (std::size_t i = 0; i < proof.siblings.size(); ++i)
    if (!to_fr(proof.siblings[i]))
      return not_below(proof.siblings[i], "level " + std::to_string(i));
  return compare_root(sha256_path_node(proof, tree.levels()), proof.root);
}

} // namespace cuzk::filecoin
