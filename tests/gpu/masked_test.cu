// Masked sums against discrete logarithms.
#include "cuda/masked/masked.hpp"
#include "tests/gpu/support.cuh"

using namespace cuzk;
using namespace cuzk::cuda;
using namespace cuzk::cuda::test;

namespace {

template <class F>
void check_mask(report& r, const masked_plan& plan, const array<affine<F>>& points,
                const std::vector<std::uint64_t>& mask, const std::vector<fr>& logs, const std::string& what) {
  static const stream s = need(stream::create());
  const array<std::uint64_t> device_mask(mask);
  const array<std::byte> scratch(plan.scratch_bytes);
  need(fill_bytes(scratch.get(), 0xa5, plan.scratch_bytes, s.get()));
  jacobian<F> sum;
  need(queue_masked(plan, points.get(), device_mask.get(), scratch.get(), &sum, s.get()));
  finish(s.get());
  fr log = fr::zero();
  for (std::size_t i = 0; i < plan.points; ++i)
    if (mask[i / 64] >> (i % 64) & 1)
      log += logs[i];
  r.check(sum == jacobian<F>::from(generator<F>()).times(log),
          std::string(quads<F> == 3 ? "G1 " : "G2 ") + std::to_string(plan.points) + " points, " + what);
}

template <class F>
void all_masks(report& r, const device_info& d, std::size_t n) {
  const masked_plan plan = need(plan_masked(quads<F> == 3 ? curve_group::g1 : curve_group::g2, n, d.multiprocessors));
  const array<affine<F>> multiples(n), few(n);
  make_multiples<F>(multiples.get(), n, d.multiprocessors);
  std::vector<fr> logs(n), few_logs(n);
  std::vector<affine<F>> few_points(n);
  const std::uint64_t two = 2;
  const affine<F> g = generator<F>(), double_g = jacobian<F>::from(g).times(&two, 1).to_affine();
  for (std::size_t i = 0; i < n; ++i) {
    logs[i] = fr::from_u64(i + 1);
    const int kind = mix(i) % 5; // opposites, doubles and infinity at every level
    few_points[i] = kind == 0   ? affine<F>::infinity()
                    : kind == 1 ? g
                    : kind == 2 ? -g
                    : kind == 3 ? double_g
                                : -double_g;
    few_logs[i] = kind == 0   ? fr::zero()
                  : kind == 1 ? fr::one()
                  : kind == 2 ? -fr::one()
                  : kind == 3 ? fr::from_u64(2)
                              : -fr::from_u64(2);
  }
  few.put(few_points);
  for (const char* what : {"half", "none", "all", "few", "one", "the last"}) {
    std::vector<std::uint64_t> mask((n + 63) / 64, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const std::string w = what;
      const bool set = w == "half"  ? mix(i * 3) & 1
                       : w == "all" ? true
                       : w == "few" ? mix(i) % 100 == 0
                       : w == "one" ? i == n / 2
                                    : w == "the last" && i == n - 1;
      mask[i / 64] |= std::uint64_t(set) << (i % 64);
    }
    check_mask<F>(r, plan, multiples, mask, logs, std::string(what) + ", distinct points");
    check_mask<F>(r, plan, few, mask, few_logs, std::string(what) + ", few points");
  }
}

} // namespace

int main() {
  const device_info d = first_device();
  report r;
  for (std::size_t n : {1, 2, 3, 63, 65, 1023, 1025, 70001}) {
    all_masks<fp>(r, d, n);
    all_masks<fp2>(r, d, n);
  }
  return r.status("masked");
}
