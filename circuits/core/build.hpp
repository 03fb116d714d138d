#pragma once
// From a circuit's text to its matrices or its witness, for circuits that fit a test: whole, in one thread.
// The circuits of Filecoin go through circuits/catalog.hpp.
#include "circuits/core/compact_witness.hpp"
#include "circuits/core/matrix_builder.hpp"
#include "circuits/core/r1cs_counts.hpp"
#include "circuits/core/r1cs_digest.hpp"
#include "circuits/core/shape_reader.hpp"
#include "circuits/core/witness_reader.hpp"
#include "circuits/core/witness_storage.hpp"

#include <utility>

namespace cuzk::circuits {

struct built_circuit {
  r1cs_counts counts;
  wire_map wires;
  cuzk::matrices matrices;
};

/// @param circuit called as circuit(reader), with a shape_reader, twice: sizes first, then rows.
/// Errors: internal (circuit differs between the two readings; too many distinct coefficients).
template <class F>
result<built_circuit> build_circuit(F&& circuit) {
  shape_reader sizes(nullptr);
  circuit(sizes);
  r1cs_digest hash(sizes.size());
  r1cs_counter counter;
  matrix_builder builder(sizes.wires(), {sizes.size().rows});
  row_tee tee({&hash, &counter, &builder});
  shape_reader rows(&tee);
  circuit(rows);
  CUZK_TRY(name, hash.finish(rows.size()));
  CUZK_TRY(m, builder.finish());
  m.hash = name;
  return built_circuit{counter.counts(rows.size()), rows.wires(), std::move(m)};
}

/// @param circuit called as circuit(reader), with a witness_reader, once. @param counts as the shape reader found them.
/// Errors: internal when the circuit allocates other numbers of variables.
template <class F>
result<compact_witness> build_witness(const wire_counts& counts, F&& circuit) {
  witness_storage storage(counts);
  witness_reader reader(storage.range({1, 0, 0}, counts));
  circuit(reader);
  if (!reader.finish())
    return internal_error("the witness does not have the variables of its circuit");
  return std::move(storage).finish();
}

} // namespace cuzk::circuits
