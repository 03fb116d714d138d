#pragma once
// Job files of full production shape without a sector.
#include "filecoin/input.hpp"

#include <string>

namespace cuzk::filecoin {

/// What is wanted. Equal requests give equal bytes.
struct sparse_request {
  circuit_name circuit;
  std::uint64_t seed = 1; ///< of all that is free, of ticket, interactive seed and randomness
  bool envelope = false;  ///< porep: lotus' envelope around the C1 output
};

struct sparse_input {
  std::string text;     ///< the file
  input_options beside; ///< what the file does not say: read with these, its identity is checked
};

/// Actor id and number of the sector that sparse inputs are about.
inline constexpr std::uint64_t sparse_actor = 1000;
inline constexpr std::uint64_t sparse_sector_number = 1;

/// Makes the file, reads it back and runs all vanilla checks, over `pool`.
/// Errors: bad_input; a circuit that does not exist.
result<sparse_input> make_sparse_input(const sparse_request& request, thread_pool& pool);

} // namespace cuzk::filecoin
