// Transforms over Fr: tables and launches.
#include "cuda/check.cuh"
#include "cuda/ntt/kernels.cuh"
#include "cuda/ntt/ntt.hpp"

namespace cuzk::cuda {
namespace {

/// The 2^lg-th root of unity 7^((r - 1) / 2^lg), lg <= 32.
fr root_of_unity(int lg) {
  const std::uint64_t e[4] = {0xfffe5bfeffffffff, 0x09a1d80553bda402, 0x299d7d483339d808, 0x0000000073eda753};
  fr w = fr::from_u64(7).pow(e, 4); // of order 2^32
  for (int i = 32; i > lg; --i)
    w = w.square();
  return w;
}

/// Coefficient k of the result is multiplied by this to the k.
fr scale_of(ntt_kind kind, int lg) {
  switch (kind) {
  case ntt_kind::forward:
  case ntt_kind::inverse: return fr::one();
  case ntt_kind::inverse_to_coset: return fr::from_u64(7);
  case ntt_kind::inverse_to_odd: return root_of_unity(lg + 1);
  case ntt_kind::inverse_from_coset: return fr::from_u64(7).inverse();
  }
  return fr::one();
}

constexpr int wide_tile_bytes = 72 << 10; // of a tile of 2^9 rows, with room for its powers

/// Shared memory a block of the current device may have.
int shared_memory_limit() {
  int device = 0, bytes = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "reading a device's limits");
  return bytes;
}

struct table_job {
  const fr** where;
  std::size_t n;
  fr first, base, step;
  int shift;
};

fr doubled_power(fr x, int lg) {
  for (int i = 0; i < lg; ++i)
    x = x.square();
  return x;
}

} // namespace

result<ntt_domain> ntt_domain::create(int lg, std::initializer_list<ntt_kind> kinds, stream_handle s,
                                      int largest_table_lg) {
  CUZK_TRY(shared, guarded(shared_memory_limit));
  CUZK_TRY(plan, plan_ntt(lg, largest_table_lg, shared < wide_tile_bytes ? max_pass_bits - 1 : max_pass_bits));
  ntt_domain d;
  d.plan_ = std::move(plan);
  const fr w = root_of_unity(lg), one = fr::one();
  std::vector<table_job> jobs;
  jobs.push_back({&d.roots_, std::size_t(1) << max_pass_bits, one, root_of_unity(max_pass_bits), one, 0});
  const int low_lg = lg < split_lg ? lg : split_lg;
  jobs.push_back({&d.low_, std::size_t(1) << split_lg, one, w, one, 0});
  jobs.push_back({&d.high_, std::size_t(1) << (lg - low_lg), one, doubled_power(w, split_lg), one, 0});
  for (const ntt_kind kind : kinds) {
    kind_tables& tables = d.kinds_[static_cast<std::size_t>(kind)];
    tables.made = true;
    const bool inverse = kind != ntt_kind::forward;
    for (std::size_t i = 0; i < d.plan_.passes.size(); ++i) {
      const ntt_pass& p = d.plan_.passes[i];
      const fr scale = doubled_power(scale_of(kind, lg), p.weight_lg);
      const fr span_root = root_of_unity(p.span_lg), step = inverse ? span_root.inverse() : span_root;
      const fr first = p.last && inverse ? fr::from_u64(std::uint64_t(1) << lg).inverse() : one;
      if (p.table)
        jobs.push_back({&tables.table[i], std::size_t(1) << p.span_lg, one, scale, step, p.stride_lg});
      else if (scale != one || first != one)
        jobs.push_back({&tables.scale[i], std::size_t(1) << p.bits, first, scale, one, 0});
    }
  }
  std::size_t total = 0;
  for (const table_job& j : jobs)
    total += j.n;
  CUZK_TRY(memory, device_memory::allocate(total * sizeof(fr)));
  d.memory_ = std::move(memory);
  fr* next = d.memory_.as<fr>();
  CUZK_CHECK(guarded([&] {
    for (const table_job& j : jobs) {
      fill_powers<<<static_cast<unsigned>((j.n + 255) / 256), 256, 0, s>>>(next, j.n, j.first, j.base, j.step, j.shift);
      check_launch("filling tables of powers");
      *j.where = next;
      next += j.n;
    }
    check(cudaFuncSetAttribute(transform_pass, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               shared < wide_tile_bytes ? shared : wide_tile_bytes),
          "preparing the transform kernel");
    check(cudaFuncSetAttribute(transform_pass, cudaFuncAttributePreferredSharedMemoryCarveout,
                               cudaSharedmemCarveoutMaxShared),
          "preparing the transform kernel");
  }));
  return std::move(d);
}

status ntt_domain::run(ntt_kind kind, fr* data, fr* out, stream_handle s, const fr* times) const {
  const kind_tables& tables = kinds_[static_cast<std::size_t>(kind)];
  if (!tables.made)
    return bad_input("kind", "the domain has no tables for this kind of transform");
  return guarded([&] {
    for (std::size_t i = 0; i < plan_.passes.size(); ++i) {
      const ntt_pass& p = plan_.passes[i];
      const pass_call call{p,
                           plan_.lg,
                           kind != ntt_kind::forward,
                           data,
                           roots_,
                           low_,
                           high_,
                           tables.scale[i],
                           tables.table[i],
                           p.last ? times : nullptr,
                           p.last ? out : data};
      transform_pass<<<static_cast<unsigned>(p.tiles), p.threads, p.shared_bytes, s>>>(call);
      check_launch("transform pass");
    }
  });
}

} // namespace cuzk::cuda
