// Transforms against the definition: all values of small sizes, sparse polynomials of all sizes, and round trips.
#include "cuda/ntt/ntt.hpp"
#include "tests/gpu/support.cuh"

#include <cstring>

using namespace cuzk;
using namespace cuzk::cuda;
using namespace cuzk::cuda::test;

namespace {

constexpr std::initializer_list<ntt_kind> all_kinds = {ntt_kind::forward, ntt_kind::inverse, ntt_kind::inverse_to_coset,
                                                       ntt_kind::inverse_to_odd, ntt_kind::inverse_from_coset};

/// 7^((r - 1) / 2^lg)
fr root(int lg) {
  big_int<4> e = fr_params::modulus();
  e.limb[0] -= 1;
  fr w = fr::from_u64(7);
  for (int i = 0; i < 4; ++i)
    e.limb[i] = i < 3 ? (e.limb[i] >> 32 | e.limb[i + 1] << 32) : e.limb[i] >> 32;
  w = w.pow(e.limb, 4);
  for (int i = 32; i > lg; --i)
    w = w.square();
  return w;
}

/// The coefficients' factor, to the k, of each kind.
fr scale(ntt_kind kind, int lg) {
  if (kind == ntt_kind::inverse_to_coset)
    return fr::from_u64(7);
  if (kind == ntt_kind::inverse_to_odd)
    return root(lg + 1);
  if (kind == ntt_kind::inverse_from_coset)
    return fr::from_u64(7).inverse();
  return fr::one();
}

struct term {
  std::size_t place;
  fr value;
};

/// A few coefficients, the first and the last among them.
std::vector<term> sparse(int lg) {
  const std::size_t n = std::size_t(1) << lg;
  std::vector<term> t{{0, random_fr(5, 0)}};
  if (n > 1)
    t.push_back({n - 1, random_fr(5, 1)});
  for (std::uint64_t i = 2; i < 14; ++i) {
    const std::size_t place = mix(i * 77 + lg) & (n - 1);
    bool known = false;
    for (const term& other : t)
      known |= other.place == place;
    if (!known)
      t.push_back({place, random_fr(5, i)});
  }
  return t;
}

__global__ void count_different(const fr* a, const fr* b, std::size_t n, unsigned long long* count) {
  unsigned long long bad = 0;
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
       i += std::size_t(gridDim.x) * blockDim.x)
    bad += a[i] != b[i];
  if (bad != 0)
    atomicAdd(count, bad);
}

std::size_t differences(const array<fr>& a, const array<fr>& b, std::size_t n, stream_handle s) {
  const array<unsigned long long> count(1);
  need(fill_bytes(count.get(), 0, 8, s));
  count_different<<<1056, 256, 0, s>>>(a.get(), b.get(), n, count.get());
  finish(s);
  return count.read(1)[0];
}

struct buffers {
  array<fr> data, out, want;
  stream s;
  explicit buffers(std::size_t n) : data(n), out(n), want(n), s(need(stream::create())) {}
};

void put_sparse(const array<fr>& a, std::size_t n, const std::vector<term>& terms, const stream& s) {
  need(fill_bytes(a.get(), 0, n * sizeof(fr), s.get()));
  for (const term& t : terms)
    need(copy_to_device(a.get() + t.place, &t.value, sizeof(fr), s.get()));
  finish(s.get());
}

