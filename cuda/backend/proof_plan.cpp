#include "cuda/backend/proof_plan.hpp"

#include <algorithm>

namespace cuzk::cuda {
namespace {

constexpr std::size_t alignment = 256;

std::size_t aligned(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// Hands out places one after another.
class places {
public:
  std::size_t take(std::size_t bytes) {
    const auto at = at_;
    at_ += aligned(bytes);
    return at;
  }
  std::size_t taken() const { return at_; }

private:
  std::size_t at_ = 0;
};

std::size_t jacobian_bytes(curve_group group) {
  return group == curve_group::g1 ? sizeof(g1) : sizeof(g2);
}

result<array_plan> plan_array(curve_group group, std::size_t scalars, std::size_t bits, const device_shape& device,
                              std::size_t max_scratch, places& results) {
  array_plan p;
  p.group = group;
  p.scalars = static_cast<std::uint32_t>(scalars);
  p.bits = static_cast<std::uint32_t>(bits);
  if (scalars > 0) {
    CUZK_TRY(msm, plan_msm({group, scalars, device.multiprocessors, max_scratch}));
    p.msm = std::move(msm);
    p.msm_ends = results.take(static_cast<std::size_t>(p.msm.ends()) * jacobian_bytes(group));
  }
  if (bits > 0) {
    CUZK_TRY(masked, plan_masked(group, bits, device.multiprocessors));
    p.masked = masked;
    p.masked_sum = results.take(jacobian_bytes(group));
  }
  return p;
}

stream_scratch scratch_of(std::initializer_list<const array_plan*> arrays) {
  std::size_t mask = 0, scalars = 0, work = 0;
  for (const auto* a : arrays) {
    mask = std::max(mask, 4 * a->mask_words());
    scalars = std::max(scalars, a->scalars * sizeof(fr));
    work = std::max(work, a->scratch_bytes());
  }
  places at;
  stream_scratch out;
  out.mask = at.take(mask);
  out.scalars = at.take(scalars);
  out.work = at.take(work);
  out.bytes = at.taken();
  return out;
}

std::size_t bytes_of(const sparse_matrix& m) {
  return aligned(m.row_lengths.size_bytes()) + aligned(m.block_entry.size_bytes()) +
         aligned(m.block_long.size_bytes()) + aligned(m.long_rows.size_bytes()) + aligned(m.columns.size_bytes()) +
         aligned(m.codes.size_bytes());
}

/// Matrices, coefficients, and for A and B wires of the scalars and the choice of bits.
std::size_t matrix_bytes_of(const groth16::circuit& of, bool derived) {
  const auto& m = of.matrices;
  const std::size_t bit_words = (std::size_t{of.wires.counts().bits} + 31) / 32;
  return bytes_of(m.a) + bytes_of(m.b) + (derived ? 0 : bytes_of(m.c)) + aligned(m.coefficients.size_bytes()) +
         aligned(4 * of.a.scalar_wires.size()) + aligned(4 * of.b.scalar_wires.size()) + 4 * aligned(4 * bit_words);
}

} // namespace

std::size_t array_plan::scratch_bytes() const {
  return std::max(scalars > 0 ? msm.scratch_bytes : 0, bits > 0 ? masked.scratch_bytes : 0);
}

result<proof_plan> plan_proof(const groth16::circuit& of, bool derived, const device_shape& device) {
  proof_plan p;
  p.derived = derived;
  p.lg = of.lg_domain();
  p.wires = of.wires.counts();
  places results;
  const auto query = [&](curve_group group, const groth16::query& q, std::size_t more, std::size_t max_scratch) {
    return plan_array(group, q.scalar_points.size() + more, q.points - q.scalar_points.size(), device, max_scratch,
                      results);
  };
  const std::size_t large = device.memory_bytes / 10 * 3, small = device.memory_bytes / 10;
  const std::size_t h_points = derived ? of.domain() : static_cast<std::size_t>(of.counts.h);
  CUZK_TRY(h, plan_array(curve_group::g1, h_points, 0, device, large, results));
  CUZK_TRY(l, query(curve_group::g1, of.l, derived ? p.wires.inputs : 0, small));
  CUZK_TRY(a, query(curve_group::g1, of.a, 0, small));
  CUZK_TRY(b1, query(curve_group::g1, of.b, 0, small));
  CUZK_TRY(b2, query(curve_group::g2, of.b, 0, small));
  p.arrays = {h, l, a, b1, b2};
  places main;
  const std::size_t vector = of.domain() * sizeof(fr);
  p.first = main.take(vector);
  p.second = main.take(vector);
  p.other = main.take(vector);
  p.h_work = main.take(h.scratch_bytes());
  p.main_bytes = main.taken();
  p.g1 = scratch_of({&p.of(array_of::l), &p.of(array_of::a), &p.of(array_of::b_g1)});
  p.g2 = scratch_of({&p.of(array_of::b_g2)});
  places witness;
  witness.take((std::size_t{p.wires.inputs} + p.wires.fields) * sizeof(fr));
  p.witness_bits = witness.take((std::size_t{p.wires.bits} + 63) / 64 * 8);
  p.witness_bytes = witness.taken();
  p.result_bytes = results.taken();
  for (const auto& array : p.arrays)
    p.point_bytes += aligned(array.bytes());
  p.matrix_bytes = matrix_bytes_of(of, derived);
  return p;
}

} // namespace cuzk::cuda
