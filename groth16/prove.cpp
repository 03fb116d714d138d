#include "groth16/prove.hpp"

#include "groth16/quotient.hpp"
#include "groth16/stopwatch.hpp"
#include "math/msm.hpp"

namespace cuzk::groth16 {

namespace {

/// One proof in progress. The steps are named as the stages of the GPU_TIMING line.
class proof_run {
public:
  proof_run(const prove_request& request, thread_pool& pool, const stage_told& told, prove_timings& timings)
    : key_(*request.key), circuit_(*request.circuit), witness_(*request.witness), request_(request),
      pool_(pool), options_{pool, &request.cancel.flag(), msm_path::best}, told_(told), timings_(timings) {}

  result<proof_sums> run() {
    const stopwatch total(timings_.total);
    CUZK_CHECK(check());
    CUZK_TRY(scalars, field_part());
    CUZK_CHECK(step(stage::msm_h, [&] { return sum_h(std::move(scalars)); }));
    CUZK_CHECK(step(stage::bits, [&] { return sum_bits(); }));
    CUZK_CHECK(step(stage::tail, [&] { return sum_scalars(); }));
    return sums_;
  }

private:
  status check() {
    timings_.derived = request_.derived != derived_use::off && key_.derived() != nullptr;
    if (request_.derived == derived_use::required && !timings_.derived)
      return error{errc::params, "there is no derived key beside it", key_.path()};
    if (witness_.counts() != circuit_.wires.counts())
      return bad_input("witness", "is not one of " + circuit_.name + ": " + std::to_string(witness_.counts().total()) +
                                    " wires, expected " + std::to_string(circuit_.wires.counts().total()));
    CUZK_CHECK(key_.unchanged());
    return key_.fits(circuit_);
  }

  result<large_array<fr>> field_part() {
    quotient_run work{circuit_, witness_, pool_, &request_.cancel.flag()};
    auto scalars = timings_.derived ? odd_products(work) : h_coefficients(work);
    timings_[stage::eval] = work.eval_seconds;
    timings_[stage::ntt] = work.ntt_seconds;
    if (scalars)
      for (const auto s : {stage::eval, stage::ntt})
        told_(s, timings_[s]);
    return scalars;
  }

  template <class Body>
  status step(stage which, const Body& body) {
    if (request_.cancel.cancelled())
      return error{errc::cancelled, "stopped before " + std::string(to_string(which))};
    stopwatch clock(timings_[which]);
    CUZK_CHECK(body());
    clock.stop();
    told_(which, timings_[which]);
    return ok();
  }

  // The scalars are gone when this returns.
  status sum_h(large_array<fr> scalars) {
    const auto points = timings_.derived ? key_.derived()->g() : key_.points(section::h);
    CUZK_TRY(sum, named(section::h, msm<fp>(points, {}, std::as_const(scalars).span().first(points.count), options_)));
    sums_.h = sum;
    return ok();
  }

  point_view l_points() const { return timings_.derived ? key_.derived()->l() : key_.points(section::l); }

  status sum_bits() {
    CUZK_TRY(l, named(section::l, masked_sum<fp>(l_points(), circuit_.l.mask(circuit_.wires, witness_), options_)));
    CUZK_TRY(a, named(section::a,
                      masked_sum<fp>(key_.points(section::a), circuit_.a.mask(circuit_.wires, witness_), options_)));
    const auto b_mask = circuit_.b.mask(circuit_.wires, witness_);
    CUZK_TRY(b1, named(section::b_g1, masked_sum<fp>(key_.points(section::b_g1), b_mask, options_)));
    CUZK_TRY(b2, named(section::b_g2, masked_sum<fp2>(key_.points(section::b_g2), b_mask, options_)));
    sums_.l = l;
    sums_.a = a;
    sums_.b_g1 = b1;
    sums_.b_g2 = b2;
    return ok();
  }

  template <class F>
  result<jacobian<F>> scalar_sum(const query& array, const point_view& points, std::span<const fr> scalars,
                                 section where) {
    return named(where, msm<F>(points, array.scalar_points, scalars, options_));
  }

  status sum_scalars() {
    CUZK_TRY(l, scalar_sum<fp>(circuit_.l, l_points(), circuit_.l.scalars(witness_), section::l));
    CUZK_TRY(a, scalar_sum<fp>(circuit_.a, key_.points(section::a), circuit_.a.scalars(witness_), section::a));
    const auto b_scalars = circuit_.b.scalars(witness_);
    CUZK_TRY(b1, scalar_sum<fp>(circuit_.b, key_.points(section::b_g1), b_scalars, section::b_g1));
    CUZK_TRY(b2, scalar_sum<fp2>(circuit_.b, key_.points(section::b_g2), b_scalars, section::b_g2));
    sums_.l += l;
    sums_.a += a;
    sums_.b_g1 += b1;
    sums_.b_g2 += b2;
    if (!timings_.derived)
      return ok();
    CUZK_TRY(k, msm<fp>(key_.derived()->k(), {}, witness_.inputs(), options_));
    sums_.l += k;
    return ok();
  }

  // "…/x.params: section h, point 1000: is not on the curve"
  template <class P>
  result<P> named(section where, result<P> sum) const {
    if (!sum && sum.err().code == errc::params) {
      const bool derived = timings_.derived && (where == section::h || where == section::l);
      sum.err().where = (derived ? key_.derived()->path() : key_.path()) + ": section " +
                        std::string(to_string(where)) + ", " + sum.err().where;
    }
    return sum;
  }

  const proving_key& key_;
  const circuit& circuit_;
  const compact_witness& witness_;
  const prove_request& request_;
  thread_pool& pool_;
  msm_options options_;
  const stage_told& told_;
  prove_timings& timings_;
  proof_sums sums_;
};

} // namespace

result<proof_sums> prove_sums(const prove_request& request, thread_pool& pool, const stage_told& told,
                              prove_timings& timings) {
  return proof_run(request, pool, told, timings).run();
}

result<raw_proof> prove(const prove_request& request, thread_pool& pool, const stage_told& told,
                        prove_timings& timings) {
  CUZK_TRY(sums, prove_sums(request, pool, told, timings));
  return assemble(request.key->vk(), sums, request.r, request.s);
}

raw_proof assemble(const verifying_key& vk, const proof_sums& sums, const fr& r, const fr& s) {
  const g1 delta = g1::from(vk.delta_g1), alpha = g1::from(vk.alpha_g1), beta = g1::from(vk.beta_g1);
  const g1 a = sums.a + vk.alpha_g1 + delta.times(r);
  const g2 b = sums.b_g2 + vk.beta_g2 + g2::from(vk.delta_g2).times(s);
  const g1 c =
    sums.l + sums.h + sums.a.times(s) + sums.b_g1.times(r) + delta.times(r * s) + alpha.times(s) + beta.times(r);
  return {a.to_affine(), b.to_affine(), c.to_affine()};
}

} // namespace cuzk::groth16
