#pragma once
// The circuits of Filecoin by name: sizes, rows, matrices, and the witness of a vanilla partition.
#include "circuits/core/compact_witness.hpp"
#include "circuits/core/matrices.hpp"
#include "circuits/core/r1cs_counts.hpp"
#include "circuits/core/rows.hpp"
#include "circuits/core/wire_map.hpp"
#include "filecoin/names.hpp"
#include "filecoin/vanilla.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/thread_pool.hpp"

#include <memory>

namespace cuzk::circuits {

/// One circuit: a head and a number of equal parts (challenges, sectors). Immutable, shared by all threads.
class circuit {
public:
  virtual ~circuit() = default;

  const filecoin::circuit_name& name() const noexcept { return name_; }
  /// Inputs (ONE included), aux and rows (without the input rows).
  const r1cs_size& size() const noexcept { return size_; }
  const wire_map& wires() const noexcept { return wires_; }

  /// Gives all rows to the sink, in order, in this thread; memory stays bounded (some MiB).
  /// Errors: internal when the circuit read is not of the size known (the sink then has had wrong rows).
  virtual status read_rows(row_sink& sink) const = 0;

  /// Whether a partition can fill this circuit: kind, counts, field range of every digest the circuit takes. Merkle
  /// paths and challenges are not looked at. Errors: bad_input, naming the place.
  virtual status check(const filecoin::vanilla_partition& partition) const = 0;

  /// The witness of a partition; parts are filled in parallel. Memory: wires().counts() says it all (32 bytes a field
  /// element, one bit a bit). Values that satisfy no circuit (a wrong path) give a witness that breaks rows, not an
  /// error. Errors: as check(); resources.
  virtual result<compact_witness> witness(const filecoin::vanilla_partition& partition, thread_pool& pool) const = 0;

  /// Expected entries of the matrices, to reserve memory: exact, from head and one part.
  virtual r1cs_counts entry_counts() const = 0;

protected:
  explicit circuit(const filecoin::circuit_name& name) : name_(name) {}
  filecoin::circuit_name name_;
  r1cs_size size_;
  wire_map wires_;
};

/// The circuit of a name: reads its head and one part for their size, some 10 ms for the small sectors and 0.3 s for
/// porep-32g; keep it. Errors: bad_input when there is no such circuit.
result<std::shared_ptr<const circuit>> find_circuit(const filecoin::circuit_name& name);

/// What building can give besides the matrices.
struct built {
  cuzk::matrices matrices; ///< with the digest when asked for
  r1cs_counts counts;
};

/// Whether the R1CS digest is computed too. It costs most of the time (see circuits/README.md).
enum class with_digest : bool { no, yes };

/// Reads all rows once into matrices. Errors: internal; resources.
result<built> build_matrices(const circuit& which, with_digest digest);

} // namespace cuzk::circuits
