#include "groth16/prove.hpp"

#include "circuits/core/evaluate.hpp"
#include "math/msm.hpp"
#include "math/ntt.hpp"

#include <chrono>

namespace cuzk::groth16 {

namespace {

using clock = std::chrono::steady_clock;

double since(clock::time_point start) {
  return std::chrono::duration<double>(clock::now() - start).count();
}

/// One proof in progress. The steps are named as the stages of the GPU_TIMING line.
class proof_run {
public:
  proof_run(const prove_request& request, thread_pool& pool, const stage_told& told, prove_timings& timings)
    : key_(*request.key), circuit_(*request.circuit), witness_(*request.witness), request_(request),
      pool_(pool), options_{pool, &request.cancel.flag(), msm_path::best}, told_(told), timings_(timings) {}

  result<raw_proof> run() {
    const auto start = clock::now();
    timings_.derived = request_.derived != derived_use::off && key_.derived() != nullptr;
    if (request_.derived == derived_use::required && !timings_.derived)
      return error{errc::params, "there is no derived key beside it", key_.path()};
    CUZK_CHECK(step(stage::eval, [&] { return evaluate_rows(); }));
    CUZK_CHECK(step(stage::ntt, [&] { return timings_.derived ? derived_products() : quotient(); }));
    CUZK_CHECK(step(stage::msm_h, [&] { return sum_h(); }));
    CUZK_CHECK(step(stage::bits, [&] { return sum_bits(); }));
    CUZK_CHECK(step(stage::tail, [&] { return sum_scalars(); }));
    timings_.total = since(start);
    return assemble(key_.vk(), sums_, request_.r, request_.s);
  }

private:
  template <class Body>
  status step(stage which, const Body& body) {
    if (request_.cancel.cancelled())
      return error{errc::cancelled, "stopped before " + std::string(to_string(which))};
    const auto start = clock::now();
    CUZK_CHECK(body());
    timings_[which] += since(start);
    told_(which, timings_[which]);
    return ok();
  }

  status evaluate_rows() {
    a_.resize(circuit_.domain());
    b_.resize(circuit_.domain());
    CUZK_CHECK(evaluate(circuit_.matrices, which_matrix::a, witness_, a_, pool_));
    CUZK_CHECK(evaluate(circuit_.matrices, which_matrix::b, witness_, b_, pool_));
    if (timings_.derived)
      return ok();
    c_.resize(circuit_.domain());
    return evaluate(circuit_.matrices, which_matrix::c, witness_, c_, pool_);
  }

  // From values on the domain to values on the coset shift * domain.
  void to_coset(const ntt_domain& domain, std::vector<fr>& v, std::vector<fr>& scratch, const fr& shift) {
    domain.inverse(v, scratch, pool_);
    domain.forward(v, scratch, pool_, shift);
  }

  template <class F>
  void for_each(const F& f) {
    pool_.parallel_for(a_.size(), 1 << 14, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        f(i);
    });
  }

  // a := a * b on the odd coset: the scalars of the derived G.
  status derived_products() {
    const ntt_domain domain(circuit_.lg_domain());
    const fr odd = root_of_unity(circuit_.lg_domain() + 1);
    std::vector<fr> scratch(a_.size());
    to_coset(domain, a_, scratch, odd);
    if (request_.cancel.cancelled())
      return error{errc::cancelled, "stopped between transforms"};
    to_coset(domain, b_, scratch, odd);
    for_each([&](std::size_t i) { a_[i] *= b_[i]; });
    b_ = {};
    return ok();
  }

  // a := the coefficients of (a b - c) / Z.
  status quotient() {
    const ntt_domain domain(circuit_.lg_domain());
    const fr seven = fr::from_u64(7);
    std::vector<fr> scratch(a_.size());
    for (auto* v : {&a_, &b_, &c_}) {
      if (request_.cancel.cancelled())
        return error{errc::cancelled, "stopped between transforms"};
      to_coset(domain, *v, scratch, seven);
    }
    const fr scale = (seven.pow(domain.size()) - fr::one()).inverse();
    for_each([&](std::size_t i) { a_[i] = (a_[i] * b_[i] - c_[i]) * scale; });
    b_ = {};
    c_ = {};
    domain.inverse(a_, scratch, pool_, seven);
    return ok();
  }

  status sum_h() {
    const auto points = timings_.derived ? key_.derived()->g() : key_.points(section::h);
    CUZK_TRY(sum, named(section::h, msm<fp>(points, {}, std::span(a_).first(points.count), options_)));
    sums_.h = sum;
    a_ = {};
    return ok();
  }

  point_view l_points() const { return timings_.derived ? key_.derived()->l() : key_.points(section::l); }

  status sum_bits() {
    CUZK_TRY(l, named(section::l, masked_sum<fp>(l_points(), circuit_.l.mask(circuit_.wires, witness_), options_)));
    const auto a_mask = circuit_.a.mask(circuit_.wires, witness_);
    CUZK_TRY(a, named(section::a, masked_sum<fp>(key_.points(section::a), a_mask, options_)));
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
  result<jacobian<F>> scalar_sum(const query& array, const point_view& points, section where) {
    return named(where, msm<F>(points, array.scalar_points, array.scalars(witness_), options_));
  }

  status sum_scalars() {
    CUZK_TRY(l, scalar_sum<fp>(circuit_.l, l_points(), section::l));
    CUZK_TRY(a, scalar_sum<fp>(circuit_.a, key_.points(section::a), section::a));
    CUZK_TRY(b1, scalar_sum<fp>(circuit_.b, key_.points(section::b_g1), section::b_g1));
    CUZK_TRY(b2, scalar_sum<fp2>(circuit_.b, key_.points(section::b_g2), section::b_g2));
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
    if (!sum && sum.err().code == errc::params)
      sum.err().where = key_.path() + ": section " + std::string(to_string(where)) + ", " + sum.err().where;
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
  std::vector<fr> a_, b_, c_;
  proof_sums sums_;
};

} // namespace

result<raw_proof> prove(const prove_request& request, thread_pool& pool, const stage_told& told,
                        prove_timings& timings) {
  return proof_run(request, pool, told, timings).run();
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
