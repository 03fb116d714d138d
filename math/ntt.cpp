#include "math/ntt.hpp"

#include "math/cpu_features.hpp"

#include <algorithm>
#include <memory>
#include <new>

namespace cuzk {

fr root_of_unity(int lg) {
  // w32 = 0x16a2a19edfe81f20d09b681922c813b4b63683508c2280b93829971f439f0d2b
  fr w = fr::from_int({{0x3829971f439f0d2b, 0xb63683508c2280b9, 0xd09b681922c813b4, 0x16a2a19edfe81f20}});
  for (int i = lg; i < 32; ++i)
    w = w.square();
  return w;
}

namespace {

constexpr int small_lg = 6; // below: no eight columns

// Scratch of one task, aligned for the lanes.
class aligned_scratch {
public:
  explicit aligned_scratch(std::size_t size) : data_(::operator new (size, std::align_val_t{64})) {}
  aligned_scratch(const aligned_scratch&) = delete;
  aligned_scratch& operator=(const aligned_scratch&) = delete;
  ~aligned_scratch() { ::operator delete (data_, std::align_val_t{64}); }
  void* get() const noexcept { return data_; }

private:
  void* data_;
};

// scale * base^(first + j) for eight neighbours j, times the same step for each.
lanes::geometric neighbours(const fr& scale, const fr& base, std::size_t first, const fr& step) {
  lanes::geometric out;
  out.used = true;
  fr at = scale * base.pow(first);
  for (int j = 0; j < 8; ++j) {
    out.start[j] = at;
    out.step[j] = step;
    at *= base;
  }
  return out;
}

// The factors between the steps: element k of column c is multiplied by w^(c k).
lanes::geometric between(const fr& w, std::size_t first) {
  lanes::geometric out;
  out.used = true;
  fr step = w.pow(first);
  for (int j = 0; j < 8; ++j) {
    out.start[j] = fr::one();
    out.step[j] = step;
    step *= w;
  }
  return out;
}

} // namespace

ntt_domain::ntt_domain(int lg, ntt_path path)
  : lg_(lg), rows_lg_(lg / 2), columns_lg_(lg - lg / 2),
    ifma_(path == ntt_path::ifma || (path == ntt_path::best && cpu().avx512ifma)), w_(root_of_unity(lg)),
    size_inverse_(fr::from_u64(std::uint64_t{1} << lg).inverse()), ahead_(make_direction(w_)),
    back_(make_direction(w_.inverse())) {}

ntt_domain::direction ntt_domain::make_direction(const fr& w) const {
  if (lg_ < small_lg)
    return {w, {}, {}};
  const auto rows = std::uint64_t{1} << rows_lg_, columns = std::uint64_t{1} << columns_lg_;
  return {w, lanes::make_roots(rows_lg_, w.pow(columns), ifma_), lanes::make_roots(columns_lg_, w.pow(rows), ifma_)};
}

void ntt_domain::small(std::span<fr> data, const fr& w) const {
  const std::size_t n = data.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) { // bit reversal
    std::size_t bit = n / 2;
    for (; (j & bit) != 0; bit /= 2)
      j ^= bit;
    j |= bit;
    if (i < j)
      std::swap(data[i], data[j]);
  }
  for (std::size_t half = 1; half < n; half *= 2) {
    const fr step = w.pow(n / 2 / half);
    for (std::size_t block = 0; block < n; block += 2 * half) {
      fr factor = fr::one();
      for (std::size_t k = block; k < block + half; ++k, factor *= step) {
        const fr t = data[k + half] * factor;
        data[k + half] = data[k] - t;
        data[k] += t;
      }
    }
  }
}

void ntt_domain::steps(const direction& d, std::span<fr> data, std::span<fr> scratch, thread_pool& pool,
                       const fr& before, const fr& scale, const fr& after) const {
  const std::size_t rows = std::size_t{1} << rows_lg_, columns = std::size_t{1} << columns_lg_;
  const fr before_step = before.pow(columns), after_step = after.pow(rows);
  const bool shifted = before != fr::one(), scaled = scale != fr::one() || after != fr::one();
  const std::size_t room =
    std::max(lanes::column_scratch_bytes(rows_lg_, ifma_), lanes::column_scratch_bytes(columns_lg_, ifma_));
  const std::size_t grain = std::max<std::size_t>(1, columns / 8 / (8 * pool.threads()));
  pool.parallel_for(columns / 8, grain, [&](std::size_t begin, std::size_t end) {
    const aligned_scratch buffer(room);
    for (std::size_t c = 8 * begin; c < 8 * end; c += 8) {
      lanes::column_job job{data.data() + c, columns, scratch.data() + c * rows, rows, true, {}, between(d.w, c)};
      if (shifted)
        job.before = neighbours(fr::one(), before, c, before_step);
      lanes::column_fft(d.rows, job, buffer.get(), ifma_);
    }
  });
  pool.parallel_for(rows / 8, std::max<std::size_t>(1, grain / 2), [&](std::size_t begin, std::size_t end) {
    const aligned_scratch buffer(room);
    for (std::size_t c = 8 * begin; c < 8 * end; c += 8) {
      lanes::column_job job{scratch.data() + c, rows, data.data() + c, rows, false, {}, {}};
      if (scaled)
        job.after = neighbours(scale, after, c, after_step);
      lanes::column_fft(d.columns, job, buffer.get(), ifma_);
    }
  });
}

void ntt_domain::forward(std::span<fr> data, std::span<fr> scratch, thread_pool& pool, const fr& shift) const {
  if (lg_ >= small_lg)
    return steps(ahead_, data, scratch, pool, shift, fr::one(), fr::one());
  fr factor = fr::one();
  for (auto& x : data) {
    x *= factor;
    factor *= shift;
  }
  small(data, ahead_.w);
}

void ntt_domain::inverse(std::span<fr> data, std::span<fr> scratch, thread_pool& pool, const fr& shift) const {
  const fr back = shift.inverse();
  if (lg_ >= small_lg)
    return steps(back_, data, scratch, pool, fr::one(), size_inverse_, back);
  small(data, back_.w);
  fr factor = size_inverse_;
  for (auto& x : data) {
    x *= factor;
    factor *= back;
  }
}

} // namespace cuzk
