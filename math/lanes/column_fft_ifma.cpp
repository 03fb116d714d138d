#include "math/lanes/column_fft_ifma.hpp"

#include "math/lanes/fr8.hpp"

namespace cuzk::lanes {

void append_limbs52(std::vector<std::uint64_t>& out, const fr& w) {
  constexpr std::uint64_t mask = (1ull << 52) - 1;
  const fr scaled = w * fr::from_u64(16); // w * 2^256 * 2^4
  const auto& v = scaled.limb;
  out.push_back(v[0] & mask);
  out.push_back((v[0] >> 52 | v[1] << 12) & mask);
  out.push_back((v[1] >> 40 | v[2] << 24) & mask);
  out.push_back((v[2] >> 28 | v[3] << 36) & mask);
  out.push_back(v[3] >> 16);
}

#if defined(__x86_64__)

#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl,avx512ifma,bmi2")

namespace {

// Eight different constants, one a lane.
fr8 constants(const fr (&x)[8]) {
  alignas(64) std::uint64_t limb[5][8];
  for (int j = 0; j < 8; ++j) {
    std::vector<std::uint64_t> five;
    append_limbs52(five, x[j]);
    for (int i = 0; i < 5; ++i)
      limb[i][j] = five[static_cast<std::size_t>(i)];
  }
  fr8 out;
  for (int i = 0; i < 5; ++i)
    out.l[i] = _mm512_load_si512(limb[i]);
  return out;
}

std::size_t reversed(std::size_t i, int lg) {
  std::size_t out = 0;
  for (int b = 0; b < lg; ++b)
    out |= (i >> b & 1) << (lg - 1 - b);
  return out;
}

// The product of two constants is one again: x 2^260 * y 2^260 / 2^260.
void gather(const column_job& job, int lg, fr8* buffer) {
  const std::size_t n = std::size_t{1} << lg;
  if (!job.before.used) {
    for (std::size_t i = 0; i < n; ++i)
      buffer[reversed(i, lg)] = load(job.in + i * job.in_stride);
    return;
  }
  fr8 factor = constants(job.before.start);
  const fr8 step = constants(job.before.step);
  for (std::size_t i = 0; i < n; ++i) {
    buffer[reversed(i, lg)] = reduce(mul(load(job.in + i * job.in_stride), factor));
    factor = reduce(mul(factor, step));
  }
}

// Values grow by 2 r a stage from below r: 2^260 is 35 r, so 16 stages need no reduction.
void stages(const root_table& roots, fr8* buffer) {
  const std::size_t n = std::size_t{1} << roots.lg;
  const auto* table = reinterpret_cast<const fr_const*>(roots.limbs52.data());
  for (std::size_t block = 0; n > 1 && block < n; block += 2) { // the first stage's roots are all one
    const fr8 u = buffer[block], t = buffer[block + 1];
    buffer[block] = add(u, t);
    buffer[block + 1] = sub(u, t);
  }
  for (std::size_t half = 2; half < n; half *= 2) {
    const std::size_t stride = n / 2 / half;
    for (std::size_t block = 0; block < n; block += 2 * half)
      for (std::size_t k = 0; k < half; ++k) {
        fr8 &low = buffer[block + k], &high = buffer[block + k + half];
        const fr8 u = low, t = mul(high, broadcast(table[k * stride]));
        low = add(u, t);
        high = sub(u, t);
      }
  }
}

void scatter(const column_job& job, std::size_t n, const fr8* buffer) {
  const fr ones[8] = {fr::one(), fr::one(), fr::one(), fr::one(), fr::one(), fr::one(), fr::one(), fr::one()};
  fr8 factor = constants(job.after.used ? job.after.start : ones);
  const fr8 step = constants(job.after.used ? job.after.step : ones);
  alignas(64) fr rows[8][8]; // eight rows of eight columns, turned round when asked
  for (std::size_t k = 0; k < n; ++k) {
    const fr8 value = reduce(mul(buffer[k], factor)); // also brings the value back below r
    if (job.after.used)
      factor = reduce(mul(factor, step));
    if (!job.transposed) {
      store(job.out + k * job.out_stride, value);
      continue;
    }
    store(rows[k % 8], value);
    if (k % 8 == 7)
      for (std::size_t j = 0; j < 8; ++j) {
        fr* to = job.out + j * job.out_stride + k - 7;
        for (std::size_t i = 0; i < 8; ++i)
          _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i),
                              _mm256_load_si256(reinterpret_cast<const __m256i*>(&rows[i][j])));
      }
  }
}

} // namespace

void column_fft_ifma(const root_table& roots, const column_job& job, void* scratch) {
  auto* buffer = static_cast<fr8*>(scratch);
  gather(job, roots.lg, buffer);
  stages(roots, buffer);
  scatter(job, std::size_t{1} << roots.lg, buffer);
}

#pragma GCC pop_options

#else

void column_fft_ifma(const root_table&, const column_job&, void*) {}

#endif

} // namespace cuzk::lanes
