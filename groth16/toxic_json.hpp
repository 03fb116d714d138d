#pragma once
// The scalars and generators of a test key as JSON.
#include "groth16/setup.hpp"

#include <string>
#include <string_view>

namespace cuzk::groth16 {

/// Reads {"alpha", "beta", "gamma", "delta", "tau": 64 hex digits, little endian; "g1", "g2": uncompressed points in
/// hex}, or a document that holds such an object as its member "toxic_waste". Without g1 and g2 the standard ones.
/// Errors: bad_input with `where` and the member: missing, not canonical, not a point of the subgroup, infinity.
result<toxic_waste> read_toxic_json(std::string_view text, const std::string& where);

} // namespace cuzk::groth16
