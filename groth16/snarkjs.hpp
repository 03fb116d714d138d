#pragma once
// Proofs and keys in the JSON of snarkjs (curve bls12381), for verifiers nobody here wrote.
#include "groth16/proof.hpp"
#include "groth16/verifying_key.hpp"
#include "math/field.hpp"

#include <span>
#include <string>

namespace cuzk::groth16 {

/// verification_key.json
std::string snarkjs_key(const verifying_key& vk);
/// proof.json
std::string snarkjs_proof(const raw_proof& proof);
/// public.json: without ONE, decimal strings.
std::string snarkjs_inputs(std::span<const fr> inputs);

} // namespace cuzk::groth16
