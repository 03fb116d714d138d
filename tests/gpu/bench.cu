// Times the kernels on sizes of real proofs and checks what they computed.
// Usage: bench (CMake: gpu_bench) {msm1|msm2|ntt|evaluate FROM TO X} ...; sizes are powers of two; X is the number of
// windows or the largest table of twiddles, 0 for the usual, plus 100 times the GiB of scratch allowed; msm1 and msm2
// with X = -1 time masked sums.
#include "cuda/evaluate/evaluate.hpp"
#include "cuda/masked/masked.hpp"
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
  o.windows = windows % 100;
  if (windows >= 100)
    o.max_scratch_bytes = std::size_t(windows / 100) << 30;
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

__global__ void fill_bits(std::uint64_t* out, std::size_t words, std::uint64_t seed) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < words;
       i += std::size_t(gridDim.x) * blockDim.x)
    out[i] = mix(seed + i);
}

/// The sum of half of the points, drawn at random.
template <class F>
void time_masked(const device_info& d, const stream& s, const array<affine<F>>& points, int lg) {
  const std::size_t n = std::size_t(1) << lg;
  const masked_plan plan = need(plan_masked(quads<F> == 3 ? curve_group::g1 : curve_group::g2, n, d.multiprocessors));
  const array<std::uint64_t> mask(n / 64);
  const array<std::byte> scratch(plan.scratch_bytes);
  const pinned_memory sum = need(pinned_memory::allocate(sizeof(jacobian<F>)));
  const auto draw = [&](int i) { fill_bits<<<1056, 256, 0, s.get()>>>(mask.get(), n / 64, 99 * i); };
  const float ms = median_ms(5, s.get(), draw, [&] {
    need(queue_masked(plan, points.get(), mask.get(), scratch.get(), sum.as<jacobian<F>>(), s.get()));
  });
  std::uint64_t log[2] = {0, 0};
  const auto bits = mask.read(n / 64);
  for (std::size_t i = 0; i < n; ++i)
    if (bits[i / 64] >> (i % 64) & 1) {
      log[0] += i + 1;
      log[1] += log[0] < i + 1;
    }
  const bool good = *sum.as<jacobian<F>>() == jacobian<F>::from(generator<F>()).times(log, 2);
  std::printf("masked G%d 2^%d: %.3f ms, scratch %.2f GB: %s\n", quads<F> == 3 ? 1 : 2, lg, ms,
              plan.scratch_bytes / 1e9, good ? "correct" : "WRONG");
}

template <class F>
void time_msms(const device_info& d, const stream& s, int from, int to, int windows) {
  const array<affine<F>> points(std::size_t(1) << to);
  make_multiples<F>(points.get(), points.size(), d.multiprocessors);
  if (!are_multiples<F>(points.get(), points.size()))
    std::printf("points WRONG\n");
  for (int lg = from; lg <= to; ++lg)
    if (windows < 0)
      time_masked<F>(d, s, points, lg);
    else
      time_msm<F>(d, s, points, lg, windows);
}

/// A matrix shaped like the large sector proof's A and B together: 130 M rows, 3.7 entries a row, nearly all of them
/// bits.
__global__ void fill_matrix(std::uint8_t* lengths, std::uint32_t* columns, std::uint8_t* codes, std::uint64_t rows,
                            std::uint32_t each, std::uint32_t fields, std::uint32_t bits) {
  for (std::uint64_t row = blockIdx.x * std::uint64_t(blockDim.x) + threadIdx.x; row < rows;
       row += std::uint64_t(gridDim.x) * blockDim.x) {
    lengths[row] = each;
    for (std::uint32_t e = 0; e < each; ++e) {
      const std::uint64_t draw = mix(row * each + e);
      // most columns lie near their row's place
      const std::uint64_t near = (row * bits / rows + draw % 4096) % bits;
      columns[row * each + e] = draw >> 32 & 63 ? fields + static_cast<std::uint32_t>(near) : draw % fields;
      codes[row * each + e] = draw >> 40 & 3 ? draw >> 48 & 1 : draw >> 48 & 63;
    }
  }
}

void time_evaluate(const stream& s) {
  const std::uint64_t rows = 130278541, each = 4, entries = rows * each, blocks = (rows + 255) / 256;
  const std::uint32_t fields = 1400000, bits = 128770000;
  const array<std::uint8_t> lengths(rows), codes(entries);
  const array<std::uint32_t> columns(entries), words(bits / 32 + 1), block_long(blocks + 1), long_rows(1);
  const array<fr> coefficients(64), values(fields), out(std::size_t(1) << 27);
  std::vector<std::uint64_t> entry(blocks + 1);
  for (std::uint64_t b = 0; b <= blocks; ++b)
    entry[b] = std::min(b * 256, rows) * each;
  const array<std::uint64_t> block_entry(entry);
  need(fill_bytes(block_long.get(), 0, block_long.size() * 4, s.get()));
  fill_random<<<1056, 256, 0, s.get()>>>(coefficients.get(), 64, 1);
  fill_random<<<1056, 256, 0, s.get()>>>(values.get(), fields, 2);
  fill_bits<<<1056, 256, 0, s.get()>>>(reinterpret_cast<std::uint64_t*>(words.get()), words.size() / 2, 3);
  fill_matrix<<<1056, 256, 0, s.get()>>>(lengths.get(), columns.get(), codes.get(), rows, each, fields, bits);
  const device_matrix m{
    lengths.get(),     block_entry.get(), block_long.get(), long_rows.get(), columns.get(), codes.get(), rows, 32,
    coefficients.get()};
  const device_witness w{values.get(), words.get(), fields};
  const float ms = median_ms(
    5, s.get(), [](int) {}, [&] { need(queue_evaluate(m, w, 328, true, out.get(), out.size(), s.get())); });
  std::printf("evaluate %llu rows, %llu entries: %.2f ms\n", static_cast<unsigned long long>(rows),
              static_cast<unsigned long long>(entries), ms);
}

/// Transforms of one size, and the chain of four that leads from a and b to their product on the odd coset.
void time_ntt(const stream& s, int lg, int table) {
  const std::size_t n = std::size_t(1) << lg;
  const ntt_domain domain = need(ntt_domain::create(
    lg, {ntt_kind::forward, ntt_kind::inverse, ntt_kind::inverse_to_odd}, s.get(), table == 0 ? table_lg : table));
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
    else if (std::strcmp(argv[i], "evaluate") == 0)
      time_evaluate(s);
    else if (std::strcmp(argv[i], "ntt") == 0)
      for (int lg = from; lg <= to; ++lg)
        time_ntt(s, lg, extra);
  }
  return 0;
}
