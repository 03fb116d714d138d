#include "filecoin/registered_proof.hpp"

#include <iterator>

namespace cuzk::filecoin {
namespace {

constexpr const char* iec_names[] = {"2KiB",  "4KiB",   "16KiB", "32KiB", "8MiB",
                                     "16MiB", "512MiB", "1GiB",  "32GiB", "64GiB"};

/// Ending of a name and what it means; `base` is the chain number of the 2 KiB proof.
struct version_row {
  proof_kind kind;
  const char* ending;
  api_version api;
  porep_feature feature;
  unsigned base;
};
constexpr version_row versions[] = {
  {proof_kind::porep, "V1", api_version::v1_0_0, porep_feature::interactive, 0},
  {proof_kind::porep, "V1_1", api_version::v1_1_0, porep_feature::interactive, 5},
  {proof_kind::porep, "V1_1_Feat_SyntheticPoRep", api_version::v1_2_0, porep_feature::synthetic, 10},
  {proof_kind::porep, "V1_2_Feat_NonInteractivePoRep", api_version::v1_2_0, porep_feature::non_interactive, 15},
  {proof_kind::winning, "V1", api_version::v1_0_0, porep_feature::interactive, 0},
  {proof_kind::window, "V1", api_version::v1_0_0, porep_feature::interactive, 5},
  {proof_kind::window, "V1_2", api_version::v1_2_0, porep_feature::interactive, 10},
  {proof_kind::snap, "V1", api_version::v1_1_0, porep_feature::interactive, 0}};

const char* prefix_of(proof_kind kind) {
  switch (kind) {
  case proof_kind::winning: return "StackedDrgWinning";
  case proof_kind::window: return "StackedDrgWindow";
  default: return "StackedDrg";
  }
}

const char* iec(sector_size size) {
  return iec_names[static_cast<unsigned>(size)];
}

/// The five sizes of the chain in the order of their numbers.
std::optional<unsigned> chain_rank(sector_size size) {
  constexpr sector_size order[] = {sector_size::k2, sector_size::m8, sector_size::m512, sector_size::g32,
                                   sector_size::g64};
  for (unsigned i = 0; i < std::size(order); ++i)
    if (order[i] == size)
      return i;
  return std::nullopt;
}

registered_proof proof_of(const version_row& row, sector_size size) {
  registered_proof out{row.kind, size, row.api, row.feature, chain_rank(size)};
  if (out.number)
    *out.number += row.base;
  return out;
}

} // namespace

const char* to_string(api_version version) noexcept {
  switch (version) {
  case api_version::v1_0_0: return "V1_0_0";
  case api_version::v1_1_0: return "V1_1_0";
  case api_version::v1_2_0: return "V1_2_0";
  }
  return "?";
}

result<api_version> parse_api_version(std::string_view text) {
  constexpr std::string_view dotted[] = {"1.0.0", "1.1.0", "1.2.0"};
  for (unsigned i = 0; i < 3; ++i)
    if (text == dotted[i] || text == to_string(static_cast<api_version>(i)))
      return static_cast<api_version>(i);
  return bad_input("API version", quoted(text) + "; expected 1.0.0, 1.1.0 or 1.2.0");
}

result<registered_proof> parse_registered_proof(proof_kind kind, std::string_view name) {
  for (const auto& row : versions)
    for (const auto size : all_sector_sizes)
      if (row.kind == kind && name == prefix_of(kind) + std::string(iec(size)) + row.ending)
        return proof_of(row, size);
  return bad_input("registered_proof", quoted(name) + " is no proof type of kind " + to_string(kind) +
                                         "; expected a name as " + to_string(default_proof({kind, sector_size::g32})));
}

std::string to_string(const registered_proof& proof) {
  for (const auto& row : versions)
    if (row.kind == proof.kind && row.api == proof.api && row.feature == proof.feature)
      return prefix_of(proof.kind) + std::string(iec(proof.size)) + row.ending;
  // An interactive PoRep of V1_2_0 has no name of its own; its parents and challenges are those of V1_1.
  return prefix_of(proof.kind) + std::string(iec(proof.size)) + "V1_1";
}

std::string vanilla_proofs_key(sector_size size) {
  return std::string("StackedDrg") + iec(size) + "V1";
}

std::optional<digest> default_porep_id(const registered_proof& proof) {
  if (!proof.number)
    return std::nullopt;
  digest id{};
  id[0] = static_cast<std::uint8_t>(*proof.number);
  return id;
}

registered_proof default_proof(circuit_name circuit) {
  const version_row* found = &versions[0];
  for (const auto& row : versions)
    if (row.kind == circuit.kind && (row.kind != proof_kind::porep || row.base == 5))
      found = &row;
  return proof_of(*found, circuit.size);
}

} // namespace cuzk::filecoin
