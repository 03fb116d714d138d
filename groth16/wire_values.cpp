#include "groth16/wire_values.hpp"

#include "math/batch_inverse.hpp"
#include "math/ntt.hpp"

namespace cuzk::groth16 {

namespace {

constexpr std::size_t grain = 1 << 14;

// f(k, w^k) for k < n, in pieces.
template <class F>
void for_powers(std::size_t n, const fr& w, thread_pool& pool, const F& f) {
  pool.parallel_for(n, grain, [&](std::size_t begin, std::size_t end) {
    fr power = w.pow(begin);
    for (std::size_t k = begin; k < end; ++k, power *= w)
      f(k, power);
  });
}

void invert_all(std::vector<fr>& values, thread_pool& pool) {
  std::vector<fr> scratch(values.size());
  pool.parallel_for(values.size(), grain, [&](std::size_t begin, std::size_t end) {
    batch_invert(std::span(values).subspan(begin, end - begin), std::span(scratch).subspan(begin, end - begin));
  });
}

// out[wire] += sum over rows of coefficient * row_value
void add_columns(const matrices& m, const sparse_matrix& s, const std::vector<fr>& row_values, std::vector<fr>& out) {
  for_each_row(s, 0, s.blocks(), [&](std::uint64_t row, const row_view& entries) {
    for (std::size_t e = 0; e < entries.columns.size(); ++e) {
      const auto code = m.code_of(entries.columns[e], entries.codes[e]);
      fr& target = out[m.wire_of(entries.columns[e])];
      if (code == 0)
        target += row_values[row];
      else if (code == 1)
        target -= row_values[row];
      else
        target += m.coefficients[code] * row_values[row];
    }
  });
}

// The Lagrange basis of the domain at tau: (tau^m - 1) / m * w^k / (tau - w^k).
std::vector<fr> lagrange(int lg_m, const fr& tau, thread_pool& pool) {
  const std::size_t m = std::size_t{1} << lg_m;
  const fr w = root_of_unity(lg_m);
  std::vector<fr> out(m);
  for_powers(m, w, pool, [&](std::size_t k, const fr& power) { out[k] = tau - power; });
  invert_all(out, pool);
  const fr scale = (tau.pow(m) - fr::one()) * fr::from_u64(m).inverse();
  for_powers(m, w, pool, [&](std::size_t k, const fr& power) { out[k] *= scale * power; });
  return out;
}

// scale * (sum over i < m - 1 of (tau / z)^i) for z = first * w^k: ((tau / z)^(m-1) - 1) / (tau / z - 1), where
// z^m = sign gives (tau / z)^(m-1) = sign * tau^(m-1) * z.
std::vector<fr> geometric_sums(int lg_m, const fr& tau, const fr& first, const fr& scale, thread_pool& pool) {
  const std::size_t m = std::size_t{1} << lg_m;
  const fr w = root_of_unity(lg_m), sign = first.pow(m), top = sign * tau.pow(m - 1);
  std::vector<fr> out(m);
  for_powers(m, w, pool, [&](std::size_t k, const fr& power) { out[k] = tau - first * power; });
  invert_all(out, pool);
  for_powers(m, w, pool, [&](std::size_t k, const fr& power) {
    const fr z = first * power;
    out[k] = scale * (top * z - fr::one()) * z * out[k];
  });
  return out;
}

} // namespace

wire_values values_at(const circuit& of, const fr& tau, thread_pool& pool) {
  const auto& m = of.matrices;
  const auto rows = lagrange(of.lg_domain(), tau, pool);
  wire_values out;
  const std::size_t total = m.wires.total();
  for (auto* v : {&out.a, &out.b, &out.c})
    v->assign(total, fr::zero());
  const sparse_matrix* sources[] = {&m.a, &m.b, &m.c};
  std::vector<fr>* targets[] = {&out.a, &out.b, &out.c};
  pool.parallel_for(3, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      add_columns(m, *sources[i], rows, *targets[i]);
  });
  for (std::uint32_t i = 0; i < m.wires.inputs; ++i)
    out.a[i] += rows[m.circuit_rows + i];
  return out;
}

std::vector<fr> derived_g_scalars(int lg_m, const fr& tau, const fr& z_over_delta, thread_pool& pool) {
  const fr scale = -z_over_delta * fr::from_u64(std::uint64_t{2} << lg_m).inverse();
  return geometric_sums(lg_m, tau, root_of_unity(lg_m + 1), scale, pool);
}

std::vector<fr> derived_k_scalars(const circuit& of, const fr& tau, const fr& z_over_delta, thread_pool& pool) {
  const fr scale = z_over_delta * fr::from_u64(std::uint64_t{2} << of.lg_domain()).inverse();
  const auto rows = geometric_sums(of.lg_domain(), tau, fr::one(), scale, pool);
  std::vector<fr> out(of.matrices.wires.total(), fr::zero());
  add_columns(of.matrices, of.matrices.c, rows, out);
  return out;
}

} // namespace cuzk::groth16
