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

#include "math/lanes/ifma_begin.inc"

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

/// The factors of rows i and i + 1, for even i. The product of two constants is one again: x 2^260 * y 2^260 / 2^260.
struct factors {
  fr8 now[2], step;

  explicit factors(const geometric& g) {
    const fr8 once = constants(g.step);
    now[0] = constants(g.start);
    now[1] = reduce(mul(now[0], once));
    step = reduce(mul(once, once));
  }
  void advance() {
    fr8 next[2];
    products<fr8, 2>(next, now, {step, step});
    now[0] = reduce(next[0]);
    now[1] = reduce(next[1]);
  }
};

void gather(const column_job& job, int lg, fr8* buffer) {
  const std::size_t n = std::size_t{1} << lg;
  if (!job.before.used) {
    for (std::size_t i = 0; i < n; ++i)
      buffer[reversed(i, lg)] = load(job.in + i * job.in_stride);
    return;
  }
  factors f(job.before);
  for (std::size_t i = 0; i < n; i += 2) {
    fr8 out[2];
    products<fr8, 2>(out, {load(job.in + i * job.in_stride), load(job.in + (i + 1) * job.in_stride)}, f.now);
    for (std::size_t j = 0; j < 2; ++j)
      buffer[reversed(i + j, lg)] = reduce(out[j]);
    f.advance();
  }
}

// Two neighbours at once.
void butterflies(fr8* low, fr8* high, const fr_const* roots, std::size_t stride) {
  fr8 t[2];
  products<fr8, 2>(t, {high[0], high[1]}, {broadcast(roots[0]), broadcast(roots[stride])});
  for (int i = 0; i < 2; ++i) {
    const fr8 u = low[i];
    low[i] = add(u, t[i]);
    high[i] = sub(u, t[i]);
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
      for (std::size_t k = 0; k < half; k += 2)
        butterflies(buffer + block + k, buffer + block + half + k, table + k * stride, stride);
  }
}

void scatter(const column_job& job, std::size_t n, const fr8* buffer) {
  const fr one = fr::one();
  const geometric nothing{false, {one, one, one, one, one, one, one, one}, {one, one, one, one, one, one, one, one}};
  factors f(job.after.used ? job.after : nothing);
  alignas(64) fr rows[8][8]; // eight rows of eight columns, turned round when asked
  for (std::size_t k = 0; k < n; k += 2) {
    fr8 values[2];
    products<fr8, 2>(values, {buffer[k], buffer[k + 1]}, f.now); // also brings the values back below 2 r
    if (job.after.used)
      f.advance();
    for (std::size_t i = 0; i < 2; ++i)
      store(job.transposed ? rows[(k + i) % 8] : job.out + (k + i) * job.out_stride, reduce(values[i]));
    if (job.transposed && k % 8 == 6)
      for (std::size_t j = 0; j < 8; ++j) {
        fr* to = job.out + j * job.out_stride + k - 6;
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

#include "math/lanes/ifma_end.inc"

#else

void column_fft_ifma(const root_table&, const column_job&, void*) {}

#endif

} // namespace cuzk::lanes
