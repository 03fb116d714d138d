#include "groth16/quotient.hpp"

#include "circuits/core/evaluate.hpp"
#include "groth16/stopwatch.hpp"
#include "math/ntt.hpp"

#include <new>

namespace cuzk::groth16 {

namespace {

/// Arrays of the domain and the transforms between them.
class worker {
public:
  worker(quotient_run& run, const fr& shift)
    : run_(run), domain_(run.of.lg_domain()), shift_(shift), scratch_(run.of.domain()) {}

  /// out := values of a matrix's rows on the coset shift * domain.
  status values_on_coset(which_matrix which, large_array<fr>& out) {
    CUZK_CHECK(go_on());
    stopwatch clock(run_.eval_seconds);
    CUZK_CHECK(evaluate(run_.of.matrices, which, run_.witness, out.span(), run_.pool));
    clock.stop();
    const stopwatch transforms(run_.ntt_seconds);
    CUZK_CHECK(go_on());
    domain_.inverse(out.span(), scratch_.span(), run_.pool);
    CUZK_CHECK(go_on());
    domain_.forward(out.span(), scratch_.span(), run_.pool, shift_);
    return ok();
  }

  void back_from_coset(large_array<fr>& v) {
    const stopwatch transforms(run_.ntt_seconds);
    domain_.inverse(v.span(), scratch_.span(), run_.pool, shift_);
  }

  /// a[i] := f(a[i], b[i])
  template <class F>
  void combine(large_array<fr>& a, const large_array<fr>& b, const F& f) {
    const stopwatch transforms(run_.ntt_seconds);
    run_.pool.parallel_for(domain_.size(), 1 << 14, [&](std::size_t begin, std::size_t end) {
      const auto x = a.span();
      const auto y = b.span();
      for (std::size_t i = begin; i < end; ++i)
        f(x[i], y[i]);
    });
  }
  const ntt_domain& domain() const noexcept { return domain_; }

private:
  status go_on() const {
    if (run_.stop != nullptr && run_.stop->load(std::memory_order_relaxed))
      return error{errc::cancelled, "stopped between transforms"};
    return ok();
  }
  quotient_run& run_;
  ntt_domain domain_;
  fr shift_;
  large_array<fr> scratch_;
};

error no_memory(const quotient_run& run) {
  return {errc::resources,
          "no memory for the transforms: " + std::to_string(3 * run.of.domain() * sizeof(fr)) + " bytes are needed"};
}

result<large_array<fr>> make_h(quotient_run& run) {
  const fr seven = fr::from_u64(7);
  worker work(run, seven);
  large_array<fr> a(run.of.domain()), b(run.of.domain());
  CUZK_CHECK(work.values_on_coset(which_matrix::a, a));
  CUZK_CHECK(work.values_on_coset(which_matrix::b, b));
  work.combine(a, b, [](fr& x, const fr& y) { x *= y; });
  CUZK_CHECK(work.values_on_coset(which_matrix::c, b));
  const fr scale = (seven.pow(run.of.domain()) - fr::one()).inverse();
  work.combine(a, b, [&scale](fr& x, const fr& y) {
    x -= y;
    x *= scale;
  });
  work.back_from_coset(a);
  return a;
}

result<large_array<fr>> make_odd_products(quotient_run& run) {
  worker work(run, root_of_unity(run.of.lg_domain() + 1));
  large_array<fr> a(run.of.domain()), b(run.of.domain());
  CUZK_CHECK(work.values_on_coset(which_matrix::a, a));
  CUZK_CHECK(work.values_on_coset(which_matrix::b, b));
  work.combine(a, b, [](fr& x, const fr& y) { x *= y; });
  return a;
}

} // namespace

result<large_array<fr>> h_coefficients(quotient_run& run) {
  try {
    return make_h(run);
  } catch (const std::bad_alloc&) {
    return no_memory(run);
  }
}

result<large_array<fr>> odd_products(quotient_run& run) {
  try {
    return make_odd_products(run);
  } catch (const std::bad_alloc&) {
    return no_memory(run);
  }
}

} // namespace cuzk::groth16
