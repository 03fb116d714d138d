#pragma once
// The R1CS digests that the circuits of the network have.
#include "filecoin/names.hpp"
#include "math/hash/digest.hpp"

#include <optional>

namespace cuzk::circuits {

/// BLAKE2s-256 of all rows (circuits/core/r1cs_digest.hpp) as the reference's circuit of this name has it: the
/// network's keys belong to these rows and no others. Empty for a name without circuit. Source: rust-fil-proofs, the
/// circuits synthesised and hashed row by row.
std::optional<digest> known_digest(const filecoin::circuit_name& name);

} // namespace cuzk::circuits
