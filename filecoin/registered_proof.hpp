#pragma once
// The chain's names of proof types: what they say about size, API version and the rule of the challenges.
// Source: rust-filecoin-proofs-api registry.rs, go-state-types abi/sector.go.
#include "filecoin/names.hpp"
#include "math/hash/digest.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace cuzk::filecoin {

/// Changes the order of DRG parents, the expander's truncation and the PoSt challenge index.
enum class api_version : std::uint8_t { v1_0_0, v1_1_0, v1_2_0 };
/// How the challenges of a PoRep are made.
enum class porep_feature : std::uint8_t { interactive, synthetic, non_interactive };

struct registered_proof {
  proof_kind kind = proof_kind::porep;
  sector_size size = sector_size::k2;
  api_version api = api_version::v1_1_0;
  porep_feature feature = porep_feature::interactive; ///< porep only
  std::optional<unsigned> number;                     ///< on chain; empty for sizes without one

  friend bool operator==(const registered_proof&, const registered_proof&) = default;
};

const char* to_string(api_version version) noexcept;
/// "V1_0_0", "1.0.0" and so on. Errors: bad_input.
result<api_version> parse_api_version(std::string_view text);

/// "StackedDrg32GiBV1_1", "StackedDrgWinning2KiBV1", "StackedDrgWindow512MiBV1_2" … Names of the five sizes without a
/// chain number (4, 16, 32 KiB, 16 MiB, 1 GiB) follow the same rule. Errors: bad_input.
result<registered_proof> parse_registered_proof(proof_kind kind, std::string_view name);
/// The name; inverse of the above.
std::string to_string(const registered_proof& proof);
/// "StackedDrg32GiBV1": the member of a C1 output that holds the proofs, whatever the API version.
std::string vanilla_proofs_key(sector_size size);

/// Number and nonce 0 as the first 16 bytes, little endian. Empty where the proof has no number.
std::optional<digest> default_porep_id(const registered_proof& proof);

/// Where a kind has only one sensible version: Winning V1_0_0, Window V1_2_0, snap and porep V1_1_0.
registered_proof default_proof(circuit_name circuit);

} // namespace cuzk::filecoin
