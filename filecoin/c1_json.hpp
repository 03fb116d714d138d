#pragma once
// C1 outputs in JSON: the proofs API's document and the inner type.
#include "filecoin/c1_output.hpp"
#include "runtime/base/error.hpp"

#include <string_view>

namespace cuzk::filecoin {

/// The document of the proofs API: with registered_proof, proofs under the name of the size.
/// Errors: bad_input with JSON pointer, value and what was expected.
result<c1_output> read_c1_json(std::string_view text);
/// The inner type: proofs as plain nested arrays; the size is told beside it.
result<c1_output> read_c1_inner_json(std::string_view text, const sector_shape& shape);

} // namespace cuzk::filecoin
