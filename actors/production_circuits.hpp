#pragma once
// The circuits of a real node, made when first asked for, with the memory that work on them takes.
#include "circuits/catalog.hpp"
#include "groth16/backend.hpp"
#include "messages/work.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <string>

namespace cuzk {

/// One circuit and its needs.
struct known_circuit {
  std::shared_ptr<const circuits::circuit> circuit;
  work_need need;
};

/// Safe to ask from any thread. Two that ask at once for a new circuit may both make it; one is kept.
class circuit_table {
public:
  circuit_table(const groth16::backend& backend, groth16::derived_use derived) : backend_(backend), derived_(derived) {}

  /// Errors: bad_input, when there is no such circuit.
  result<std::shared_ptr<const known_circuit>> find(const filecoin::circuit_name& name);
  result<std::shared_ptr<const known_circuit>> find(const std::string& name);

private:
  static constexpr std::size_t slots = std::size(filecoin::all_proof_kinds) * std::size(filecoin::all_sector_sizes);
  const groth16::backend& backend_; // outlives the table
  groth16::derived_use derived_;
  std::array<std::atomic<std::shared_ptr<const known_circuit>>, slots> known_;
};

} // namespace cuzk
