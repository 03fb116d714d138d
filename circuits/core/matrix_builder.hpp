#pragma once
// Builds the compact matrices of a circuit from its rows, in one pass.
#include "circuits/core/matrices.hpp"
#include "circuits/core/rows.hpp"
#include "circuits/core/wire_map.hpp"
#include "runtime/base/error.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace cuzk {

/// Expected entries of A, B and C and rows: storage is taken once, so that nothing is copied while it grows. A wrong
/// guess costs time only.
struct matrix_sizes {
  std::uint64_t rows = 0;
  std::uint64_t a = 0, b = 0, c = 0;
};

/// Takes the rows of a circuit whose wires are known already.
class matrix_builder : public row_sink {
public:
  /// @param wires of the whole circuit; must outlive the builder.
  matrix_builder(const wire_map& wires, const matrix_sizes& sizes);
  ~matrix_builder() override;

  void row(const r1cs_row& row, const coefficient_pool& pool) override;
  /// The matrices; the builder is empty afterwards. The digest is left for the caller.
  /// Errors: internal when a row names a variable that the wires do not have, or there are more distinct coefficients
  /// than code and column bits can tell apart.
  result<matrices> finish();

private:
  struct storage;
  struct csr;
  void add_side(csr& m, std::span<const term> side, const coefficient_pool& pool, std::vector<std::uint64_t>* density);
  void note_use(coefficient_id id, const coefficient_pool& pool);
  std::vector<std::uint32_t> assign_codes();
  std::uint32_t wire_of(variable v);

  const wire_map& wires_;
  unsigned column_bits_;
  std::shared_ptr<storage> out_;
  struct coefficient {
    std::uint64_t uses = 0;
    fr value{};
  };
  std::vector<coefficient> coefficients_; // by id
  std::size_t run_hint_ = 0;
  bool unknown_variable_ = false;
  bool too_many_coefficients_ = false;
};

} // namespace cuzk
