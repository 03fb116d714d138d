#pragma once
// The full test of a key file: digest, and every point for range, curve and subgroup. Once per file, remembered.
#include "groth16/proving_key.hpp"
#include "runtime/base/thread_pool.hpp"

#include <atomic>
#include <functional>
#include <string>
#include <string_view>

namespace cuzk::groth16 {

struct key_check_options {
  thread_pool& pool;
  std::string memory_path; ///< file of checked_files; empty: nothing is remembered
  bool again = false;      ///< also where the file has passed before
  const std::atomic<bool>* stop = nullptr;
  /// Told what is read and how much of all of it, 0 to 1.
  std::function<void(std::string_view what, double done)> told = [](std::string_view, double) {};
};

/// What a file that passed is.
struct key_check {
  std::string digest;      ///< BLAKE2b-512 of the .params file, first 16 bytes, hex: as in parameters.json
  bool remembered = false; ///< nothing was read: the file has passed before
};

/// Checks the arrays of a key (its vk was checked when it was opened) and of the derived key beside it. The subgroup
/// test is random: a bad point passes with probability 2^-65 (math/subgroup_batch.hpp).
/// Cost on one core: 1 s a GiB for the digest, 0.7 us a point in G1 and 2 us in G2 with AVX-512 IFMA.
/// Errors: params ("….params: section h, point 1000: is not on the curve"); cancelled. A memory that cannot be written
/// is no error: the next start checks again.
result<key_check> check_key(const proving_key& key, const key_check_options& options);

/// BLAKE2b-512 of a file, first 16 bytes, hex. Errors: cancelled.
result<std::string> digest_of_file(const mapped_file& file, const key_check_options& options);

} // namespace cuzk::groth16
