// The CUDA backend through its interface: the CPU's bytes, order, cancellation, a fault at every CUDA call, memory that
// comes back, and how long proofs take.
// Usage: backend_test FOLDER JOB_FILE...; test keys are made in FOLDER. With --fast, no faults are injected; with
// --bytes, bytes, order and cancels alone (for compute-sanitizer).
#include "circuits/catalog.hpp"
#include "cuda/backend/cuda_backend.hpp"
#include "cuda/device/faults.hpp"
#include "filecoin/input.hpp"
#include "groth16/prove.hpp"
#include "groth16/test_key.hpp"
#include "groth16/verify.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <string>
#include <vector>

using namespace cuzk;
using namespace cuzk::groth16;

namespace {

template <class T>
T need(result<T> r) {
  if (!r) {
    std::fprintf(stderr, "%s\n", r.err().message().c_str());
    std::exit(1);
  }
  return *std::move(r);
}

struct answer {
  result<proof_bytes> proof = error{};
  prove_timings timings;
  unsigned number = 0; ///< of the answers, in order
};

/// Keeps an answer for who waits for it.
class waiting_listener final : public prove_listener {
public:
  explicit waiting_listener(std::atomic<unsigned>& counter) : counter_(counter) {}
  std::future<answer> future() { return promise_.get_future(); }
  void stage_done(stage, double) override { ++stages; }
  void proved(const raw_proof& proof, const prove_timings& timings) override {
    promise_.set_value({encode_proof(proof), timings, counter_++});
  }
  void failed(error why) override { promise_.set_value({std::move(why), {}, counter_++}); }
  std::atomic<unsigned> stages{0};

private:
  std::atomic<unsigned>& counter_;
  std::promise<answer> promise_;
};

/// A request with the bytes that must come of it.
struct sample {
  std::string name;
  prove_request request;
  proof_bytes expected;
};

sample read_sample(const std::string& path, const std::string& folder, thread_pool& pool) {
  const auto file = need(mapped_file::open(path));
  const auto job = need(filecoin::load_job(file.bytes()));
  const auto text = need(circuits::find_circuit(job.circuit));
  const auto shape = need(read_circuit(*text));
  const auto files = need(generate_test_key({job.circuit, toxic_of_seed(5), "5", folder}, {pool}));
  sample out;
  out.name = to_string(job.circuit);
  out.request.key = need(proving_key::open(files.paths.params, *shape, {}));
  out.request.circuit = shape;
  out.request.witness = std::make_shared<const compact_witness>(need(text->witness(job.partitions[0], pool)));
  out.request.r = fr::from_u64(12345);
  out.request.s = fr::from_u64(67890);
  prove_timings timings;
  const auto proof = need(prove(
    out.request, pool, [](stage, double) {}, timings));
  need(verify(out.request.key->vk(), proof, out.request.witness->public_inputs()));
  out.expected = encode_proof(proof);
  return out;
}

class bench {
public:
  bench(const cuda::device_info& device, thread_pool& pool) : backend_(need(cuda::make_backend(device, pool))) {}

  std::future<answer> start(const prove_request& request) {
    auto listener = std::make_shared<waiting_listener>(counter_);
    auto out = listener->future();
    backend_->prove(request, listener);
    return out;
  }
  answer prove(const prove_request& request) { return start(request).get(); }
  groth16::backend& backend() { return *backend_; }
  int wrong = 0;

