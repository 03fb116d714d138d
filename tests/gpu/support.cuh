#pragma once
// For the programs in tests/gpu: checks, waiting, buffers that abort on failure, points and scalars made on the device.
#include "cuda/device/device.hpp"
#include "cuda/points/adder.cuh"
#include "math/generators.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cuzk::cuda::test {

/// The value of a result, or the end of the program.
template <class T>
T need(result<T> r) {
  if (!r) {
    std::fprintf(stderr, "%s\n", r.err().message().c_str());
    std::exit(1);
  }
  return *std::move(r);
}

inline void cuda_ok(cudaError_t status, const char* doing) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\n", doing, cudaGetErrorString(status));
    std::exit(1);
  }
}

/// Waits for a stream: programs may, the room may not.
inline void finish(stream_handle s) {
  cuda_ok(cudaStreamSynchronize(s), "waiting for a stream");
}

/// Counts and prints wrong answers.
struct report {
  int wrong = 0;
  void check(bool good, const std::string& what) {
    if (!good)
      std::printf("WRONG: %s\n", what.c_str());
    wrong += !good;
  }
  int status(const char* program) const {
    std::printf("%s: %s\n", program, wrong == 0 ? "ok" : "WRONG");
    return wrong == 0 ? 0 : 1;
  }
};

/// n values on the device.
template <class T>
class array {
public:
  explicit array(std::size_t n) : memory_(need(device_memory::allocate(n * sizeof(T)))), n_(n) {}
  explicit array(const std::vector<T>& host) : array(host.size()) { put(host); }
  T* get() const { return memory_.as<T>(); }
  std::size_t size() const { return n_; }
  void put(const std::vector<T>& host) const {
    cuda_ok(cudaMemcpy(get(), host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "copying to the device");
  }
  std::vector<T> read(std::size_t n) const {
    std::vector<T> host(n);
    cuda_ok(cudaMemcpy(host.data(), get(), n * sizeof(T), cudaMemcpyDeviceToHost), "copying to the host");
    return host;
  }

private:
  device_memory memory_;
  std::size_t n_;
};

/// Exit status 77 (skipped) when there is no device.
inline device_info first_device() {
  const auto devices = need(list_devices());
  if (devices.empty()) {
    std::printf("no CUDA device: skipped\n");
    std::exit(77);
  }
  need(use_device(devices.front().index));
  return devices.front();
}

/// Milliseconds of each of `runs` calls after one warm-up, median. `before` is not timed.
template <class Before, class Call>
float median_ms(int runs, stream_handle s, Before before, Call call) {
  const event from = need(event::create()), to = need(event::create());
  std::vector<float> ms;
  for (int i = 0; i <= runs; ++i) {
    before(i);
    finish(s);
    need(from.record(s));
    call();
    need(to.record(s));
    finish(s);
    if (i > 0)
      ms.push_back(need(to.ms_since(from)));
  }
  std::sort(ms.begin(), ms.end());
  return ms[ms.size() / 2];
}

__host__ __device__ inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// Element i of a fixed pseudo-random sequence, reduced (as raw Montgomery words, uniform below 2^254 or so).
__host__ __device__ inline fr random_fr(std::uint64_t seed, std::uint64_t i) {
  big_int<4> k{};
  for (std::uint64_t attempt = 0;; ++attempt) {
    for (int j = 0; j < 4; ++j)
      k.limb[j] = mix(mix(seed + attempt * 0x1234567) ^ mix(4 * i + j));
    k.limb[3] &= 0x7fffffffffffffff;
    if (fr::is_canonical(k))
      return fr::raw(k);
  }
}

static __global__ void fill_random(fr* out, std::size_t n, std::uint64_t seed) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
       i += std::size_t(gridDim.x) * blockDim.x)
    out[i] = random_fr(seed, i);
}

/// sum of scalars[i] * (i + 1), one partial sum a thread.
static __global__ void sum_multiples(const fr* scalars, std::size_t n, fr* partial) {
  fr sum = fr::zero();
  const std::size_t me = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  for (std::size_t i = me; i < n; i += std::size_t(gridDim.x) * blockDim.x)
    sum += scalars[i] * fr::from_u64(i + 1);
  partial[me] = sum;
}

inline fr sum_of_multiples(const fr* scalars, std::size_t n) {
  const array<fr> partial(256 * 256);
  sum_multiples<<<256, 256>>>(scalars, n, partial.get());
  cuda_ok(cudaDeviceSynchronize(), "summing scalars");
  fr sum = fr::zero();
  for (const fr& x : partial.read(partial.size()))
    sum += x;
  return sum;
}

/// out[j] = points[j] + constant, for j < n.
template <class F>
struct plan_translate {
  using field = F;
  static constexpr bool with_signs = false, gathers = false;
  static constexpr u32 the_constant = 0xffffffff;
  const affine<F>* points;
  const affine<F>* constant;
  affine<F>* out;
  u32 n;
  __device__ u32 size() const { return n; }
  __device__ operands at(u32 j) const { return {j, the_constant}; }
  __device__ table_view<F> of(u32 i) const { return {i == the_constant ? constant : points}; }
  __device__ F x(u32 i) const { return of(i).x(i == the_constant ? 0 : i); }
  __device__ F y(u32 i) const { return of(i).y(i == the_constant ? 0 : i); }
  __device__ void put(u32 j, const affine<F>& p) const { out[j] = p; }
};

/// points[i] = (i + 1) G for i < n, by doubling the length of the table; the last of each round is a doubling.
template <class F>
void make_multiples(affine<F>* points, std::size_t n, int multiprocessors) {
  const u32 grid = multiprocessors * (quads<F> == 3 ? 4 : 2), depth = 32;
  const array<F> prefix(std::size_t(grid) * batch_block * depth);
  const array<u32> tickets(64);
  cuda_ok(cudaMemset(tickets.get(), 0, 64 * 4), "clearing tickets");
  const array<affine<F>> constant(1);
  adder add{grid, depth, reinterpret_cast<uint4*>(prefix.get()), tickets.get(), nullptr};
  auto step = jacobian<F>::from(generator<F>());
  cuda_ok(cudaMemcpy(points, std::vector<affine<F>>{generator<F>()}.data(), sizeof(affine<F>), cudaMemcpyHostToDevice),
          "copying the generator");
  for (std::size_t done = 1; done < n; done *= 2) {
    constant.put({step.to_affine()});
    add.run(plan_translate<F>{points, constant.get(), points + done, static_cast<u32>(std::min(done, n - done))});
    cuda_ok(cudaDeviceSynchronize(), "making points");
    step = step.doubled();
  }
}

/// Whether some of the points are the multiples they should be.
template <class F>
bool are_multiples(const affine<F>* points, std::size_t n) {
  for (std::size_t k = 0; k < 24; ++k) {
    const std::uint64_t i = k < 12 ? k % n : mix(k) % n, e = i + 1;
    affine<F> p;
    cuda_ok(cudaMemcpy(&p, points + i, sizeof p, cudaMemcpyDeviceToHost), "copying a point");
    if (p != jacobian<F>::from(generator<F>()).times(&e, 1).to_affine())
      return false;
  }
  return true;
}

} // namespace cuzk::cuda::test
