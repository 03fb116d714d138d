#pragma once
// Job files of a sector that is really sealed.
#include "filecoin/input.hpp"
#include "filecoin/sealing.hpp"

#include <optional>
#include <string>

namespace cuzk::filecoin {

/// What is sealed and for whom. Equal requests give equal files.
struct sealed_request {
  sector_size size = sector_size::k2;
  api_version api = api_version::v1_1_0;
  porep_feature feature = porep_feature::interactive;
  std::uint64_t actor = 1000, sector = 1;
  std::uint64_t seed = 1; ///< of ticket, interactive seed, randomness, the update's data and, without `data`, the data
  std::optional<bytes> data; ///< of the user; zeros follow. At most 127/128 of the sector
};

struct sealed_files {
  digest replica_id{}, comm_d{}, comm_r{};
  std::string c1, envelope;        ///< C1 output alone, and with lotus' envelope around it
  std::string winning, window;     ///< PoSt jobs about this one sector
  std::optional<std::string> snap; ///< other data in the sector; empty where there is no such circuit
  input_options beside;            ///< what the C1 output does not say
};

/// Seals, makes the proofs, reads every file back and runs all vanilla checks. Memory: about 25 times the sector.
/// Errors: bad_input; a sector above 512 MiB, too much data.
result<sealed_files> make_sealed_files(const sealed_request& request, thread_pool& pool);

} // namespace cuzk::filecoin
