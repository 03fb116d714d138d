#pragma once
// What `cuzk circuit info` says of a circuit.
#include "circuits/catalog.hpp"

#include <cstdint>
#include <string>

namespace cuzk::circuits {

/// Everything fixed by a circuit's rows. Names of the JSON members are those of the reference vectors.
struct circuit_info {
  filecoin::circuit_name name;
  r1cs_counts counts;
  digest hash{}; ///< computed from the rows, not looked up
  std::uint64_t domain_size = 0;
  std::string params_file;         ///< "v28-….params"
  std::uint64_t params_bytes = 0;  ///< size of that file
  std::uint64_t vk_bytes = 0;      ///< size of the .vk beside it
  std::uint64_t witness_bytes = 0; ///< compact witness of one partition
};

/// Reads all rows: 1.5 s for porep-2k, a minute and more for the 32 GiB circuits; bounded memory.
/// Errors: as read_rows.
result<circuit_info> info_of(const circuit& which);

/// One line `name: value` each, for people.
std::string to_text(const circuit_info& info);
/// One JSON object: name, inputs, aux, rows, nnz_a … b_aux_density, hash, domain_size, params_file, params_bytes,
/// vk_bytes, witness_bytes.
std::string to_json(const circuit_info& info);

} // namespace cuzk::circuits
