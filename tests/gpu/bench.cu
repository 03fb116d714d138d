// Times the kernels on sizes of real proofs and checks what they computed.
// Usage: gpu_bench {msm1|msm2|ntt FROM TO WINDOWS} ...; sizes are powers of two, 0 windows are chosen by size.
#include "cuda/msm/msm.hpp"
#include "cuda/ntt/ntt.hpp"
#include "tests/gpu/support.cuh"

#include <cstring>

using namespace cuzk;
using namespace cuzk::cuda;
using namespace cuzk::cuda::test;

namespace {

template <class F>
void time_msm(const device_info& d, const stream& s, const array<affine<F>>& points, int lg, int windows) {
  msm_options o;
  o.group = quads<F> == 3 ? curve_group::g1 : curve_group::g2;
  o.points = std::size_t(1) << lg;
  o.multiprocessors = d.multiprocessors;
  o.windows = windows;
  const msm_plan plan = need(plan_msm(o));
  const array<fr> scalars(o.points);
  const array<std::byte> scratch(plan.scratch_bytes);
  const pinned_memory ends = need(pinned_memory::allocate(plan.ends() * sizeof(jacobian<F>)));
  const auto draw = [&](int i) { fill_random<<<1056, 256, 0, s.get()>>>(scalars.get(), o.points, 1000 + i); };
  const auto call = [&] {
    need(queue_msm(plan, points.get(), scalars.get(), scratch.get(), ends.as<jacobian<F>>(), s.get()));
  };
  const float ms = median_ms(5, s.get(), draw, call);
  const auto from = std::chrono::steady_clock::now();
  const jacobian<F> sum = msm_result(plan, ends.as<jacobian<F>>());
  const double host_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count();
  const fr k = sum_of_multiples(scalars.get(), o.points);
  const bool good = sum == jacobian<F>::from(generator<F>()).times(k);
  std::printf("msm G%d 2^%d: %8.2f ms + %.2f ms host, %d windows in %d groups, depth %u, scratch %.2f GB: %s\n",
              quads<F> == 3 ? 1 : 2, lg, ms, host_ms, plan.windows.count, plan.groups(), plan.depth,
              plan.scratch_bytes / 1e9, good ? "correct" : "WRONG");
}

template <class F>
void time_msms(const device_info& d, const stream& s, int from, int to, int windows) {
  const array<affine<F>> points(std::size_t(1) << to);
  make_multiples<F>(points.get(), points.size(), d.multiprocessors);
  if (!are_multiples<F>(points.get(), points.size()))
    std::printf("points WRONG\n");
  for (int lg = from; lg <= to; ++lg)
    time_msm<F>(d, s, points, lg, windows);
}

/// Transforms of one size, and the chain of four that leads from a and b to their product on the odd coset.
void time_ntt(const stream& s, int lg) {
  const std::size_t n = std::size_t(1) << lg;
  const ntt_domain domain =
    need(ntt_domain::create(lg, {ntt_kind::forward, ntt_kind::inverse, ntt_kind::inverse_to_odd}, s.get()));
  const array<fr> a(n), b(n), out(n);
  const auto draw = [&](int i) {
    fill_random<<<1056, 256, 0, s.get()>>>(a.get(), n, 2 * i);
    fill_random<<<1056, 256, 0, s.get()>>>(b.get(), n, 2 * i + 1);
  };
  const auto one = [&](ntt_kind kind) {
    return median_ms(5, s.get(), draw, [&] { need(domain.run(kind, a.get(), out.get(), s.get())); });
  };
  const float forward = one(ntt_kind::forward), inverse = one(ntt_kind::inverse), odd = one(ntt_kind::inverse_to_odd);
  const float four = median_ms(5, s.get(), draw, [&] {
    need(domain.run(ntt_kind::inverse_to_odd, a.get(), out.get(), s.get()));
    need(domain.run(ntt_kind::forward, out.get(), a.get(), s.get()));
    need(domain.run(ntt_kind::inverse_to_odd, b.get(), out.get(), s.get()));
    need(domain.run(ntt_kind::forward, out.get(), b.get(), s.get(), a.get()));
  });
  std::printf("ntt 2^%d: forward %.3f ms, inverse %.3f, inverse to the odd coset %.3f, h part %.3f\n", lg, forward,
              inverse, odd, four);
}

} // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const device_info d = first_device();
  const stream s = need(stream::create());
  for (int i = 1; i + 3 < argc; i += 4) {
    const int from = std::atoi(argv[i + 1]), to = std::atoi(argv[i + 2]), extra = std::atoi(argv[i + 3]);
    if (std::strcmp(argv[i], "msm1") == 0)
      time_msms<fp>(d, s, from, to, extra);
    else if (std::strcmp(argv[i], "msm2") == 0)
      time_msms<fp2>(d, s, from, to, extra);
    else if (std::strcmp(argv[i], "ntt") == 0)
      for (int lg = from; lg <= to; ++lg)
        time_ntt(s, lg);
  }
  return 0;
}
