#include "filecoin/snap.hpp"

#include "math/hash/poseidon.hpp"
#include "math/hash/sha256.hpp"

#include <array>

namespace cuzk::filecoin {

fr snap_phi(const fr& comm_d_new, const fr& comm_r_old) {
  return poseidon_hash(std::array{comm_d_new, comm_r_old}, poseidon_random_tag());
}

fr snap_rho(const fr& phi, std::uint64_t node, const sector_shape& shape) {
  const fr high = fr::from_u64(node >> (shape.lg_nodes - shape.snap.h));
  return poseidon_hash(std::array{phi, high}, poseidon_random_tag());
}

std::vector<std::uint64_t> snap_challenges(const fr& comm_r_new, unsigned k, const sector_shape& shape) {
  const unsigned random_bits = shape.lg_nodes - shape.snap.lg_partitions;
  const unsigned per_digest = 254 / random_bits;
  const unsigned digests = (shape.snap.challenges + per_digest - 1) / per_digest;
  std::vector<std::uint64_t> out;
  for (unsigned j = 0; j < digests; ++j) {
    const fr index = fr::from_u64(std::uint64_t(k) * digests + j);
    const auto value = poseidon_hash(std::array{comm_r_new, index}, poseidon_random_tag()).to_int();
    for (unsigned i = 0; i < per_digest && out.size() < shape.snap.challenges; ++i) {
      std::uint64_t c = 0;
      for (unsigned b = 0; b < random_bits; ++b) {
        const unsigned at = i * random_bits + b;
        c |= (value.limb[at / 64] >> (at % 64) & 1) << b;
      }
      out.push_back(c | std::uint64_t(k) << random_bits);
    }
  }
  return out;
}

digest sha256_root(std::vector<digest> nodes) {
  while (nodes.size() > 1) {
    for (std::size_t i = 0; i < nodes.size() / 2; ++i)
      nodes[i] = sha256_node(nodes[2 * i], nodes[2 * i + 1]);
    nodes.resize(nodes.size() / 2);
  }
  return nodes.front();
}

} // namespace cuzk::filecoin
