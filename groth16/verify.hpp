#pragma once
// Proof bytes, and whether proofs are true.
#include "groth16/proof.hpp"
#include "groth16/verifying_key.hpp"
#include "math/field.hpp"

#include <span>

namespace cuzk::groth16 {

proof_bytes encode_proof(const raw_proof& proof);
/// Exactly 192 bytes; points on the curve, in the subgroup, not infinity. Errors: bad_input naming the point.
result<raw_proof> decode_proof(byte_view data);

/// Public inputs as canonical little-endian bytes, 32 each. Errors: bad_input naming the index.
result<std::vector<fr>> read_inputs(std::span<const bytes> inputs);

/// e(A, B) = e(alpha, beta) e(ic_0 + sum x_i ic_i, gamma) e(C, delta).
/// @param inputs without ONE. Errors: bad_input (another number of inputs than the key has); self_check_failed (the
/// equation does not hold).
status verify(const verifying_key& vk, const raw_proof& proof, std::span<const fr> inputs);

/// One proof and its inputs.
struct claim {
  raw_proof proof;
  std::vector<fr> inputs;
};
/// All claims at once, with random weights of 128 bits: false proofs pass with a chance of 2^-127.
/// Errors: as verify, without saying which claim; internal when the system gives no randomness.
status verify_batch(const verifying_key& vk, std::span<const claim> claims);

} // namespace cuzk::groth16
