// Multi-scalar multiplication against discrete logarithms: every point is a known multiple of the generator.
#include "cuda/msm/msm.hpp"
#include "tests/gpu/support.cuh"

using namespace cuzk;
using namespace cuzk::cuda;
using namespace cuzk::cuda::test;

namespace {

template <class F>
constexpr curve_group group_of = quads<F> == 3 ? curve_group::g1 : curve_group::g2;

template <class F>
jacobian<F> run(const msm_plan& plan, const array<affine<F>>& points, const std::vector<fr>& scalars) {
  static stream s = need(stream::create());
  const array<fr> device_scalars(scalars);
  const array<std::byte> scratch(plan.scratch_bytes);
  need(fill_bytes(scratch.get(), 0xa5, plan.scratch_bytes, s.get())); // nothing may depend on what scratch held
  std::vector<jacobian<F>> ends(plan.ends());
  need(queue_msm(plan, points.get(), device_scalars.get(), scratch.get(), ends.data(), s.get()));
  finish(s.get());
  return msm_result(plan, ends.data());
}

/// sum of scalars[i] * logs[i] times the generator.
template <class F>
jacobian<F> expected(const std::vector<fr>& scalars, const std::vector<fr>& logs) {
  fr sum = fr::zero();
  for (std::size_t i = 0; i < scalars.size(); ++i)
    sum += scalars[i] * logs[i];
  return jacobian<F>::from(generator<F>()).times(sum);
}

template <class F>
struct bench_points {
  std::vector<affine<F>> points;
  std::vector<fr> logs;
};

/// n points over a few distinct values: 0, G, -G, 2G, .. so that doublings and cancellations happen at every level.
template <class F>
bench_points<F> few_points(std::size_t n) {
  std::vector<affine<F>> few;
  std::vector<fr> few_logs;
  for (std::uint64_t v = 0; v < 4; ++v)
    for (bool minus : {false, true}) {
      const affine<F> p = jacobian<F>::from(generator<F>()).times(&v, 1).to_affine();
      few.push_back(minus ? -p : p);
      few_logs.push_back(minus ? -fr::from_u64(v) : fr::from_u64(v));
    }
  bench_points<F> out;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t k = mix(i) % few.size();
    out.points.push_back(few[k]);
    out.logs.push_back(few_logs[k]);
  }
  return out;
}

std::vector<fr> draw(std::size_t n, std::uint64_t seed) {
  std::vector<fr> k(n);
  for (std::size_t i = 0; i < n; ++i)
    k[i] = random_fr(seed, i);
  return k;
}

/// Scalars an honest or hostile witness may hold.
std::vector<std::pair<const char*, std::vector<fr>>> scalar_sets(std::size_t n) {
  std::vector<std::pair<const char*, std::vector<fr>>> sets;
  sets.emplace_back("random", draw(n, 1));
  std::vector<fr> few = draw(n, 2);
  const fr some[] = {fr::zero(), fr::one(), -fr::one(), few[0], -few[0], fr::from_u64(1) + fr::one(),
                     few[n / 2], few[n - 1]};
  for (std::size_t i = 0; i < n; ++i)
    few[i] = some[mix(i + 99) % 8];
  sets.emplace_back("few values", few);
  sets.emplace_back("all equal", std::vector<fr>(n, draw(1, 3)[0]));
  sets.emplace_back("all zero", std::vector<fr>(n, fr::zero()));
  sets.emplace_back("all one", std::vector<fr>(n, fr::one()));
  sets.emplace_back("all r - 1", std::vector<fr>(n, -fr::one()));
  std::vector<fr> signs(n, fr::one());
  for (std::size_t i = 0; i < n; i += 2)
    signs[i] = -fr::one();
  sets.emplace_back("plus and minus one", signs);
  // r/2 rounded either way, powers of two: edges of the signed digits
  std::vector<fr> edges(n);
  const fr half = fr::from_u64(2).inverse();
  for (std::size_t i = 0; i < n; ++i)
    edges[i] = i % 3 == 0 ? half : i % 3 == 1 ? half - fr::one() : fr::from_u64(2).pow(i % 255) - fr::from_u64(i & 1);
  sets.emplace_back("digit edges", edges);
  return sets;
}

template <class F>
void all_sets(report& r, const device_info& d, std::size_t n, int windows, std::size_t max_scratch) {
  msm_options o;
  o.group = group_of<F>;
  o.points = n;
  o.multiprocessors = d.multiprocessors;
  o.windows = windows;
  o.max_scratch_bytes = max_scratch;
  const msm_plan plan = need(plan_msm(o));
  const array<affine<F>> multiples(n);
  make_multiples<F>(multiples.get(), n, d.multiprocessors);
  r.check(are_multiples<F>(multiples.get(), n), "multiples of the generator");
  std::vector<fr> logs(n);
  for (std::size_t i = 0; i < n; ++i)
    logs[i] = fr::from_u64(i + 1);
  const auto few = few_points<F>(n);
  const array<affine<F>> few_device(few.points);
  for (const auto& [name, scalars] : scalar_sets(n)) {
    const std::string where = std::string(quads<F> == 3 ? "G1 " : "G2 ") + std::to_string(n) + " points, " +
                              std::to_string(plan.windows.count) + " windows in " + std::to_string(plan.groups()) +
                              " groups, " + name;
    r.check(run<F>(plan, multiples, scalars) == expected<F>(scalars, logs), where + ", distinct points");
    r.check(run<F>(plan, few_device, scalars) == expected<F>(scalars, few.logs), where + ", few points");
  }
}

template <class F>
void all_sizes(report& r, const device_info& d) {
  constexpr std::size_t much = std::size_t(8) << 30;
  for (std::size_t n : {1, 2, 3, 31, 33, 1000, 4099})
    all_sets<F>(r, d, n, 0, much);
  all_sets<F>(r, d, 50001, 0, much);
  all_sets<F>(r, d, 50001, 12, much); // wide windows: folds, pieces of two sizes
  all_sets<F>(r, d, 20011, 16, std::size_t(quads<F> == 3 ? 500 : 700) << 20); // several groups
}

} // namespace

int main() {
  const device_info d = first_device();
  report r;
  all_sizes<fp>(r, d);
  all_sizes<fp2>(r, d);
  return r.status("msm");
}
