#include "math/lanes/column_fft.hpp"

#include "math/lanes/column_fft_ifma.hpp"

#include <algorithm>
#include <utility>

namespace cuzk::lanes {

namespace {

std::size_t reversed(std::size_t i, int lg) {
  std::size_t out = 0;
  for (int b = 0; b < lg; ++b)
    out |= (i >> b & 1) << (lg - 1 - b);
  return out;
}

// One butterfly of every column: rows `at` and `at + half`, eight elements each.
void butterfly(fr* low, fr* high, const fr& w) {
  for (int j = 0; j < 8; ++j) {
    const fr t = high[j] * w;
    high[j] = low[j] - t;
    low[j] += t;
  }
}

void gather(const column_job& job, int lg, fr* buffer) {
  const std::size_t n = std::size_t{1} << lg;
  fr factor[8];
  std::copy(job.before.start, job.before.start + 8, factor);
  for (std::size_t i = 0; i < n; ++i) {
    fr* row = buffer + 8 * reversed(i, lg);
    for (int j = 0; j < 8; ++j) {
      row[j] = job.in[i * job.in_stride + static_cast<std::size_t>(j)];
      if (job.before.used) {
        row[j] *= factor[j];
        factor[j] *= job.before.step[j];
      }
    }
  }
}

void scatter(const column_job& job, std::size_t n, const fr* buffer) {
  fr factor[8];
  std::copy(job.after.start, job.after.start + 8, factor);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < 8; ++j) {
      fr value = buffer[8 * k + j];
      if (job.after.used) {
        value *= factor[j];
        factor[j] *= job.after.step[j];
      }
      job.out[job.transposed ? j * job.out_stride + k : k * job.out_stride + j] = value;
    }
}

void column_fft_portable(const root_table& roots, const column_job& job, fr* buffer) {
  const std::size_t n = std::size_t{1} << roots.lg;
  gather(job, roots.lg, buffer);
  for (std::size_t half = 1; half < n; half *= 2)
    for (std::size_t block = 0; block < n; block += 2 * half)
      for (std::size_t k = 0; k < half; ++k)
        butterfly(buffer + 8 * (block + k), buffer + 8 * (block + k + half), roots.roots[k * (n / 2 / half)]);
  scatter(job, n, buffer);
}

} // namespace

root_table make_roots(int lg, const fr& w, bool for_ifma) {
  root_table out;
  out.lg = lg;
  const std::size_t count = lg == 0 ? 0 : std::size_t{1} << (lg - 1);
  out.roots.resize(count);
  fr power = fr::one();
  for (auto& root : out.roots) {
    root = power;
    power *= w;
  }
  if (for_ifma)
    for (const auto& root : out.roots)
      append_limbs52(out.limbs52, root);
  return out;
}

std::size_t column_scratch_bytes(int lg, bool ifma) {
  return (std::size_t{1} << lg) * 8 * (ifma ? 40 : sizeof(fr));
}

void column_fft(const root_table& roots, const column_job& job, void* scratch, bool ifma) {
  if (ifma)
    column_fft_ifma(roots, job, scratch);
  else
    column_fft_portable(roots, job, static_cast<fr*>(scratch));
}

} // namespace cuzk::lanes
