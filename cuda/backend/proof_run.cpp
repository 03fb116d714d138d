#include "cuda/backend/proof_run.hpp"

#include "cuda/masked/masked.hpp"
#include "cuda/msm/msm.hpp"
#include "groth16/prove.hpp"

namespace cuzk::cuda {
namespace {

status grow(device_memory& m, std::size_t bytes) {
  if (m.size() >= bytes)
    return ok();
  m = {}; // first, so that both are never there at once
  CUZK_TRY(fresh, device_memory::allocate(bytes));
  m = std::move(fresh);
  return ok();
}
status grow(pinned_memory& m, std::size_t bytes) {
  if (m.size() >= bytes)
    return ok();
  m = {};
  CUZK_TRY(fresh, pinned_memory::allocate(bytes));
  m = std::move(fresh);
  return ok();
}

/// What a step needs to know; copied into it.
struct proof_view {
  const device_key* key;
  const fr* values;
  const std::uint32_t* bits;
  std::byte* results;

  const proof_plan& plan() const { return key->plan; }

  template <class F>
  const affine<F>* points(array_of which) const {
    return reinterpret_cast<const affine<F>*>(key->of(which));
  }
  template <class F>
  jacobian<F>* result_at(std::size_t place) const {
    return reinterpret_cast<jacobian<F>*>(results + place);
  }

  template <class F>
  status sum_scalars(array_of which, const fr* scalars, std::byte* work, stream_handle s) const {
    const auto& array = plan().of(which);
    if (array.scalars == 0)
      return ok();
    return queue_msm(array.msm, points<F>(which), scalars, work, result_at<F>(array.msm_ends), s);
  }
  template <class F>
  status sum_bits(array_of which, const std::uint32_t* mask, std::byte* work, stream_handle s) const {
    const auto& array = plan().of(which);
    if (array.bits == 0)
      return ok();
    return queue_masked(array.masked, points<F>(which) + array.scalars, reinterpret_cast<const std::uint64_t*>(mask),
                        work, result_at<F>(array.masked_sum), s);
  }

  /// Bits of an array's wires picked from the witness's, and their sum.
  template <class F>
  status choose_and_sum(array_of which, const bit_choice& choice, const stream_scratch& at, std::byte* scratch,
                        stream_handle s) const {
    auto* mask = reinterpret_cast<std::uint32_t*>(scratch + at.mask);
    auto chosen = choice;
    chosen.bits = bits;
    if (plan().of(which).bits != 0)
      CUZK_CHECK(queue_choose_bits(chosen, mask, plan().of(which).mask_words(), s));
    return sum_bits<F>(which, mask, scratch + at.work, s);
  }
  template <class F>
  status gather_and_sum(array_of which, const std::uint32_t* wires, const stream_scratch& at, std::byte* scratch,
                        stream_handle s) const {
    auto* scalars = reinterpret_cast<fr*>(scratch + at.scalars);
    const auto n = plan().of(which).scalars;
    if (n != 0)
      CUZK_CHECK(queue_gather(values, wires, n, scalars, s));
    return sum_scalars<F>(which, scalars, scratch + at.work, s);
  }

