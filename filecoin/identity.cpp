#include "filecoin/identity.hpp"

#include "math/hash/blake2.hpp"
#include "math/hash/chacha.hpp"
#include "math/hash/sha256.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace cuzk::filecoin {
namespace {

constexpr std::string_view ni_tag = "filecoin.io|PoRep|1|NonInteractive|1";
constexpr std::string_view generation_tag = "filecoin.io|PoRep|1|Synthetic|1|Generation";
constexpr std::string_view selection_tag = "filecoin.io|PoRep|1|Synthetic|1|Selection";
constexpr std::array<std::uint8_t, 12> synthetic_nonce = {'s', 'y', 'n', 't', 'h', '-', 'p', 'o', 'r', 'e', 'p', 0};
constexpr std::uint64_t max_synthetic = std::uint64_t(1) << 18;

std::span<const std::uint8_t> raw(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

template <class Int>
std::array<std::uint8_t, sizeof(Int)> le(Int x) {
  std::array<std::uint8_t, sizeof(Int)> out;
  for (std::size_t i = 0; i < sizeof(Int); ++i)
    out[i] = static_cast<std::uint8_t>(x >> (8 * i));
  return out;
}

std::uint64_t read_le64(const digest& d) {
  std::uint64_t x = 0;
  for (int i = 7; i >= 0; --i)
    x = x << 8 | d[i];
  return x;
}

/// (integer mod (nodes - 1)) + 1: node 0 is never asked for.
std::uint64_t challenge_from(const digest& d, std::uint64_t nodes) {
  std::uint64_t rest = 0;
  for (int i = 31; i >= 0; --i)
    rest = (rest << 8 | d[i]) % (nodes - 1);
  return rest + 1;
}

digest keyed_pair(std::string_view key, const digest& a, const digest& b) {
  std::array<std::uint8_t, 64> both;
  std::copy(a.begin(), a.end(), both.begin());
  std::copy(b.begin(), b.end(), both.begin() + 32);
  return blake2b_256_keyed(raw(key), both);
}

std::uint64_t synthetic_challenge(const digest& key, std::uint64_t i, std::uint64_t nodes) {
  digest stream;
  chacha20_keystream(key, synthetic_nonce, 32 * i, stream);
  return challenge_from(stream, nodes);
}

std::uint32_t selected_index(const digest& key, std::uint32_t j, std::uint64_t synthetic_count) {
  std::array<std::uint8_t, 4> word;
  chacha20_keystream(key, synthetic_nonce, std::uint64_t(4) * j, word);
  const std::uint32_t x = word[0] | word[1] << 8 | word[2] << 16 | std::uint32_t(word[3]) << 24;
  return static_cast<std::uint32_t>(x % synthetic_count);
}

} // namespace

digest prover_id_of_actor(std::uint64_t actor) {
  digest out{};
  for (std::size_t i = 0;; ++i) {
    out[i] = static_cast<std::uint8_t>(actor & 0x7f);
    actor >>= 7;
    if (actor == 0)
      return out;
    out[i] |= 0x80;
  }
}

result<digest> prover_id_of_miner(std::string_view text) {
  std::string_view digits = text;
  if (digits.starts_with("t0") || digits.starts_with("f0"))
    digits.remove_prefix(2);
  std::uint64_t actor = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), actor);
  if (digits.empty() || failed != std::errc() || end != digits.data() + digits.size())
    return bad_input("miner", quoted(text) + "; expected an id address as t01000");
  return prover_id_of_actor(actor);
}

digest replica_id_of(const sector_identity& who, const digest& ticket, const digest& comm_d) {
  std::array<std::uint8_t, 8> sector;
  for (int i = 0; i < 8; ++i)
    sector[i] = static_cast<std::uint8_t>(who.sector >> (56 - 8 * i));
  sha256 hash;
  hash.update(who.prover_id).update(sector).update(ticket).update(comm_d).update(who.porep_id);
  return trimmed(hash.finish());
}

std::vector<std::uint64_t> porep_challenges(const porep_challenge_source& source, std::uint64_t nodes, unsigned count,
                                            unsigned k) {
  std::vector<std::uint64_t> out;
  const std::uint64_t synthetic_count = std::min(nodes, max_synthetic);
  const digest selection = keyed_pair(selection_tag, source.replica_id, source.seed);
  const digest generation = keyed_pair(generation_tag, source.replica_id, source.comm_r);
  for (unsigned i = 0; i < count; ++i) {
    const std::uint32_t j = count * k + i;
    sha256 hash;
    switch (source.feature) {
    case porep_feature::interactive:
      hash.update(source.replica_id).update(source.seed).update(le(j));
      out.push_back(challenge_from(hash.finish(), nodes));
      break;
    case porep_feature::non_interactive:
      hash.update(raw(ni_tag)).update(source.replica_id).update(source.comm_r).update(le(j));
      out.push_back(challenge_from(hash.finish(), nodes));
      break;
    case porep_feature::synthetic:
      out.push_back(synthetic_challenge(generation, selected_index(selection, j, synthetic_count), nodes));
      break;
    }
  }
  return out;
}

std::vector<std::uint64_t> synthetic_challenges(const digest& replica_id, const digest& comm_r, std::uint64_t nodes) {
  const digest key = keyed_pair(generation_tag, replica_id, comm_r);
  std::vector<std::uint64_t> out(std::min(nodes, max_synthetic));
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = synthetic_challenge(key, i, nodes);
  return out;
}

std::uint64_t post_challenge(const digest& randomness, std::uint64_t sector, std::uint64_t index, std::uint64_t nodes) {
  return read_le64(sha256().update(randomness).update(le(sector)).update(le(index)).finish()) % nodes;
}

std::uint64_t post_challenge_index(api_version api, const post_shape& shape, unsigned k, std::size_t position,
                                   unsigned n) {
  if (api == api_version::v1_2_0)
    return n;
  return (std::uint64_t(k) * shape.slots + position) * shape.challenges + n;
}

std::uint64_t winning_choice(const digest& prover_id, const digest& randomness, std::uint64_t set_size) {
  return read_le64(sha256().update(prover_id).update(randomness).update(le(std::uint64_t(0))).finish()) % set_size;
}

} // namespace cuzk::filecoin
