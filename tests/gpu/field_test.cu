// Device field arithmetic against the host's, word for word.
#include "tests/gpu/support.cuh"

using namespace cuzk;
using namespace cuzk::cuda::test;

namespace {

enum operation { op_add, op_sub, op_mul, op_square, op_negate, op_inverse, op_plain, op_count };
const char* const names[] = {"add", "sub", "mul", "square", "negate", "inverse", "to_int"};

template <class F>
__host__ __device__ F apply(operation op, const F& a, const F& b) {
  switch (op) {
  case op_add: return a + b;
  case op_sub: return a - b;
  case op_mul: return a * b;
  case op_square: return a.square();
  case op_negate: return -a;
  case op_inverse: return a.inverse();
  default: break;
  }
  return a;
}

template <class F>
__global__ void apply_all(operation op, const F* a, const F* b, F* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = apply(op, a[i], b[i]);
}

template <class F>
__global__ void to_int_all(const F* a, F* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = device::to_plain(a[i]);
}

__global__ void device_inverse(const fp* a, fp* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = device::inverse(a[i]);
}

/// Edge values first: 0, 1, 2, q - 1, q - 2, raw 1, words of ones; then a pseudo-random sequence.
template <class F>
std::vector<F> values(int n, std::uint64_t seed) {
  std::vector<F> v{F::zero(), F::one(), F::from_u64(2), -F::one(), -F::from_u64(2)};
  big_int<F::limbs> raw{};
  raw.limb[0] = 1;
  v.push_back(F::raw(raw));
  v.push_back(-F::raw(raw));
  for (int i = 0; i < F::limbs; ++i)
    raw.limb[i] = i + 1 < F::limbs ? ~0ull : 1;
  v.push_back(F::raw(raw));
  raw = {};
  raw.limb[1] = 0xffffffff00000000ull; // low 64 bits zero: a short step of the reduction
  v.push_back(F::raw(raw));
  F x = F::from_u64(seed), y = F::from_u64(mix(seed));
  while (static_cast<int>(v.size()) < n) {
    x = x * y + F::from_u64(v.size());
    v.push_back(x);
  }
  return v;
}

template <class F>
void compare(report& r, const char* field, operation op, const std::vector<F>& a, const std::vector<F>& b) {
  const int n = static_cast<int>(a.size());
  const array<F> da(a), db(b), out(a.size());
  if (op == op_plain)
    to_int_all<<<(n + 127) / 128, 128>>>(da.get(), out.get(), n);
  else
    apply_all<<<(n + 127) / 128, 128>>>(op, da.get(), db.get(), out.get(), n);
  const std::vector<F> got = out.read(n);
  int bad = 0;
  for (int i = 0; i < n; ++i)
    bad += got[i] != (op == op_plain ? F::raw(a[i].to_int()) : apply(op, a[i], b[i]));
  r.check(bad == 0, std::string(field) + " " + names[op] + ": " + std::to_string(bad) + " of " + std::to_string(n));
}

/// Every edge value against every other, and pairs of random ones.
template <class F>
void all_operations(report& r, const char* field) {
  const auto base = values<F>(64, 7);
  std::vector<F> a, b;
  for (const F& x : base)
    for (const F& y : base) {
      a.push_back(x);
      b.push_back(y);
    }
  const auto more = values<F>(20000, 11), others = values<F>(20000, 13);
  a.insert(a.end(), more.begin(), more.end());
  b.insert(b.end(), others.rbegin(), others.rend());
  for (int op = 0; op < op_count; ++op) {
    if (op == op_inverse) {
      a.resize(1000);
      b.resize(1000);
    }
    compare<F>(r, field, static_cast<operation>(op), a, b);
  }
}

void inverses(report& r) {
  const auto a = values<fp>(4000, 17);
  const array<fp> da(a), out(a.size());
  device_inverse<<<(4000 + 127) / 128, 128>>>(da.get(), out.get(), 4000);
  const auto got = out.read(a.size());
  int bad = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    bad += a[i].is_zero() ? !got[i].is_zero() : a[i] * got[i] != fp::one();
  r.check(bad == 0, "fp inverse by division steps: " + std::to_string(bad));
}

} // namespace

int main() {
  first_device();
  report r;
  all_operations<fr>(r, "fr");
  all_operations<fp>(r, "fp");
  inverses(r);
  return r.status("field");
}