  status evaluate(const device_matrix& m, bool inputs_occur, fr* out, stream_handle s) const {
    const auto& w = plan().wires;
    return queue_evaluate(m, {values, bits, w.first_bit()}, w.inputs, inputs_occur, out, std::uint64_t{1} << plan().lg,
                          s);
  }
};

/// Three arrays of the domain.
struct vectors {
  fr *first, *second, *other;
};

/// Values on the domain to values on the coset of `kind`, in `v`; times `times` when given.
status to_coset(const ntt_domain& d, ntt_kind kind, fr* v, fr* other, const fr* times, stream_handle s) {
  CUZK_CHECK(d.run(kind, v, other, s));
  return d.run(ntt_kind::forward, other, v, s, times);
}

status derived_products(const device_key& key, const vectors& v, stream_handle s) {
  CUZK_CHECK(to_coset(key.domain, ntt_kind::inverse_to_odd, v.first, v.other, nullptr, s));
  return to_coset(key.domain, ntt_kind::inverse_to_odd, v.second, v.other, v.first, s);
}

/// The coefficients of h, in `other`.
status quotient(const proof_view& p, const vectors& v, stream_handle s) {
  const auto& d = p.key->domain;
  const auto m = std::uint64_t{1} << p.plan().lg;
  CUZK_CHECK(to_coset(d, ntt_kind::inverse_to_coset, v.first, v.other, nullptr, s));
  CUZK_CHECK(to_coset(d, ntt_kind::inverse_to_coset, v.second, v.other, v.first, s));
  CUZK_CHECK(p.evaluate(p.key->c, false, v.first, s));
  CUZK_CHECK(to_coset(d, ntt_kind::inverse_to_coset, v.first, v.other, nullptr, s));
  const fr scale = (fr::from_u64(7).pow(m) - fr::one()).inverse();
  CUZK_CHECK(queue_quotient(v.second, v.first, scale, m, s));
  return d.run(ntt_kind::inverse_from_coset, v.second, v.other, s);
}

std::vector<proof_step> main_steps(const proof_view& p, std::byte* scratch) {
  using groth16::stage;
  const auto at = [scratch](std::size_t place) { return reinterpret_cast<fr*>(scratch + place); };
  const auto& plan = p.plan();
  const vectors v{at(plan.first), at(plan.second), at(plan.other)};
  const auto eval = [p, v](stream_handle s) -> status {
    CUZK_CHECK(p.evaluate(p.key->a, true, v.first, s));
    return p.evaluate(p.key->b, false, v.second, s);
  };
  const auto transform = [p, v](stream_handle s) {
    return p.plan().derived ? derived_products(*p.key, v, s) : quotient(p, v, s);
  };
  const auto sum = [p, scalars = plan.derived ? v.second : v.other, work = scratch + plan.h_work](stream_handle s) {
    return p.sum_scalars<fp>(array_of::h, scalars, work, s);
  };
  return {{stage::eval, eval}, {stage::ntt, transform}, {stage::msm_h, sum}};
}

std::vector<proof_step> g1_steps(const proof_view& p, std::byte* scratch) {
  using groth16::stage;
  const auto bits = [p, scratch](stream_handle s) -> status {
    const auto& at = p.plan().g1;
    CUZK_CHECK(p.sum_bits<fp>(array_of::l, p.bits, scratch + at.work, s));
    CUZK_CHECK(p.choose_and_sum<fp>(array_of::a, p.key->a_bits, at, scratch, s));
    return p.choose_and_sum<fp>(array_of::b_g1, p.key->b_bits, at, scratch, s);
  };
  const auto tail = [p, scratch](stream_handle s) -> status {
    const auto& at = p.plan().g1;
    // Inputs and fields are one row of scalars: with the derived key all of it, else the fields.
    const auto* scalars = p.values + (p.plan().derived ? 0 : p.plan().wires.inputs);
    CUZK_CHECK(p.sum_scalars<fp>(array_of::l, scalars, scratch + at.work, s));
    CUZK_CHECK(p.gather_and_sum<fp>(array_of::a, p.key->a_wires, at, scratch, s));
    return p.gather_and_sum<fp>(array_of::b_g1, p.key->b_wires, at, scratch, s);
  };
  return {{stage::bits, bits}, {stage::tail, tail}};
}

std::vector<proof_step> g2_steps(const proof_view& p, std::byte* scratch) {
  using groth16::stage;
  const auto bits = [p, scratch](stream_handle s) {
    return p.choose_and_sum<fp2>(array_of::b_g2, p.key->b_bits, p.plan().g2, scratch, s);
  };
  const auto tail = [p, scratch](stream_handle s) {
    return p.gather_and_sum<fp2>(array_of::b_g2, p.key->b_wires, p.plan().g2, scratch, s);
  };
  return {{stage::bits, bits}, {stage::tail, tail}};
}

template <class F>
jacobian<F> total(const proof_plan& plan, const proof_slot& slot, array_of which) {
  const auto& array = plan.of(which);
  auto out = jacobian<F>::infinity();
  const auto at = [&](std::size_t place) { return reinterpret_cast<const jacobian<F>*>(slot.results.data() + place); };
  if (array.scalars > 0)
    out = msm_result(array.msm, at(array.msm_ends));
  return array.bits > 0 ? out + *at(array.masked_sum) : out;
}

} // namespace

result<proof_slot> proof_slot::create() {
  proof_slot out;
  const auto make = [](event& e) -> status {
    CUZK_TRY(made, event::create());
    e = std::move(made);
    return ok();
  };
  CUZK_CHECK(make(out.uploading));
  CUZK_CHECK(make(out.uploaded));
  for (auto& list : out.marks)
    for (auto& [begin, end] : list) {
      CUZK_CHECK(make(begin));
      CUZK_CHECK(make(end));
    }
  return out;
}

status proof_slot::fit(const proof_plan& plan) {
  CUZK_CHECK(grow(witness, plan.witness_bytes));
  CUZK_CHECK(grow(staging, plan.witness_bytes));
  return grow(results, plan.result_bytes);
}

status lane_scratch::fit(const proof_plan& plan) {
  CUZK_CHECK(grow(main, plan.main_bytes));
  CUZK_CHECK(grow(g1, plan.g1.bytes));
  return grow(g2, plan.g2.bytes);
}

std::vector<proof_step> steps_on(lane_stream where, const device_key& key, const proof_slot& slot,
                                 const lane_scratch& scratch) {
  const proof_view p{&key, slot.witness.as<fr>(),
                     reinterpret_cast<const std::uint32_t*>(slot.witness.data() + key.plan.witness_bits),
                     slot.results.data()};
  switch (where) {
  case lane_stream::main: return main_steps(p, scratch.main.data());
  case lane_stream::g1: return g1_steps(p, scratch.g1.data());
  case lane_stream::g2: return g2_steps(p, scratch.g2.data());
  }
  return {};
}

groth16::raw_proof assemble(const device_key& key, const proof_slot& slot, const fr& r, const fr& s) {
  groth16::proof_sums sums;
  sums.h = total<fp>(key.plan, slot, array_of::h);
  sums.l = total<fp>(key.plan, slot, array_of::l);
  sums.a = total<fp>(key.plan, slot, array_of::a);
  sums.b_g1 = total<fp>(key.plan, slot, array_of::b_g1);
  sums.b_g2 = total<fp2>(key.plan, slot, array_of::b_g2);
  return groth16::assemble(key.key->vk(), sums, r, s);
}

} // namespace cuzk::cuda
