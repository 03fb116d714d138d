// Products in eight lanes, in a source of its own: it is compiled for their instruction set and asked for only there.
#include "math/lanes/fp8.hpp"
#include "tools/cuzk-bench/cpu_pieces.hpp"
#include "tools/cuzk-bench/meter.hpp"

namespace cuzk::bench {

#if defined(__x86_64__)

#include "math/lanes/ifma_begin.inc"

namespace {

using lanes::fp8;
using lanes::v8;

fp8 load(const fp (&in)[8]) {
  alignas(64) std::uint64_t words[6][8];
  for (int j = 0; j < 8; ++j)
    for (int i = 0; i < 6; ++i)
      words[i][j] = in[j].limb[i];
  v8 w[6];
  for (int i = 0; i < 6; ++i)
    w[i] = _mm512_load_si512(words[i]);
  return lanes::split(w);
}

fp first_lane(const fp8& a) {
  v8 w[6];
  lanes::join(w, lanes::reduce(a));
  fp out{};
  for (int i = 0; i < 6; ++i)
    out.limb[i] = static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm512_castsi512_si128(w[i])));
  return out;
}

} // namespace

result<double> measure_lane_products(unsigned rounds) {
  fp values[8];
  for (unsigned j = 0; j < 8; ++j)
    values[j] = fp::from_u64(3 + j);
  const fp factor = fp::from_u64(12345);
  fp factors[8];
  for (auto& f : factors)
    f = factor;
  fp8 x = load(values), z = x;
  const fp8 y = load(factors);
  const auto start = now();
  for (unsigned i = 0; i < rounds; ++i) {
    x = lanes::mul(x, y);
    z = lanes::mul(z, y);
  }
  const auto spent = now() - start;
  // A product here is a b / 2^416, one of fp a b / 2^384.
  const fp step = factor * fp::from_u64(std::uint64_t{1} << 32).inverse();
  const fp expected = values[0] * step.pow(rounds);
  if (first_lane(x) != expected || first_lane(z) != expected)
    return internal_error("products in lanes are wrong");
  return 1e9 * spent.user / (16.0 * rounds);
}

#include "math/lanes/ifma_end.inc"

#else

result<double> measure_lane_products(unsigned) {
  return internal_error("this processor has no lanes");
}

#endif

} // namespace cuzk::bench
