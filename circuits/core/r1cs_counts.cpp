#include "circuits/core/r1cs_counts.hpp"

#include <bit>

namespace cuzk {

std::uint64_t index_set::count() const noexcept {
  std::uint64_t n = 0;
  for (const auto word : words_)
    n += static_cast<std::uint64_t>(std::popcount(word));
  return n;
}

void r1cs_counter::row(const r1cs_row& row, const coefficient_pool&) {
  nnz_a_ += row.a.size();
  nnz_b_ += row.b.size();
  nnz_c_ += row.c.size();
  for (const auto& t : row.a)
    if (is_aux(t.var))
      a_aux_.insert(index_of(t.var));
  for (const auto& t : row.b)
    (is_aux(t.var) ? b_aux_ : b_inputs_).insert(index_of(t.var));
}

r1cs_counts r1cs_counter::counts(const r1cs_size& size) const {
  return {size.inputs, size.aux, size.rows, nnz_a_, nnz_b_, nnz_c_, a_aux_.count(), b_inputs_.count(), b_aux_.count()};
}

} // namespace cuzk
