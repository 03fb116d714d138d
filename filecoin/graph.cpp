#include "filecoin/graph.hpp"

#include "math/hash/blake2.hpp"
#include "math/hash/chacha.hpp"
#include "math/hash/sha256.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

namespace cuzk::filecoin {
namespace {

digest seed_of(std::string_view domain, const digest& porep_id) {
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(domain.data()), domain.size());
  return sha256().update(bytes).update(porep_id).finish();
}

void store_be64(std::uint8_t* out, std::uint64_t x) {
  for (int i = 0; i < 8; ++i)
    out[i] = static_cast<std::uint8_t>(x >> (56 - 8 * i));
}

std::uint64_t load_be64(const std::uint8_t* in) {
  std::uint64_t x = 0;
  for (int i = 0; i < 8; ++i)
    x = x << 8 | in[i];
  return x;
}

/// Round function of the Feistel network.
std::uint64_t feistel_f(std::uint64_t right, std::uint64_t key) {
  std::array<std::uint8_t, 16> in;
  store_be64(in.data(), right);
  store_be64(in.data() + 8, key);
  return load_be64(blake2b_512(in).data());
}

} // namespace

sdr_graph::sdr_graph(std::uint64_t nodes, const digest& porep_id, api_version api) : nodes_(nodes), api_(api) {
  const digest drg = seed_of("Filecoin_DRSample", porep_id);
  std::copy_n(drg.begin(), drg_seed_.size(), drg_seed_.begin());
  const digest feistel = seed_of("Filecoin_Feistel", porep_id);
  for (std::size_t k = 0; k < feistel_keys_.size(); ++k) // the fourth key is never used
    for (int i = 7; i >= 0; --i)
      feistel_keys_[k] = feistel_keys_[k] << 8 | feistel[8 * k + i];
  while ((std::uint64_t(1) << (2 * half_bits_)) < nodes_ * expander_degree)
    ++half_bits_;
}

std::array<std::uint32_t, parent_count> sdr_graph::parents(std::uint32_t node) const {
  std::array<std::uint32_t, parent_count> out;
  drg_parents(node, out.data());
  for (unsigned i = 0; i < expander_degree; ++i)
    out[drg_degree + i] = expander_parent(node, i);
  return out;
}

void sdr_graph::drg_parents(std::uint32_t node, std::uint32_t* out) const {
  std::fill_n(out, drg_degree, 0u);
  if (node < 2)
    return;
  digest key;
  std::copy(drg_seed_.begin(), drg_seed_.end(), key.begin());
  for (int i = 0; i < 4; ++i)
    key[28 + i] = static_cast<std::uint8_t>(node >> (8 * i));
  chacha8_rng rng(key);
  // DRSample on a graph of five nodes per node ("metagraph"): buckets of doubling distance, one drawn evenly.
  constexpr unsigned samples = drg_degree - 1;
  const std::uint64_t meta_node = std::uint64_t(node) * samples;
  const auto buckets = static_cast<std::uint64_t>(std::bit_width(meta_node - 1)); // ceil(log2(meta_node))
  std::uint32_t* const drawn = api_ == api_version::v1_0_0 ? out : out + 1;
  for (unsigned i = 0; i < samples; ++i) {
    const std::uint64_t bucket = rng.next_u64() % buckets + 1;
    const std::uint64_t largest = std::min(meta_node, std::uint64_t(1) << bucket);
    const std::uint64_t smallest = std::max<std::uint64_t>(2, largest / 2);
    const std::uint64_t distance = smallest + rng.next_u64() % (largest - smallest + 1);
    const auto parent = static_cast<std::uint32_t>((meta_node - distance) / samples);
    drawn[i] = parent == node ? node - 1 : parent;
  }
  out[api_ == api_version::v1_0_0 ? samples : 0] = node - 1;
}

std::uint32_t sdr_graph::expander_parent(std::uint32_t node, unsigned i) const {
  const std::uint64_t mask = (std::uint64_t(1) << half_bits_) - 1;
  std::uint64_t x = std::uint64_t(node) * expander_degree + i;
  do { // walks along the cycle until it is back in range
    std::uint64_t left = x >> half_bits_ & mask;
    std::uint64_t right = x & mask;
    for (const auto key : feistel_keys_) {
      const std::uint64_t next = left ^ (feistel_f(right, key) & mask);
      left = right;
      right = next;
    }
    x = left << half_bits_ | right;
  } while (x >= nodes_ * expander_degree);
  if (api_ == api_version::v1_0_0)
    x &= 0xffffffff;
  return static_cast<std::uint32_t>(x / expander_degree);
}

} // namespace cuzk::filecoin
