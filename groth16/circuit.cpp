#include "groth16/circuit.hpp"

#include "circuits/catalog.hpp"
#include "circuits/known_digests.hpp"
#include "groth16/select_bits.hpp"

#include <algorithm>
#include <bit>

namespace cuzk::groth16 {

std::vector<fr> query::scalars(const compact_witness& w) const {
  std::vector<fr> out(scalar_wires.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = w.wire(scalar_wires[i]);
  return out;
}

std::vector<std::uint64_t> query::mask(const wire_map& wires, const compact_witness& w) const {
  bit_string out(points);
  out.skip(inputs);
  for (const auto& run : wires.runs()) {
    const std::uint64_t first_wire = wires.first_wire(run);
    for (std::uint64_t i = 0; i < run.count; i += 64) {
      const auto count = static_cast<unsigned>(std::min<std::uint64_t>(64, run.count - i));
      std::uint64_t there = ~std::uint64_t{0} >> (64 - count);
      if (density != nullptr)
        there &= bits_at(density->mask, first_wire + i);
      const auto kept = static_cast<unsigned>(std::popcount(there));
      if (run.kind == wire_kind::bit)
        out.append(gather_bits(bits_at(w.bits(), run.first + i), there), kept);
      else
        out.skip(kept);
    }
  }
  return std::move(out).finish();
}

namespace {

query make_query(const wire_map& wires, const wire_density* density, bool all_inputs) {
  query out;
  out.density = density;
  const auto add = [&](std::uint32_t wire) {
    out.scalar_points.push_back(out.points++);
    out.scalar_wires.push_back(wire);
  };
  for (std::uint32_t i = 0; i < wires.counts().inputs; ++i)
    if (density != nullptr && (all_inputs || density->has(i)))
      add(i);
  out.inputs = out.points;
  for (const auto& run : wires.runs()) {
    const std::uint32_t first_wire = wires.first_wire(run);
    for (std::uint32_t i = 0; i < run.count; ++i) {
      if (density != nullptr && !density->has(first_wire + i))
        continue;
      if (run.kind == wire_kind::field)
        add(first_wire + i);
      else
        ++out.points;
    }
  }
  return out;
}

} // namespace

std::shared_ptr<const circuit> make_circuit(std::string name, wire_map wires, cuzk::matrices matrices) {
  auto out = std::make_shared<circuit>();
  out->name = std::move(name);
  out->wires = std::move(wires);
  out->matrices = std::move(matrices);
  out->l = make_query(out->wires, nullptr, false);
  out->a = make_query(out->wires, &out->matrices.a_density, true);
  out->b = make_query(out->wires, &out->matrices.b_density, false);
  out->counts = {out->wires.counts().inputs,
                 out->domain() - 1,
                 out->wires.counts().aux(),
                 out->a.points,
                 out->b.points,
                 out->b.points};
  return out;
}

result<std::shared_ptr<const circuit>> read_circuit(const circuits::circuit& text) {
  CUZK_TRY(built, circuits::build_matrices(text, circuits::with_digest::yes));
  const auto known = circuits::known_digest(text.name());
  if (known && built.matrices.hash != *known)
    return internal_error("the rows of " + to_string(text.name()) + " are not those of the network: their digest is " +
                          to_hex(built.matrices.hash));
  return make_circuit(to_string(text.name()), text.wires(), std::move(built.matrices));
}

} // namespace cuzk::groth16
