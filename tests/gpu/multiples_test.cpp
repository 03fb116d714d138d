// Multiples of the generators on the device against the processor's, both groups, both forms, and how fast; then whole
// keys. Usage: multiples_test FOLDER CIRCUIT...; default winning-2k. The keys are made in FOLDER and removed.
#include "circuits/catalog.hpp"
#include "cuda/device/device.hpp"
#include "cuda/fixed_base/device_multiples.hpp"
#include "cuda/fixed_base/fixed_base.hpp"
#include "groth16/circuit.hpp"
#include "groth16/mapped_file.hpp"
#include "groth16/setup.hpp"
#include "math/encoding.hpp"
#include "math/generators.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

using namespace cuzk;
using namespace cuzk::cuda;

namespace {

template <class T>
T need(result<T> r) {
  if (!r) {
    std::fprintf(stderr, "%s\n", r.err().message().c_str());
    std::exit(1);
  }
  return *std::move(r);
}

status finish(stream_handle s) {
  CUZK_TRY(e, event::create());
  CUZK_CHECK(e.record(s));
  for (;;) {
    CUZK_TRY(reached, e.reached());
    if (reached)
      return ok();
    std::this_thread::yield();
  }
}

fr random_scalar(std::uint64_t i) {
  fr x = fr::from_u64(i * 0x9e3779b97f4a7c15 + 1);
  for (int k = 0; k < 5; ++k)
    x = x * x + fr::from_u64(i);
  return x;
}

/// Edges first: 0, 1, r - 1, single digits at their bounds; then random, every fifth like its neighbour.
std::vector<fr> some_scalars(std::size_t n) {
  std::vector<fr> out{fr::zero(), fr::one(), -fr::one()};
  for (int w = 0; w < multiples_windows - 1; ++w)
    for (const std::uint64_t d : {1, 0x7fff, 0x8000, 0x8001, 0xffff})
      out.push_back(fr::from_u64(d) * fr::from_u64(1 << 16).pow(w));
  for (std::size_t i = out.size(); i < n; ++i)
    out.push_back(i % 5 == 0 ? out[i - 1] : random_scalar(i));
  out.resize(n);
  return out;
}

template <class F>
int compare(groth16::multiples& by, std::size_t n, const char* name) {
  constexpr std::size_t size = uncompressed_size<F>;
  const auto ask = sizeof(F) == sizeof(fp) ? &groth16::multiples::g1 : &groth16::multiples::g2;
  const auto scalars = some_scalars(n);
  bytes plain(n * size), encoded(n * size);
  need((by.*ask)(scalars, groth16::point_form::montgomery, plain));
  need((by.*ask)(scalars, groth16::point_form::uncompressed, encoded));
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; i += i < 200 ? 1 : n / 64 + 1) {
    const auto k = scalars[i].to_int();
    const affine<F> expected = jacobian<F>::from(generator<F>()).times(k.limb, 4).to_affine();
    std::uint8_t text[size];
    write_uncompressed(expected, std::span<std::uint8_t, size>(text));
    wrong += std::memcmp(&expected, plain.data() + i * size, size) != 0;
    wrong += std::memcmp(text, encoded.data() + i * size, size) != 0;
  }
  if (wrong != 0)
    std::printf("WRONG: %s, %zu multiples: %zu\n", name, n, wrong);
  return wrong != 0;
}

/// Milliseconds of a call, the best of three after one to warm up.
template <class Call>
float best_ms(stream_handle s, const Call& call) {
  const event from = need(event::create()), to = need(event::create());
  float best = 1e9f;
  for (int i = 0; i < 4; ++i) {
    need(from.record(s));
    need(call());
    need(to.record(s));
    need(finish(s));
    if (i > 0)
      best = std::min(best, need(to.ms_since(from)));
  }
  return best;
}