  void check(bool good, const std::string& what) {
    if (!good)
      std::printf("WRONG: %s\n", what.c_str());
    wrong += !good;
  }
  void check(const answer& got, const sample& s, const std::string& what) {
    check(got.proof.has_value(), s.name + ", " + what + ": " + (got.proof ? "" : got.proof.err().message()));
    if (got.proof)
      check(*got.proof == s.expected, s.name + ", " + what + ": other bytes");
  }

private:
  std::shared_ptr<groth16::backend> backend_;
  std::atomic<unsigned> counter_{0};
};

void check_bytes(bench& b, const sample& s) {
  for (const auto way : {derived_use::required, derived_use::off}) {
    auto request = s.request;
    request.derived = way;
    const auto start = std::chrono::steady_clock::now();
    const auto got = b.prove(request);
    b.check(got, s, way == derived_use::off ? "seven transforms" : "four transforms");
    std::printf("%s, %s: first proof with loading %.0f ms\n", s.name.c_str(),
                way == derived_use::off ? "seven transforms" : "four transforms",
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
}

void check_order(bench& b, const std::vector<sample>& samples) {
  std::vector<std::future<answer>> answers;
  for (int i = 0; i < 12; ++i)
    answers.push_back(b.start(samples[static_cast<std::size_t>(i) % samples.size()].request));
  unsigned last = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const auto got = answers[i].get();
    b.check(got, samples[i % samples.size()], "in a row");
    b.check(i == 0 || got.number > last, "answers in another order than requests");
    last = got.number;
  }
}

void check_cancel(bench& b, const sample& s) {
  auto request = s.request;
  request.cancel = {};
  request.cancel.cancel();
  const auto before = b.prove(request);
  b.check(!before.proof && before.proof.err().code == errc::cancelled, "a cancelled request was proved");
  for (int i = 0; i < 8; ++i) {
    auto later = s.request;
    later.cancel = {};
    auto answer = b.start(later);
    const auto wake = std::chrono::steady_clock::now() + std::chrono::microseconds(700 * i);
    while (std::chrono::steady_clock::now() < wake) {
    }
    later.cancel.cancel();
    const auto got = answer.get();
    b.check(got.proof ? *got.proof == s.expected : got.proof.err().code == errc::cancelled, "after a cancel");
  }
  b.check(b.prove(s.request), s, "after cancels");
}

void check_faults(bench& b, const sample& s) {
  b.prove(s.request);
  constexpr std::int64_t many = 1'000'000;
  cuda::call_to_fail = many;
  b.check(b.prove(s.request), s, "counted");
  const auto calls = many - cuda::call_to_fail.load();
  cuda::call_to_fail = 0;
  const auto before = need(cuda::device_memory_state()).free_bytes;
  int failed = 0;
  for (std::int64_t n = 1; n <= calls; ++n) {
    cuda::call_to_fail = n;
    const auto got = b.prove(s.request);
    cuda::call_to_fail = 0;
    failed += !got.proof;
    b.check(got.proof ? *got.proof == s.expected : got.proof.err().code == errc::gpu_fault,
            "fault at call " + std::to_string(n) + ": " + (got.proof ? "other bytes" : got.proof.err().message()));
    if (n % 8 == 0 || n == calls)
      b.check(b.prove(s.request), s, "after a fault at call " + std::to_string(n));
  }
  const auto after = need(cuda::device_memory_state()).free_bytes;
  b.check(after == before, "memory lost to faults: " + std::to_string((before - after) >> 20) + " MiB");
  std::printf("faults: %lld calls made to fail one at a time, %d proofs failed, none was wrong\n",
              static_cast<long long>(calls), failed);
}

void check_memory(bench& b, const std::vector<sample>& samples) {
  std::size_t after_four = 0, at_end = 0;
  for (std::size_t i = 0; i < 64; ++i) {
    b.check(b.prove(samples[i % samples.size()].request), samples[i % samples.size()], "one of 64");
    at_end = need(cuda::device_memory_state()).free_bytes;
    if (i == 2 * samples.size())
      after_four = at_end;
  }
  b.check(at_end == after_four, "memory of the device after 64 proofs differs");
}

void time_proofs(bench& b, const sample& s) {
  using milliseconds = std::chrono::duration<double, std::milli>;
  std::vector<double> alone;
  answer last;
  b.prove(s.request);
  for (int i = 0; i < 9; ++i) {
    const auto start = std::chrono::steady_clock::now();
    last = b.prove(s.request);
    alone.push_back(milliseconds(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(alone.begin(), alone.end());
  constexpr int backlog = 24;
  std::vector<std::future<answer>> answers;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < backlog; ++i)
    answers.push_back(b.start(s.request));
  for (auto& a : answers)
    b.check(a.get(), s, "of a backlog");
  const double each = milliseconds(std::chrono::steady_clock::now() - start).count() / backlog;
  std::printf("%s: warm, alone %.1f ms (best %.1f); of a backlog %.1f ms each; by stage", s.name.c_str(), alone[4],
              alone[0], each);
  for (const auto which : all_stages)
    std::printf(" %s %.2f", std::string(to_string(which)).c_str(), 1e3 * last.timings[which]);
  const auto need_of = b.backend().need(*s.request.circuit, derived_use::required);
  std::printf("; key %.1f MiB, scratch %.1f MiB\n", static_cast<double>(need_of.device_key_bytes) / (1 << 20),
              static_cast<double>(need_of.device_bytes) / (1 << 20));
}

} // namespace

int main(int argc, char** argv) {
  const auto devices = need(cuda::list_devices());
  if (devices.empty()) {
    std::printf("no CUDA device: skipped\n");
    return 77;
  }
  need(cuda::use_device(devices.front().index));
  std::vector<std::string> words(argv + 1, argv + argc);
  const bool fast = std::erase(words, "--fast") > 0, bytes_alone = std::erase(words, "--bytes") > 0;
  if (words.size() < 2) {
    std::fprintf(stderr, "usage: backend_test FOLDER JOB_FILE... [--fast | --bytes]\n");
    return 2;
  }
  thread_pool pool;
  std::vector<sample> samples;
  for (std::size_t i = 1; i < words.size(); ++i)
    samples.push_back(read_sample(words[i], words[0], pool));
  bench b(devices.front(), pool);
  for (const auto& s : samples)
    check_bytes(b, s);
  check_order(b, samples);
  check_cancel(b, samples.front());
  if (!fast && !bytes_alone)
    check_faults(b, samples.front());
  if (!bytes_alone) {
    check_memory(b, samples);
    for (const auto& s : samples)
      time_proofs(b, s);
  }
  std::printf("backend: %s\n", b.wrong == 0 ? "ok" : "WRONG");
  return b.wrong != 0;
}
