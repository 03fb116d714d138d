#include "circuits/catalog.hpp"

#include "circuits/core/matrix_builder.hpp"
#include "circuits/core/r1cs_digest.hpp"
#include "circuits/parted_circuit.hpp"
#include "circuits/partition_check.hpp"
#include "circuits/porep/porep_circuit.hpp"
#include "circuits/post/post_circuit.hpp"
#include "circuits/snap/snap_circuit.hpp"

namespace cuzk::circuits {
namespace {

using filecoin::proof_kind;

std::shared_ptr<const circuit> make_porep(const filecoin::circuit_name& name, const filecoin::sector_shape& shape) {
  auto check = [&shape](const filecoin::porep_partition& p) { return check_partition(shape, p); };
  return std::make_shared<parted_circuit<porep_circuit, decltype(check)>>(name, check, shape);
}

std::shared_ptr<const circuit> make_post(const filecoin::circuit_name& name, const filecoin::sector_shape& shape) {
  const auto& post = name.kind == proof_kind::winning ? shape.winning : shape.window;
  auto check = [&shape, &post](const filecoin::post_partition& p) { return check_partition(shape.tree, post, p); };
  return std::make_shared<parted_circuit<post_circuit, decltype(check)>>(name, check, shape.tree, post);
}

std::shared_ptr<const circuit> make_snap(const filecoin::circuit_name& name, const filecoin::sector_shape& shape) {
  auto check = [&shape](const filecoin::snap_partition& p) { return check_partition(shape, p); };
  return std::make_shared<parted_circuit<snap_circuit, decltype(check)>>(name, check, shape);
}

} // namespace

result<std::shared_ptr<const circuit>> find_circuit(const filecoin::circuit_name& name) {
  const auto& shape = filecoin::shape_of(name.size);
  switch (name.kind) {
  case proof_kind::porep: return make_porep(name, shape);
  case proof_kind::winning:
  case proof_kind::window: return make_post(name, shape);
  case proof_kind::snap:
    if (shape.snap.partitions != 0)
      return make_snap(name, shape);
    break;
  }
  return bad_input({}, "there is no circuit " + to_string(name));
}

result<built> build_matrices(const circuit& which, with_digest digest) {
  try {
    const auto expected = which.entry_counts();
    matrix_builder builder(which.wires(), {expected.rows, expected.nnz_a, expected.nnz_b, expected.nnz_c});
    r1cs_counter counter;
    r1cs_digest hash(which.size());
    std::vector<row_sink*> sinks = {&builder, &counter};
    if (digest == with_digest::yes)
      sinks.push_back(&hash);
    row_tee tee(std::move(sinks));
    CUZK_CHECK(which.read_rows(tee));
    CUZK_TRY(m, builder.finish());
    if (digest == with_digest::yes) {
      CUZK_TRY(value, hash.finish(which.size()));
      m.hash = value;
    }
    return built{std::move(m), counter.counts(which.size())};
  } catch (const std::bad_alloc&) {
    return error{errc::resources, "no memory for the matrices of " + to_string(which.name())};
  }
}

} // namespace cuzk::circuits
