#pragma once
// Job files of full production shape without a sector.
#include "filecoin/input.hpp"

#include <string>

namespace cuzk::filecoin {

/// What is wanted. Equal requests give equal bytes.
struct sparse_request {
  circuit_name circuit;
  std::uint64_t seed = 1;  ///< of all that is free, of ticket, interactive seed and randomness
  std::size_t sectors = 0; ///< window: any number; 0: as many as one partition holds
  bool envelope = false;   ///< porep: lotus' envelope around the C1 output
};

struct sparse_input {
  std::string text;     ///< the file
  input_options beside; ///< what the file does not say: read with these, its identity is checked
};

/// Actor id that sparse inputs are about, and the number of its first sector.
inline constexpr std::uint64_t sparse_actor = 1000;
inline constexpr std::uint64_t sparse_sector_number = 1;
/// The most sectors of one file: 34 KB each at 64 GiB, so that the file stays below the 1 GiB that load_job takes.
inline constexpr std::size_t max_sparse_sectors = 30'000;

/// Makes the file, reads it back and runs all vanilla checks, over `pool`.
/// Errors: bad_input; a circuit that does not exist, a number of sectors or an envelope that the kind does not have.
result<sparse_input> make_sparse_input(const sparse_request& request, thread_pool& pool);

} // namespace cuzk::filecoin
