#include "actors/production_circuits.hpp"

#include "groth16/circuit.hpp"

namespace cuzk {
namespace {

constexpr std::uint64_t mib = 1ull << 20;

/// Bytes of the matrices: five an entry, and per row its length with its share of the block tables.
std::uint64_t matrix_bytes(const r1cs_counts& counts) {
  return 5 * (counts.nnz_a + counts.nnz_b + counts.nnz_c) + 4 * 3 * counts.rows / 2;
}

/// Points that meet field wires are listed with their wires: eight bytes each, in L, A and B.
std::uint64_t query_bytes(const wire_counts& wires) {
  return 3 * 8 * (std::uint64_t{wires.inputs} + wires.fields);
}

/// A parsed input holds some kilobytes a challenge: 6 MiB at most for a small sector, and 64 MiB for the largest, whose
/// files have 60 MB.
std::uint64_t input_bytes(const filecoin::circuit_name& name) {
  return filecoin::bytes_of(name.size) >= (1ull << 29) ? 128 * mib : 16 * mib;
}

work_need need_of(const circuits::circuit& circuit, const groth16::backend& backend, groth16::derived_use derived) {
  const auto& wires = circuit.wires().counts();
  // The backend counts by the size of the domain, which is known without the matrices.
  cuzk::matrices sizes;
  sizes.wires = wires;
  sizes.circuit_rows = circuit.size().rows;
  groth16::circuit hollow;
  hollow.matrices = sizes;
  work_need need;
  need.prepare.host = input_bytes(circuit.name());
  need.witness.host = 32ull * (wires.inputs + wires.fields) + wires.bits / 8 + mib;
  need.keep.host = 32ull * wires.inputs + 4096;
  const auto prove = backend.need(hollow, derived);
  need.prove = {prove.host_bytes + prove.pinned_bytes, 0, 0}; // memory of a device is refused by its lane
  need.key.host = matrix_bytes(circuit.entry_counts()) + query_bytes(wires);
  return need;
}

} // namespace

result<std::shared_ptr<const known_circuit>> circuit_table::find(const filecoin::circuit_name& name) {
  const auto index =
    static_cast<std::size_t>(name.kind) * std::size(filecoin::all_sector_sizes) + static_cast<std::size_t>(name.size);
  auto& slot = known_[index];
  if (auto known = slot.load())
    return known;
  CUZK_TRY(circuit, circuits::find_circuit(name));
  auto made = std::make_shared<const known_circuit>(known_circuit{circuit, need_of(*circuit, backend_, derived_)});
  slot.store(made);
  return made;
}

result<std::shared_ptr<const known_circuit>> circuit_table::find(const std::string& name) {
  CUZK_TRY(parsed, filecoin::parse_circuit_name(name));
  return find(parsed);
}

} // namespace cuzk
