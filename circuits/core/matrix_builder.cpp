#include "circuits/core/matrix_builder.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace cuzk {

struct matrix_builder::csr {
  std::vector<std::uint8_t> row_lengths;
  std::vector<std::uint64_t> block_entry;
  std::vector<std::uint32_t> block_long, long_rows, columns;
  std::vector<std::uint8_t> codes;

  void reserve(std::uint64_t rows, std::uint64_t entries) {
    row_lengths.reserve(rows);
    block_entry.reserve(rows / sparse_matrix::rows_per_block + 2);
    block_long.reserve(rows / sparse_matrix::rows_per_block + 2);
    columns.reserve(entries);
    codes.reserve(entries);
  }
  void mark_block() {
    block_entry.push_back(columns.size());
    block_long.push_back(static_cast<std::uint32_t>(long_rows.size()));
  }
  sparse_matrix view() const { return {row_lengths, block_entry, block_long, long_rows, columns, codes}; }
};

struct matrix_builder::storage {
  csr a, b, c;
  std::vector<fr> coefficients;
  std::vector<std::uint64_t> a_density, b_density;
};

namespace {

std::size_t mask_words(std::uint32_t wires) {
  return (std::size_t(wires) + 63) / 64;
}

wire_density density_of(const std::vector<std::uint64_t>& mask, std::uint32_t inputs) {
  wire_density out{mask, 0, 0};
  for (std::uint32_t w = 0; w < inputs; ++w)
    out.inputs += out.has(w);
  for (const auto word : mask)
    out.aux += static_cast<std::uint32_t>(std::popcount(word));
  out.aux -= out.inputs;
  return out;
}

} // namespace

matrix_builder::matrix_builder(const wire_map& wires, const matrix_sizes& sizes)
  : wires_(wires), column_bits_(static_cast<unsigned>(std::bit_width(wires.counts().total()))),
    out_(std::make_shared<storage>()) {
  out_->a.reserve(sizes.rows, sizes.a);
  out_->b.reserve(sizes.rows, sizes.b);
  out_->c.reserve(sizes.rows, sizes.c);
  out_->a_density.resize(mask_words(wires.counts().total()));
  out_->b_density.resize(mask_words(wires.counts().total()));
}

matrix_builder::~matrix_builder() = default;

std::uint32_t matrix_builder::wire_of(variable v) {
  const auto index = index_of(v);
  const auto& counts = wires_.counts();
  if (index >= (is_aux(v) ? counts.aux() : counts.inputs)) {
    unknown_variable_ = true;
    return 0;
  }
  if (!is_aux(v))
    return index;
  run_hint_ = wires_.run_of_aux(index, run_hint_);
  const auto& run = wires_.runs()[run_hint_];
  return wires_.first_wire(run) + (index - run.first_aux);
}

// Until finish() the codes are the pool's ids.
void matrix_builder::add_side(csr& m, std::span<const term> side, const coefficient_pool& pool,
                              std::vector<std::uint64_t>* density) {
  if (m.row_lengths.size() % sparse_matrix::rows_per_block == 0)
    m.mark_block();
  const bool is_long = side.size() >= sparse_matrix::long_row;
  m.row_lengths.push_back(is_long ? sparse_matrix::long_row : static_cast<std::uint8_t>(side.size()));
  if (is_long)
    m.long_rows.push_back(static_cast<std::uint32_t>(side.size()));
  for (const auto& t : side) {
    const auto wire = wire_of(t.var);
    if (t.coefficient >> 8 >> (32 - column_bits_) != 0)
      too_many_coefficients_ = true;
    note_use(t.coefficient, pool);
    m.columns.push_back(static_cast<std::uint32_t>(wire | std::uint64_t(t.coefficient >> 8) << column_bits_));
    m.codes.push_back(static_cast<std::uint8_t>(t.coefficient));
    if (density)
      (*density)[wire / 64] |= std::uint64_t(1) << (wire % 64);
  }
}

void matrix_builder::note_use(coefficient_id id, const coefficient_pool& pool) {
  if (id >= coefficients_.size())
    coefficients_.resize(id + 1);
  if (coefficients_[id].uses++ == 0)
    coefficients_[id].value = pool.value(id);
}

void matrix_builder::row(const r1cs_row& row, const coefficient_pool& pool) {
  add_side(out_->a, row.a, pool, &out_->a_density);
  add_side(out_->b, row.b, pool, &out_->b_density);
  add_side(out_->c, row.c, pool, nullptr);
}

// 1 and -1 have the codes 0 and 1 in every circuit; the rest follow by falling use, and what is never used has none.
std::vector<std::uint32_t> matrix_builder::assign_codes() {
  out_->coefficients = {fr::one(), -fr::one()};
  std::vector<std::uint32_t> code_of(coefficients_.size());
  std::vector<coefficient_id> others;
  for (coefficient_id id = 0; id < coefficients_.size(); ++id) {
    const auto& c = coefficients_[id];
    if (c.uses != 0 && c.value != out_->coefficients[0] && c.value != out_->coefficients[1])
      others.push_back(id);
    else
      code_of[id] = c.value == out_->coefficients[1];
  }
  std::stable_sort(others.begin(), others.end(),
                   [&](auto x, auto y) { return coefficients_[x].uses > coefficients_[y].uses; });
  for (const auto id : others) {
    code_of[id] = static_cast<std::uint32_t>(out_->coefficients.size());
    out_->coefficients.push_back(coefficients_[id].value);
  }
  return code_of;
}

result<matrices> matrix_builder::finish() {
  if (unknown_variable_)
    return internal_error("a row uses a variable that the circuit's wire map does not have");
  if (too_many_coefficients_)
    return internal_error("more distinct coefficients than " +
                          std::to_string(std::uint64_t(256) << (32 - column_bits_)));
  const auto code_of = assign_codes();
  matrices out;
  out.wires = wires_.counts();
  out.circuit_rows = out_->a.row_lengths.size();
  out.column_bits = column_bits_;
  for (auto* m : {&out_->a, &out_->b, &out_->c}) {
    m->mark_block();
    for (std::size_t e = 0; e < m->columns.size(); ++e) {
      const auto code = code_of[out.code_of(m->columns[e], m->codes[e])];
      m->columns[e] = static_cast<std::uint32_t>(out.wire_of(m->columns[e]) | std::uint64_t(code >> 8) << column_bits_);
      m->codes[e] = static_cast<std::uint8_t>(code);
    }
  }
  out.coefficients = out_->coefficients;
  out.a = out_->a.view();
  out.b = out_->b.view();
  out.c = out_->c.view();
  out.a_density = density_of(out_->a_density, out.wires.inputs);
  out.b_density = density_of(out_->b_density, out.wires.inputs);
  out.owner = std::move(out_);
  return out;
}

} // namespace cuzk
