#pragma once
// Names of proof kinds, sector sizes and circuits: parsed and printed in one place.
#include "runtime/base/error.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace cuzk::filecoin {

/// What is proved. `snap` is the empty-sector update.
enum class proof_kind : std::uint8_t { porep, winning, window, snap };
inline constexpr proof_kind all_proof_kinds[] = {proof_kind::porep, proof_kind::winning, proof_kind::window,
                                                 proof_kind::snap};

/// The ten sector sizes that have circuits, smallest first.
enum class sector_size : std::uint8_t { k2, k4, k16, k32, m8, m16, m512, g1, g32, g64 };
inline constexpr sector_size all_sector_sizes[] = {
  sector_size::k2,  sector_size::k4,   sector_size::k16, sector_size::k32, sector_size::m8,
  sector_size::m16, sector_size::m512, sector_size::g1,  sector_size::g32, sector_size::g64};

/// A circuit is a kind at a size: "porep-2k".
struct circuit_name {
  proof_kind kind = proof_kind::porep;
  sector_size size = sector_size::k2;
  friend bool operator==(const circuit_name&, const circuit_name&) = default;
};

const char* to_string(proof_kind kind) noexcept;
const char* to_string(sector_size size) noexcept;
std::string to_string(circuit_name name);

/// Accepts the spelling of to_string and `update`, `winning-post`, `window-post`. Errors: bad_input.
result<proof_kind> parse_proof_kind(std::string_view text);
/// Accepts "2k" and "2KiB" (any case) … "64g" and "64GiB". Errors: bad_input.
result<sector_size> parse_sector_size(std::string_view text);
/// KIND-SIZE in any accepted spelling of both. Errors: bad_input; a snap circuit of 1 GiB does not exist.
result<circuit_name> parse_circuit_name(std::string_view text);

/// 2048 … 68719476736.
constexpr std::uint64_t bytes_of(sector_size size) noexcept {
  constexpr unsigned lg[] = {11, 12, 14, 15, 23, 24, 29, 30, 35, 36};
  return std::uint64_t(1) << lg[static_cast<unsigned>(size)];
}
/// Errors: bad_input for a number that is no sector size.
result<sector_size> sector_size_of_bytes(std::uint64_t count);

} // namespace cuzk::filecoin