template <class F>
void time_multiples(std::size_t n, int multiprocessors, const char* name) {
  const auto plan =
    need(plan_multiples(sizeof(F) == sizeof(fp) ? curve_group::g1 : curve_group::g2, n, multiprocessors));
  const auto table = need(device_memory::allocate(plan.table_bytes));
  const auto scratch = need(device_memory::allocate(plan.scratch_bytes));
  const auto scalars = need(device_memory::allocate(n * sizeof(fr)));
  const auto points = need(device_memory::allocate(n * sizeof(affine<F>)));
  auto* out = points.template as<affine<F>>();
  const stream s = need(stream::create());
  std::vector<fr> host(n);
  for (std::size_t i = 0; i < n; ++i)
    host[i] = random_scalar(i);
  need(copy_to_device(scalars.data(), host.data(), n * sizeof(fr), s.get()));
  need(finish(s.get()));
  const auto count = static_cast<std::uint32_t>(n);
  const float made = best_ms(
    s.get(), [&] { return queue_multiples_table(plan, generator<F>(), table.data(), scratch.data(), s.get()); });
  const float ms = best_ms(s.get(), [&] {
    return queue_multiples(plan, table.data(), scalars.template as<fr>(), count, out, scratch.data(), s.get());
  });
  const float written = best_ms(s.get(), [&] { return queue_uncompressed(out, count, s.get()); });
  std::printf("%s: table %.2f ms; 2^%d multiples %.2f ms (%.2f G additions/s); uncompressed %.2f ms\n", name,
              static_cast<double>(made), std::countr_zero(n), static_cast<double>(ms),
              15e-6 * static_cast<double>(n) / static_cast<double>(ms), static_cast<double>(written));
}

/// The key of a circuit by the device and by the processor: the same files.
int compare_keys(const char* name, const std::string& folder, const device_multiples_options& options) {
  namespace fs = std::filesystem;
  thread_pool pool;
  const auto of = need(groth16::read_circuit(*need(circuits::find_circuit(need(filecoin::parse_circuit_name(name))))));
  const auto toxic = groth16::toxic_of_seed(3);
  const auto paths_in = [&](const char* who) {
    const auto stem = folder + "/" + name + "-" + who;
    fs::create_directories(folder);
    return groth16::key_paths{stem + ".params", stem + ".vk", stem + ".derived"};
  };
  const auto ours = paths_in("device"), theirs = paths_in("processor");
  const auto seconds = [&](const groth16::key_paths& paths, const groth16::key_work& work) {
    const auto start = std::chrono::steady_clock::now();
    need(groth16::generate_key(*of, toxic, paths, work));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  groth16::key_work on_device{pool};
  on_device.by = multiples_on(options);
  const double device = seconds(ours, on_device), processor = seconds(theirs, {pool});
  const bool same = groth16::same_bytes(ours.params, theirs.params) && groth16::same_bytes(ours.vk, theirs.vk) &&
                    groth16::same_bytes(ours.derived, theirs.derived);
  std::printf("key of %s: device %.2f s, %u threads %.2f s: %s\n", name, device, pool.threads(), processor,
              same ? "equal" : "WRONG");
  for (const auto& p : {ours, theirs})
    for (const auto& path : {p.params, p.vk, p.derived})
      fs::remove(path);
  return !same;
}

} // namespace

int main(int argc, char** argv) {
  const auto devices = need(list_devices());
  if (devices.empty()) {
    std::printf("no CUDA device: skipped\n");
    return 77;
  }
  const auto& device = devices.front();
  const device_multiples_options options{device.index, device.multiprocessors, std::size_t{1} << 15, finish};
  const auto by = need(multiples_on(options)({generator<fp>(), generator<fp2>(), 1 << 20, 1 << 20}));
  int wrong = 0;
  for (const std::size_t n : {1, 31, 33, 1000, 1 << 15}) {
    wrong += compare<fp>(*by, n, "G1");
    wrong += compare<fp2>(*by, n, "G2");
  }
  time_multiples<fp>(std::size_t{1} << 22, device.multiprocessors, "G1");
  time_multiples<fp2>(std::size_t{1} << 21, device.multiprocessors, "G2");
  auto large = options;
  large.piece = std::size_t{1} << 22;
  const std::string folder = argc > 1 ? argv[1] : ".";
  if (argc <= 2)
    wrong += compare_keys("winning-2k", folder, large);
  for (int i = 2; i < argc; ++i)
    wrong += compare_keys(argv[i], folder, large);
  std::printf("multiples: %s\n", wrong == 0 ? "ok" : "WRONG");
  return wrong != 0;
}