/// Values of a sparse polynomial at some points of the domain, and every kind of inverse back to its coefficients.
void sparse_size(report& r, const buffers& b, int lg) {
  const std::size_t n = std::size_t(1) << lg;
  const ntt_domain domain = need(ntt_domain::create(lg, all_kinds, b.s.get()));
  const auto terms = sparse(lg);
  const fr w = root(lg);
  for (const ntt_kind kind : all_kinds) {
    put_sparse(b.data, n, terms, b.s);
    need(fill_bytes(b.out.get(), 0xa5, n * sizeof(fr), b.s.get()));
    need(domain.run(ntt_kind::forward, b.data.get(), b.out.get(), b.s.get()));
    finish(b.s.get());
    if (kind == ntt_kind::forward) {
      int bad = 0;
      for (std::uint64_t i = 0; i < 40; ++i) {
        const std::size_t k = i < 4 ? (i < 2 ? i & (n - 1) : n - (i - 1)) : mix(i) & (n - 1);
        fr want = fr::zero(), got;
        for (const term& t : terms)
          want += t.value * w.pow(k).pow(t.place);
        cuda_ok(cudaMemcpy(&got, b.out.get() + k, sizeof got, cudaMemcpyDeviceToHost), "reading a value");
        bad += got != want;
      }
      r.check(bad == 0, "forward 2^" + std::to_string(lg) + ": " + std::to_string(bad) + " of 40 values");
      continue;
    }
    need(domain.run(kind, b.out.get(), b.data.get(), b.s.get()));
    auto scaled = terms;
    for (term& t : scaled)
      t.value *= scale(kind, lg).pow(t.place);
    put_sparse(b.want, n, scaled, b.s);
    const std::size_t bad = differences(b.data, b.want, n, b.s.get());
    r.check(bad == 0, "inverse kind " + std::to_string(static_cast<int>(kind)) + " 2^" + std::to_string(lg) + ": " +
                        std::to_string(bad) + " coefficients");
  }
}

/// Random data there and back, and a product in the places of the result.
void round_trip(report& r, const buffers& b, int lg) {
  const std::size_t n = std::size_t(1) << lg;
  const ntt_domain domain = need(ntt_domain::create(lg, {ntt_kind::forward, ntt_kind::inverse}, b.s.get()));
  fill_random<<<1056, 256, 0, b.s.get()>>>(b.data.get(), n, lg);
  fill_random<<<1056, 256, 0, b.s.get()>>>(b.want.get(), n, lg);
  need(domain.run(ntt_kind::forward, b.data.get(), b.out.get(), b.s.get()));
  need(domain.run(ntt_kind::inverse, b.out.get(), b.data.get(), b.s.get()));
  const std::size_t bad = differences(b.data, b.want, n, b.s.get());
  r.check(bad == 0, "round trip 2^" + std::to_string(lg) + ": " + std::to_string(bad) + " values");
}

/// Every value of a small size against the sums of the definition, with and without factors.
void by_definition(report& r, const buffers& b, int lg) {
  const std::size_t n = std::size_t(1) << lg;
  const ntt_domain domain = need(ntt_domain::create(lg, {ntt_kind::forward}, b.s.get()));
  std::vector<fr> a(n), factors(n);
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = i == 0 ? -fr::one() : random_fr(lg, i);
    factors[i] = random_fr(lg + 100, i);
  }
  const fr w = root(lg);
  const array<fr> times(factors);
  for (const bool with_factors : {false, true}) {
    b.data.put(a);
    need(domain.run(ntt_kind::forward, b.data.get(), b.out.get(), b.s.get(), with_factors ? times.get() : nullptr));
    finish(b.s.get());
    const auto got = b.out.read(n);
    std::size_t bad = 0;
    fr point = fr::one();
    for (std::size_t k = 0; k < n; ++k) {
      fr want = fr::zero();
      for (std::size_t j = n; j-- > 0;)
        want = want * point + a[j];
      bad += got[k] != (with_factors ? want * factors[k] : want);
      point *= w;
    }
    r.check(bad == 0, "definition 2^" + std::to_string(lg) + ": " + std::to_string(bad) + " values");
  }
}

} // namespace

/// Usage: ntt_test [largest lg, default 24].
int main(int argc, char** argv) {
  first_device();
  const int largest = argc > 1 ? std::atoi(argv[1]) : 24;
  const buffers b(std::size_t(1) << largest);
  report r;
  for (int lg = 1; lg <= std::min(largest, 11); ++lg)
    by_definition(r, b, lg);
  for (int lg = 1; lg <= largest; ++lg) {
    sparse_size(r, b, lg);
    round_trip(r, b, lg);
  }
  const stream s = need(stream::create());
  const ntt_domain few = need(ntt_domain::create(4, {ntt_kind::forward}, s.get()));
  r.check(!few.run(ntt_kind::inverse, b.data.get(), b.out.get(), s.get()), "a kind without tables is refused");
  r.check(!ntt_domain::create(29, {ntt_kind::forward}, s.get()), "2^29 is refused");
  return r.status("ntt");
}
