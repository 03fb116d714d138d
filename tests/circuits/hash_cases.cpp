// SHA-256 and Poseidon.
#include "circuits/core/gadgets/field_hash.hpp"
#include "circuits/core/gadgets/poseidon.hpp"
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

/// 32 Booleans a word, most significant first.
template <class CS>
std::vector<typename CS::word> words_of(const std::vector<typename CS::bit>& bits) {
  std::vector<typename CS::word> words(bits.size() / 32);
  for (std::size_t i = 0; i < bits.size(); ++i)
    words[i / 32].set(31 - i % 32, bits[i]);
  return words;
}

/// SHA-256 of any number of whole bytes: padded bit by bit.
template <class CS>
sha256_words<CS> sha256_of_bits(CS& cs, std::vector<typename CS::bit> bits) {
  const std::uint64_t length = bits.size();
  bits.push_back(CS::bit::constant(true));
  while (bits.size() % 512 != 448)
    bits.push_back(CS::bit::constant(false));
  for (unsigned i = 0; i < 64; ++i)
    bits.push_back(CS::bit::constant(length >> (63 - i) & 1));
  return sha256_blocks(cs, std::span<const typename CS::word>(words_of<CS>(bits)));
}

template <class CS>
void show_all(const sha256_words<CS>& words, report& out) {
  for (const auto& w : words)
    out.show(w);
}

void add_sha256(gadget_table& table) {
  for (const std::size_t n : {0, 8, 256, 440, 448, 504, 512, 1024, 1536})
    table["sha256-" + std::to_string(n)] = make_case([n](auto& cs, report& out) {
      using CS = reader_of<decltype(cs)>;
      show_all<CS>(sha256_of_bits(cs, counting_bits(cs, n)), out);
    });
  table["sha256-mixed"] = make_case([](auto& cs, report& out) {
    using CS = reader_of<decltype(cs)>;
    auto bits = counting_bits(cs, 256);
    for (unsigned i = 0; i < 32; ++i)
      bits.push_back(CS::bit::constant(i == 31));
    for (unsigned i = 0; i < 64; ++i)
      bits.push_back(!bits[i]);
    bits.resize(512, CS::bit::constant(false));
    show_all<CS>(sha256_of_words(cs, words_of<CS>(bits)), out);
  });
  const auto block = [](bool allocated_state) {
    return make_case([allocated_state](auto& cs, report& out) {
      using CS = reader_of<decltype(cs)>;
      const auto words = words_of<CS>(counting_bits(cs, 512));
      sha256_words<CS> state;
      for (unsigned i = 0; i < 8; ++i)
        state[i] = allocated_state ? alloc_word(cs, [i] { return sha256_iv[i]; }) : CS::word::constant(sha256_iv[i]);
      sha256_block(cs, state, std::span<const typename CS::word>(words));
      show_all<CS>(state, out);
    });
  };
  table["sha256-block"] = block(false);
  table["sha256-block-state"] = block(true);
}

/// f of the numbers first, first + 1, … , n of them.
template <class F>
gadget_case of_numbers(std::size_t n, F f) {
  return make_case([n, f](auto& cs, report& out) {
    using num = typename reader_of<decltype(cs)>::num;
    std::vector<num> xs;
    for (std::size_t i = 0; i < n; ++i)
      xs.push_back(number(cs, i + 1));
    out.show(f(cs, std::span<const num>(xs)));
  });
}
template <class F>
gadget_case of_same(F f) {
  return make_case([f](auto& cs, report& out) {
    using num = typename reader_of<decltype(cs)>::num;
    const auto x = number(cs, 7);
    const num xs[] = {x, x};
    out.show(f(cs, std::span<const num>(xs)));
  });
}

} // namespace

void add_hash_cases(gadget_table& table) {
  add_sha256(table);
  const auto by_sha256 = [](auto& cs, auto xs) { return sha256_node(cs, xs); };
  const auto by_poseidon = [](auto& cs, auto xs) { return poseidon(cs, xs); };
  table["sha256-node"] = of_numbers(2, by_sha256);
  table["sha256-node-multi"] = of_numbers(2, by_sha256);
  table["sha256-node-same"] = of_same(by_sha256);
  for (const std::size_t n : {2, 4, 8, 11})
    table["poseidon-" + std::to_string(n)] = of_numbers(n, by_poseidon);
  table["poseidon-node-2"] = table["poseidon-2"];
  table["poseidon-node-8"] = table["poseidon-8"];
  table["cut-porep-column-hash-32GiB"] = table["poseidon-11"];
  table["poseidon-2-rand"] =
    of_numbers(2, [](auto& cs, auto xs) { return poseidon_with_tag(cs, xs, poseidon_random); });
  table["poseidon-2-same"] = of_same(by_poseidon);
  table["poseidon-2-chain"] =
    of_numbers(3, [](auto& cs, auto xs) { return poseidon(cs, xs[2], poseidon(cs, xs[0], xs[1])); });
}

} // namespace cuzk::test
