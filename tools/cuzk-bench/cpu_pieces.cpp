#include "tools/cuzk-bench/cpu_pieces.hpp"

#include "math/cpu_features.hpp"
#include "math/fixed_base.hpp"
#include "math/generators.hpp"
#include "math/lanes/point_pairs.hpp"
#include "math/msm.hpp"
#include "math/ntt.hpp"
#include "math/pairing.hpp"
#include "tools/cuzk-bench/meter.hpp"

#include <algorithm>

namespace cuzk::bench {

namespace {

error wrong(const std::string& what) {
  return internal_error("the result of " + what + " is wrong");
}

/// The fastest of three runs.
template <class Body>
seconds fastest(const Body& body) {
  seconds best;
  for (int i = 0; i < 3; ++i) {
    const auto start = now();
    body();
    const auto spent = now() - start;
    if (i == 0 || spent.cpu() < best.cpu())
      best = spent;
  }
  return best;
}

/// A scalar for every index, spread over the whole field.
fr scalar_of(std::size_t i) {
  const fr x = fr::from_u64(i + 2) * fr::from_u64(0x9e3779b97f4a7c15).pow(5);
  return x.square() * x + fr::from_u64(i);
}

template <class F>
status measure_products(const std::string& name, std::vector<figure>& out) {
  constexpr unsigned rounds = 1'000'000;
  F x[4] = {F::from_u64(3), F::from_u64(4), F::from_u64(5), F::from_u64(6)};
  const F y = F::from_u64(12345);
  const auto independent = fastest([&] {
    for (unsigned i = 0; i < rounds; ++i)
      for (auto& value : x)
        value *= y;
  });
  F z = F::from_u64(3);
  const auto dependent = fastest([&] {
    for (unsigned i = 0; i < rounds; ++i)
      z *= y;
  });
  const F expected = F::from_u64(3) * y.pow(3 * rounds);
  if (x[0] != expected || z != expected)
    return wrong(name + " products");
  out.push_back({name + "_mul", 1e9 * independent.user / (4.0 * rounds), "cpu ns"});
  out.push_back({name + "_mul_dependent", 1e9 * dependent.user / rounds, "cpu ns"});
  return ok();
}

/// Additions of pairs whose operands stay in the cache.
template <class Engine>
result<double> measure_additions(const std::vector<affine<typename Engine::field_type>>& points) {
  using F = typename Engine::field_type;
  using point = typename Engine::point;
  constexpr std::size_t count = 1024, rounds = 100;
  std::vector<point> operands(2 * count), sums(count);
  std::vector<const std::byte*> from(2 * count);
  for (std::size_t i = 0; i < from.size(); ++i)
    from[i] = reinterpret_cast<const std::byte*>(&points[i]);
  Engine::import(from, {}, operands.data());
  std::vector<lanes::pair_of<point>> pairs(count);
  for (std::size_t i = 0; i < count; ++i)
    pairs[i] = {{&operands[i], false}, {&operands[count + i], (i & 1) != 0}};
  Engine engine;
  const auto spent = fastest([&] {
    for (std::size_t i = 0; i < rounds; ++i)
      engine.add(pairs, sums.data());
  });
  for (std::size_t i : {std::size_t{0}, std::size_t{1}, count - 1}) {
    const auto b = (i & 1) != 0 ? -points[count + i] : points[count + i];
    if (Engine::to_affine(sums[i]) != (jacobian<F>::from(points[i]) + b).to_affine())
      return wrong("batched additions");
  }
  return 1e9 * spent.user / (count * rounds);
}

/// Points whose multiples of the generator are known: point i is scalar_of(i) times it.
template <class F>
std::vector<affine<F>> known_points(std::size_t n, thread_pool& pool) {
  std::vector<fr> scalars(n);
  for (std::size_t i = 0; i < n; ++i)
    scalars[i] = scalar_of(i);
  std::vector<affine<F>> out(n);
  fixed_base<F>(generator<F>(), n, pool).multiply(scalars, out, pool);
  return out;
}

template <class F>
status measure_sums(const std::string& name, const std::vector<affine<F>>& points, thread_pool& pool,
                    std::vector<figure>& out) {
  const std::size_t n = points.size();
  std::vector<fr> scalars(n);
  std::vector<std::uint64_t> mask(n / 64);
  fr full = fr::zero(), masked = fr::zero();
  for (std::size_t i = 0; i < n; ++i) {
    scalars[i] = scalar_of(i + n);
    full += scalars[i] * scalar_of(i);
    if ((i * 0x9e3779b97f4a7c15 >> 63) != 0) {
      mask[i / 64] |= std::uint64_t{1} << (i % 64);
      masked += scalar_of(i);
    }
  }
  const auto lg = std::to_string(std::bit_width(n) - 1);
  const auto base = jacobian<F>::from(generator<F>());
  result<jacobian<F>> sum = jacobian<F>::infinity();
  const auto all = fastest([&] { sum = msm<F>(view_of(points.data(), n), {}, scalars, {pool}); });
  if (!sum || !(*sum == base.times(full)))
    return wrong("msm in " + name);
  out.push_back({"msm_" + name + "_2^" + lg, all.cpu(), "cpu s"});
  out.push_back({"msm_" + name + "_2^" + lg + "_wall", all.wall, "s"});
  const auto some = fastest([&] { sum = masked_sum<F>(view_of(points.data(), n), mask, {pool}); });
  if (!sum || !(*sum == base.times(masked)))
    return wrong("masked sum in " + name);
  out.push_back({"masked_sum_" + name + "_2^" + lg, some.cpu(), "cpu s"});
  return ok();
}

status measure_transforms(int lg, thread_pool& pool, std::vector<figure>& out) {
  const ntt_domain domain(lg);
  const std::size_t n = domain.size();
  const fr c = fr::from_u64(5), seven = fr::from_u64(7);
  std::vector<fr> powers(n), scratch(n);
  fr power = fr::one();
  for (auto& x : powers) {
    x = power;
    power *= c;
  }
  std::vector<fr> data;
  seconds ahead, back, coset;
  for (int i = 0; i < 3; ++i) {
    data = powers;
    const auto start = now();
    domain.forward(data, scratch, pool);
    const auto middle = now();
    // sum over j of (c w^k)^j = (c^n - 1) / (c w^k - 1)
    for (const std::size_t k : {std::size_t{1}, n / 2 + 1, n - 1})
      if (data[k] * (c * domain.root().pow(k) - fr::one()) != power - fr::one())
        return wrong("a transform");
    const auto again = now();
    domain.inverse(data, scratch, pool);
    const auto end = now();
    if (data != powers)
      return wrong("an inverse transform");
    domain.forward(data, scratch, pool, seven);
    const auto last = now();
    if (i == 0 || (middle - start).cpu() < ahead.cpu())
      ahead = middle - start, back = end - again, coset = last - end;
  }
  const auto name = "2^" + std::to_string(lg);
  out.push_back({"ntt_" + name, ahead.cpu(), "cpu s"});
  out.push_back({"intt_" + name, back.cpu(), "cpu s"});
  out.push_back({"coset_ntt_" + name, coset.cpu(), "cpu s"});
  return ok();
}

status measure_pairing(std::vector<figure>& out) {
  const auto p = g1_generator();
  const auto q = g2_generator();
  bool one = true;
  const pairing_term terms[] = {{p, q}, {-p, q}, {p, q}, {-p, q}};
  const auto spent = fastest([&] {
    for (int i = 0; i < 10; ++i)
      one = one && product_is_one(terms);
  });
  if (!one)
    return wrong("a pairing product");
  out.push_back({"product_of_4_pairings", 100 * spent.cpu(), "cpu ms"});
  return ok();
}

} // namespace

result<std::vector<figure>> measure_pieces(thread_pool& pool, bool large) {
  std::vector<figure> out;
  CUZK_CHECK(measure_products<fp>("fp", out));
  CUZK_CHECK(measure_products<fr>("fr", out));
  const bool have_lanes = cpu().avx512ifma;
  if (have_lanes) {
    CUZK_TRY(lane, measure_lane_products(500'000));
    out.push_back({"fp_mul_lanes", lane, "cpu ns"});
  }
  const auto g1_points = known_points<fp>(std::size_t{1} << (large ? 20 : 17), pool);
  const auto g2_points = known_points<fp2>(std::size_t{1} << (large ? 16 : 14), pool);
  CUZK_TRY(plain, measure_additions<lanes::plain_engine<fp>>(g1_points));
  out.push_back({"g1_addition", plain, "cpu ns"});
  if (have_lanes) {
    CUZK_TRY(lane, measure_additions<lanes::ifma_engine<fp>>(g1_points));
    out.push_back({"g1_addition_lanes", lane, "cpu ns"});
    CUZK_TRY(lane2, measure_additions<lanes::ifma_engine<fp2>>(g2_points));
    out.push_back({"g2_addition_lanes", lane2, "cpu ns"});
  }
  CUZK_CHECK(measure_sums("g1", g1_points, pool, out));
  CUZK_CHECK(measure_sums("g2", g2_points, pool, out));
  CUZK_CHECK(measure_transforms(large ? 22 : 18, pool, out));
  CUZK_CHECK(measure_pairing(out));
  return out;
}

} // namespace cuzk::bench
