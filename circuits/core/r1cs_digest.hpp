#pragma once
// The digest that names a circuit: BLAKE2s-256 over sizes and rows, the same as the reference's test constraint system
// prints. Source: bellpepper-core, util_cs/test_cs.rs.
#include "circuits/core/rows.hpp"
#include "math/hash/blake2.hpp"
#include "math/hash/digest.hpp"
#include "runtime/base/error.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace cuzk {

/// Hashes rows as they come. The sizes stand at the front, so they are given before the first row and checked at the
/// end. Format: u64 inputs, aux, rows; per row and side u64 terms; per term 'I' or 'A', u64 index, 32 bytes
/// coefficient; all big endian.
class r1cs_digest : public row_sink {
public:
  explicit r1cs_digest(const r1cs_size& promised);

  void row(const r1cs_row& row, const coefficient_pool& pool) override;
  /// Errors: internal when the circuit was not of the promised size.
  result<digest> finish(const r1cs_size& actual);

private:
  r1cs_size promised_;
  blake2s hash_;
  std::vector<std::uint8_t> buffer_;
};

/// Digests of the first n rows alone, without the sizes, for chosen n: to find where two circuits part.
class r1cs_prefix_digests : public row_sink {
public:
  /// @param rows in any order.
  explicit r1cs_prefix_digests(std::span<const std::uint64_t> rows);

  void row(const r1cs_row& row, const coefficient_pool& pool) override;
  /// By number of rows; those beyond the circuit's end are missing.
  const std::map<std::uint64_t, digest>& digests() const noexcept { return digests_; }

private:
  std::vector<std::uint64_t> wanted_; // descending
  std::uint64_t rows_ = 0;
  blake2s hash_;
  std::vector<std::uint8_t> buffer_;
  std::map<std::uint64_t, digest> digests_;
};

} // namespace cuzk
