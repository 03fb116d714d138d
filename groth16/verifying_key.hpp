#pragma once
// The verifying key: fixed points and one point per input. Source: Groth, ePrint 2016/260, section 3.2.
#include "groth16/key_layout.hpp"
#include "math/curve.hpp"
#include "math/hash/digest.hpp"

#include <string>
#include <vector>

namespace cuzk::groth16 {

struct verifying_key {
  g1_affine alpha_g1, beta_g1;
  g2_affine beta_g2, gamma_g2;
  g1_affine delta_g1;
  g2_affine delta_g2;
  std::vector<g1_affine> ic; ///< ONE first, then the public inputs

  friend bool operator==(const verifying_key&, const verifying_key&) = default;
};

/// Reads the bytes of a .vk file, or the vk section of a .params file. Every point is checked in full: form, range,
/// curve, subgroup; infinity is refused everywhere. Errors: params, naming file, point and fault.
result<verifying_key> read_verifying_key(byte_view file, const std::string& path);
/// The same bytes back.
bytes write_verifying_key(const verifying_key& vk);

/// BLAKE2b-512 of the bytes of a vk, first 16 bytes as lower-case hex: the form of published digests.
std::string vk_digest(byte_view vk_bytes);
/// Whether this is the vk of a published ceremony. A key that is not is a test key, whatever its name.
bool is_published_vk(byte_view vk_bytes);

} // namespace cuzk::groth16
