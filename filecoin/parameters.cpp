#include "filecoin/parameters.hpp"

#include "filecoin/shapes.hpp"
#include "math/hash/sha256.hpp"
#include "runtime/base/hex.hpp"

namespace cuzk::filecoin {
namespace {

struct published_row {
  circuit_name circuit;
  std::string_view params;
  std::string_view vk;
};
// parameters.json of filecoin-proofs 19.1.0; tests/filecoin/parameters_test.cpp compares with the list itself.
constexpr published_row published_rows[] = {
  {{proof_kind::porep, sector_size::k2}, "434fb1338ecfaf0f59256f30dde4968f", "dc1ade9929ade1708238f155343044ac"},
  {{proof_kind::porep, sector_size::m8}, "09e612e4eeb7a0eb95679a88404f960c", "b687beb9adbd9dabe265a7e3620813e4"},
  {{proof_kind::porep, sector_size::m512}, "6c77597eb91ab936c1cef4cf19eba1b3", "065179da19fbe515507267677f02823e"},
  {{proof_kind::porep, sector_size::g32}, "6a388072a518cf46ebd661f5cc46900a", "0c7b4aac1c40fdb7eb82bc355b41addf"},
  {{proof_kind::porep, sector_size::g64}, "1801f8a6e1b00bceb00cc27314bb5ce3", "a89884252c04c298d0b3c81bfd884164"},
  {{proof_kind::winning, sector_size::k2}, "82c88066be968bb550a05e30ff6c2413", "ffd79788d614d27919ae5bd2d94eacb6"},
  {{proof_kind::winning, sector_size::m8}, "700171ecf7334e3199437c930676af82", "79ebb55f56fda427743e35053edad8fc"},
  {{proof_kind::winning, sector_size::m512}, "827359440349fe8f5a016e7598993b79", "bd2cd62f65c1ab84f19ca27e97b7c731"},
  {{proof_kind::winning, sector_size::g32}, "d84f79a16fe40e9e25a36e2107bb1ba0", "fc02943678dd119e69e7fab8420e8819"},
  {{proof_kind::winning, sector_size::g64}, "2170a91ad5bae22ea61f2ea766630322", "6d3789148fb6466d07ee1e24d6292fd6"},
  {{proof_kind::window, sector_size::k2}, "7610b9f82bfc88405b7a832b651ce2f6", "0e0958009936b9d5e515ec97b8cb792d"},
  {{proof_kind::window, sector_size::m8}, "c49499bb76a0762884896f9683403f55", "34d4feeacd9abf788d69ef1bb4d8fd00"},
  {{proof_kind::window, sector_size::m512}, "1a7d4a9c8a502a497ed92a54366af33f", "4dae975de4f011f101f5a2f86d1daaba"},
  {{proof_kind::window, sector_size::g32}, "2cf49eb26f1fee94c85781a390ddb4c8", "0f8ec542485568fa3468c066e9fed82b"},
  {{proof_kind::window, sector_size::g64}, "3810b7780ac0e299b22ae70f1f94c9bc", "59d2bf1857adc59a4f08fcf2afaa916b"},
  {{proof_kind::snap, sector_size::k2}, "311f92a3e75036ced01b1c0025f1fa0c", "eadad9784969890d30f2749708c79771"},
  {{proof_kind::snap, sector_size::m8}, "5aedd2cf3e5c0a15623d56a1b43110ad", "abd80269054d391a734febdac0d2e687"},
  {{proof_kind::snap, sector_size::m512}, "c3ad7bb549470b82ad52ed070aebb4f4", "994c5b7d450ca9da348c910689f2dc7f"},
  {{proof_kind::snap, sector_size::g32}, "1b3cfd761a961543f9eb273e435a06a2", "3a6941983754737fde880d29c7094905"},
  {{proof_kind::snap, sector_size::g64}, "1a392e7b759fb18e036c7559b5ece816", "80e366df2f1011953c2d01c7b7c9ee8e"}};

std::string tree_name(const tree_shape& tree) {
  return "merkletree-poseidon_hasher-" + std::to_string(tree.base_arity) + "-" + std::to_string(tree.sub_arity) + "-" +
         std::to_string(tree.top_arity);
}

std::string porep_identifier(const sector_shape& shape) {
  return "layered_drgporep::PublicParams{ graph: stacked_graph::StackedGraph{expansion_degree: 8 base_graph: "
         "drgraph::BucketGraph{size: " +
         std::to_string(shape.nodes()) +
         "; degree: 6; hasher: poseidon_hasher} }, challenges: LayerChallenges { layers: " +
         std::to_string(shape.porep.layers) + ", max_count: " + std::to_string(shape.porep.challenges) +
         " }, tree: " + tree_name(shape.tree) + " }";
}

std::string post_identifier(const sector_shape& shape, const post_shape& post) {
  return "FallbackPoSt::PublicParams{sector_size: " + std::to_string(bytes_of(shape.size)) +
         ", challenge_count: " + std::to_string(post.challenges) + ", sector_count: " + std::to_string(post.slots) +
         "}";
}

std::string prefix_of(circuit_name circuit) {
  const auto tree = tree_name(shape_of(circuit.size).tree);
  switch (circuit.kind) {
  case proof_kind::porep: return "stacked-proof-of-replication-" + tree + "-sha256_hasher";
  case proof_kind::snap: return "empty-sector-update-" + tree;
  default: return "proof-of-spacetime-fallback-" + tree;
  }
}

} // namespace

std::string parameter_identifier(circuit_name circuit) {
  const auto& shape = shape_of(circuit.size);
  switch (circuit.kind) {
  case proof_kind::porep: return porep_identifier(shape);
  case proof_kind::winning: return post_identifier(shape, shape.winning);
  case proof_kind::window: return post_identifier(shape, shape.window);
  case proof_kind::snap: break;
  }
  return "empty_sector_update::PublicParams{ sector_nodes: " + std::to_string(shape.nodes()) + " }";
}

std::string parameter_stem(circuit_name circuit) {
  const auto identifier = parameter_identifier(circuit);
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(identifier.data()), identifier.size());
  return "v28-" + prefix_of(circuit) + "-" + to_hex(sha256_of(bytes));
}

std::string params_file_name(circuit_name circuit) {
  return parameter_stem(circuit) + ".params";
}

std::string vk_file_name(circuit_name circuit) {
  return parameter_stem(circuit) + ".vk";
}

std::string test_parameter_stem(circuit_name circuit, std::string_view tag) {
  return "insecure-test-" + std::string(tag) + "-" + parameter_stem(circuit);
}

std::optional<published_digests> published(circuit_name circuit) {
  for (const auto& row : published_rows)
    if (row.circuit == circuit)
      return published_digests{row.params, row.vk};
  return std::nullopt;
}

std::optional<circuit_name> circuit_of_published_vk(std::string_view digest_hex) {
  for (const auto& row : published_rows)
    if (row.vk == digest_hex)
      return row.circuit;
  return std::nullopt;
}

} // namespace cuzk::filecoin
