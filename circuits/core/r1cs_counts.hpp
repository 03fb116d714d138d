#pragma once
// How large a circuit is and which variables occur where: what fixes the lengths of a key file.
#include "circuits/core/rows.hpp"

#include <cstdint>
#include <vector>

namespace cuzk {

/// Sizes without the input rows. Densities count variables that occur in A or B with a non-zero coefficient.
struct r1cs_counts {
  std::uint64_t inputs = 0; ///< ONE included
  std::uint64_t aux = 0;
  std::uint64_t rows = 0;
  std::uint64_t nnz_a = 0, nnz_b = 0, nnz_c = 0;
  std::uint64_t a_aux_density = 0, b_input_density = 0, b_aux_density = 0;
  friend bool operator==(const r1cs_counts&, const r1cs_counts&) = default;
};

/// A set of indexes that grows as it is asked to.
class index_set {
public:
  void insert(std::uint32_t index) {
    if (index / 64 >= words_.size())
      words_.resize(index / 64 + 1 + words_.size() / 2);
    words_[index / 64] |= std::uint64_t(1) << (index % 64);
  }
  std::uint64_t count() const noexcept;
  bool has(std::uint32_t index) const noexcept {
    return index / 64 < words_.size() && (words_[index / 64] >> (index % 64) & 1) != 0;
  }

private:
  std::vector<std::uint64_t> words_;
};

/// Counts terms and notes which variables occur, a bit each.
class r1cs_counter : public row_sink {
public:
  void row(const r1cs_row& row, const coefficient_pool& pool) override;
  r1cs_counts counts(const r1cs_size& size) const;
  const index_set& a_aux() const noexcept { return a_aux_; }
  const index_set& b_aux() const noexcept { return b_aux_; }
  const index_set& b_inputs() const noexcept { return b_inputs_; }

private:
  std::uint64_t nnz_a_ = 0, nnz_b_ = 0, nnz_c_ = 0;
  index_set a_aux_, b_aux_, b_inputs_;
};

/// Gives every row to several sinks, in order.
class row_tee : public row_sink {
public:
  explicit row_tee(std::vector<row_sink*> sinks) : sinks_(std::move(sinks)) {}
  void row(const r1cs_row& row, const coefficient_pool& pool) override {
    for (auto* sink : sinks_)
      sink->row(row, pool);
  }

private:
  std::vector<row_sink*> sinks_;
};

} // namespace cuzk
