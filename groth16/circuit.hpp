#pragma once
// A circuit as the prover and key generation see it: matrices, wires, and which points of a key its wires meet.
#include "circuits/core/compact_witness.hpp"
#include "circuits/core/matrices.hpp"
#include "groth16/key_layout.hpp"

#include <memory>
#include <string>
#include <vector>

namespace cuzk::circuits {
class circuit; // circuits/catalog.hpp
}

namespace cuzk::groth16 {

/// Which points of one array (L, A or B) the wires meet. Points lie in the key's order: inputs that occur, then aux
/// that occur, in aux order.
struct query {
  std::vector<std::uint32_t> scalar_points; ///< points that meet an input or a field wire, ascending
  std::vector<std::uint32_t> scalar_wires;  ///< their wires
  std::uint32_t points = 0;                 ///< points of the array in all
  std::uint32_t inputs = 0;                 ///< points of inputs; they come first
  const wire_density* density = nullptr;    ///< null: every aux occurs (L)

  /// Scalars of scalar_points.
  std::vector<fr> scalars(const compact_witness& w) const;
  /// Bit i: point i meets a bit wire whose value is 1. A word at a time: 130 million wires take 30 ms.
  std::vector<std::uint64_t> mask(const wire_map& wires, const compact_witness& w) const;
};

/// Immutable; shared by all proofs of the circuit.
struct circuit {
  std::string name;
  wire_map wires;
  cuzk::matrices matrices;
  key_counts counts; ///< what a key of this circuit holds
  query l, a, b;

  int lg_domain() const noexcept { return static_cast<int>(matrices.lg_domain()); }
  std::size_t domain() const noexcept { return std::size_t{1} << matrices.lg_domain(); }
};

std::shared_ptr<const circuit> make_circuit(std::string name, wire_map wires, cuzk::matrices matrices);
/// Reads a circuit of Filecoin, with its digest. Errors: internal (the rows are not those of the network); resources.
result<std::shared_ptr<const circuit>> read_circuit(const circuits::circuit& text);

} // namespace cuzk::groth16
