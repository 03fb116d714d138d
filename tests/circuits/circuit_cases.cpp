// Labels, whole PoRep challenges, small PoSt circuits.
#include "circuits/porep/porep_circuit.hpp"
#include "circuits/post/post_circuit.hpp"
#include "gadget_cases.hpp"
#include "math/hash/poseidon.hpp"
#include "merkle_values.hpp"

#include <string>
#include <vector>

namespace cuzk::test {
namespace {

using namespace circuits;

/// 256 allocated Booleans, bits first … first + 255 of the counting bytes.
template <class CS>
byte_words<CS> counting_words(CS& cs, std::size_t first) {
  byte_words<CS> out;
  for (std::size_t i = 0; i < 256; ++i)
    out[i / 32].set(31 - i % 32, alloc_bit(cs, [first, i] { return counting_bit(first + i); }));
  return out;
}

/// Parents first, then the replica id; layer 3, node 22, both constant.
gadget_case label_of_bits() {
  return make_case([](auto& cs, report& out) {
    using CS = reader_of<decltype(cs)>;
    std::vector<byte_words<CS>> parents;
    for (std::size_t i = 0; i < label_parent_count; ++i)
      parents.push_back(counting_words(cs, 256 * i));
    const auto id = counting_words(cs, 256 * label_parent_count);
    const std::array<typename CS::word, 2> node = {CS::word::constant(22), CS::word::constant(0)};
    out.show(create_label(cs, id, 3, node, std::span<const byte_words<CS>>(parents)));
  });
}

/// Replica id 1, parents 2, 3, …, node 22.
gadget_case label_of_numbers(std::uint32_t layer, std::size_t parent_count) {
  return make_case([layer, parent_count](auto& cs, report& out) {
    using CS = reader_of<decltype(cs)>;
    const auto id = byte_words_of<CS>(to_bits(cs, number(cs, 1)));
    std::vector<typename CS::num> values;
    for (std::size_t i = 0; i < parent_count; ++i)
      values.push_back(number(cs, i + 2));
    const auto node = alloc_u64_input(cs, [] { return std::uint64_t(22); });
    std::vector<byte_words<CS>> parents;
    for (const auto& v : values)
      parents.push_back(byte_words_of<CS>(to_bits(cs, v)));
    out.show(create_label(cs, id, layer, node, std::span<const byte_words<CS>>(parents)));
  });
}

/// Numbers without rows, taken as bits.
template <class CS, std::size_t N>
std::array<typename CS::word, N> outer_bits(CS& cs, unsigned n) {
  std::array<typename CS::word, N> words;
  for (unsigned i = 0; i < n; ++i)
    words[i / 32].set(i % 32, cs.as_bit(number(cs, 0)));
  return words;
}

/// The label of one layer cut out of a PoRep circuit.
gadget_case cut_label(filecoin::sector_size size, unsigned layer) {
  return only_shape([size, layer](shape_reader& cs) {
    const porep_circuit<shape_reader> circuit(filecoin::shape_of(size));
    const auto id = byte_words_of<shape_reader>(outer_bits<shape_reader, 8>(cs, 255));
    std::vector<label_column<shape_reader>> parents(filecoin::parent_count, label_column<shape_reader>(layer));
    for (unsigned k = 0; k < (layer == 1 ? filecoin::drg_degree : filecoin::parent_count); ++k)
      parents[k][k < filecoin::drg_degree ? layer - 1 : layer - 2] = number(cs, 0);
    const auto node = outer_bits<shape_reader, 2>(cs, 64);
    circuit.label(cs, id, node, layer, parents);
  });
}

/// A whole challenge cut out of a PoRep circuit.
gadget_case cut_challenge(filecoin::sector_size size) {
  return only_shape([size](shape_reader& cs) {
    const porep_circuit<shape_reader> circuit(filecoin::shape_of(size));
    porep_head<shape_reader> head;
    head.replica_id = byte_words_of<shape_reader>(outer_bits<shape_reader, 8>(cs, 255));
    head.comm_d = number(cs, 0);
    head.comm_r_last = number(cs, 0);
    head.comm_c = number(cs, 0);
    circuit.challenge(cs, head, nullptr);
  });
}

/// comm_c 5, leaf 1, the sample path of 64 leaves, the same for every sector and challenge.
gadget_case post(unsigned sectors, unsigned challenges) {
  const filecoin::tree_shape tree{8, 2, 0, 0};
  const sample_path path(levels_of(tree, node_hash::poseidon), fr::from_u64(1));
  filecoin::merkle_proof proof{to_digest(fr::from_u64(1)), to_digest(path.root), path.index, path.siblings};
  filecoin::post_sector sector;
  sector.comm_c = to_digest(fr::from_u64(5));
  sector.comm_r_last = proof.root;
  const fr comm_r = poseidon_hash(std::vector<fr>{fr::from_u64(5), path.root});
  sector.comm_r = to_digest(comm_r);
  sector.paths.assign(challenges, proof);
  const filecoin::post_shape shape{sectors, challenges};
  const filecoin::post_partition partition{std::vector(sectors, sector), shape};
  return make_case([tree, shape, partition, comm_r, path](auto& cs, report& out) {
    using CS = reader_of<decltype(cs)>;
    const post_circuit<CS> circuit(tree, shape);
    for (unsigned i = 0; i < circuit.parts(); ++i)
      circuit.part(cs, circuit.head(cs, &partition), &partition, i);
    out.say("comm_r ");
    out.show(comm_r);
    out.say(", leaf index " + std::to_string(path.index));
  });
}

} // namespace

void add_circuit_cases(gadget_table& table) {
  using filecoin::sector_size;
  table["label-bits"] = label_of_bits();
  table["label-layer-1"] = label_of_numbers(1, 6);
  table["label-layer-2"] = label_of_numbers(2, 14);
  table["cut-porep-label-1-2KiB"] = cut_label(sector_size::k2, 1);
  table["cut-porep-label-2-2KiB"] = cut_label(sector_size::k2, 2);
  table["cut-porep-label-11-32GiB"] = cut_label(sector_size::g32, 11);
  table["cut-porep-challenge-2KiB"] = cut_challenge(sector_size::k2);
  table["cut-porep-challenge-32KiB"] = cut_challenge(sector_size::k32);
  table["cut-porep-challenge-32GiB"] = cut_challenge(sector_size::g32);
  table["cut-porep-challenge-64GiB"] = cut_challenge(sector_size::g64);
  table["post-1x1"] = post(1, 1);
  table["post-2x3"] = post(2, 3);
}

} // namespace cuzk::test
