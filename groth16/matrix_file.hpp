#pragma once
// Matrices of a circuit as a file that is mapped instead of read: a restart does not read the rows again.
#include "groth16/circuit.hpp"

#include <string>

namespace cuzk::groth16 {

/// What a file of matrices must be of.
struct matrix_key {
  wire_counts wires;
  std::uint64_t circuit_rows = 0;
  digest hash{}; ///< of all rows
};

/// Writes the matrices, whole or not at all. The file: 4096 bytes of head (magic "cuzkmtx1", version, column bits, R1CS
/// digest, counts, the number of elements of each array, BLAKE2b-256 of what follows the head, BLAKE2b-256 of the head
/// so far), then the arrays in little endian as they lie in memory, each at a multiple of 64 bytes.
/// Errors: resources.
status write_matrices(const matrices& m, const std::string& path);

/// Maps a file of matrices. The first time a file is seen, digest and structure are checked in full (about 2 s a GiB)
/// and that is remembered in `memory_path` (groth16/checked_files.hpp; empty: nothing is remembered); later it is
/// mapped at once. Errors: params: missing, of another version or circuit, damaged.
result<matrices> read_matrices(const std::string& path, const matrix_key& expected, const std::string& memory_path);

/// A circuit of Filecoin with its matrices from `cache_dir`/<name>.matrices; they are built and kept there when the
/// file is missing, damaged or of other rows. A file that cannot be written (full disk) costs the next start its time
/// and nothing else. Errors: internal (the rows are not those of the network); resources.
result<std::shared_ptr<const circuit>> load_circuit(const circuits::circuit& text, const std::string& cache_dir);

} // namespace cuzk::groth16
