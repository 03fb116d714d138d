#include "circuits/parted_circuit.hpp"

#include <algorithm>

namespace cuzk::circuits {
namespace {

template <class T>
T along(T head, T head_and_part, std::uint64_t parts) {
  return static_cast<T>(head + parts * (head_and_part - head));
}

} // namespace

r1cs_size extended(const r1cs_size& head, const r1cs_size& one_part, std::uint64_t parts) {
  return {along(head.inputs, one_part.inputs, parts), along(head.aux, one_part.aux, parts),
          along(head.rows, one_part.rows, parts)};
}

wire_counts extended(const wire_counts& head, const wire_counts& one_part, std::uint32_t parts) {
  return {along(head.inputs, one_part.inputs, parts), along(head.fields, one_part.fields, parts),
          along(head.bits, one_part.bits, parts)};
}

r1cs_counts extended(const r1cs_counts& head, const r1cs_counts& one_part, std::uint64_t parts) {
  r1cs_counts out;
  out.inputs = along(head.inputs, one_part.inputs, parts);
  out.aux = along(head.aux, one_part.aux, parts);
  out.rows = along(head.rows, one_part.rows, parts);
  out.nnz_a = along(head.nnz_a, one_part.nnz_a, parts);
  out.nnz_b = along(head.nnz_b, one_part.nnz_b, parts);
  out.nnz_c = along(head.nnz_c, one_part.nnz_c, parts);
  return out;
}

wire_map extended(const wire_map& head, const wire_map& one_part, std::uint32_t parts) {
  wire_map out = head;
  const auto head_aux = head.counts().aux();
  for (std::uint32_t i = 0; i < parts; ++i)
    for (const auto& run : one_part.runs())
      if (run.first_aux + run.count > head_aux)
        out.append(run.kind, run.first_aux + run.count - std::max(run.first_aux, head_aux));
  out.set_inputs(along(head.counts().inputs, one_part.counts().inputs, parts));
  return out;
}

} // namespace cuzk::circuits
