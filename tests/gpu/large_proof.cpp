// One partition of production size on a device: input, matrices and key are made here, then it is proved and verified.
// Usage: large_proof FOLDER CIRCUIT...      ("porep-32g"; FOLDER takes up to 46 GB)
// The key is a test key from known scalars with h and l left out: the derived way alone is taken.
#include "circuits/catalog.hpp"
#include "circuits/core/build.hpp"
#include "cuda/backend/cuda_backend.hpp"
#include "cuda/fixed_base/device_multiples.hpp"
#include "filecoin/sparse_input.hpp"
#include "groth16/prove.hpp"
#include "groth16/random.hpp"
#include "groth16/setup.hpp"
#include "groth16/verify.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <thread>

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

/// Says how long a part took.
class part {
public:
  explicit part(const char* name) : name_(name) {}
  ~part() {
    std::printf("%s: %.2f s\n", name_, seconds());
    std::fflush(stdout);
  }
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
  const char* name_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

status passed(cuda::stream_handle s) {
  CUZK_TRY(e, cuda::event::create());
  CUZK_CHECK(e.record(s));
  for (;;) {
    CUZK_TRY(reached, e.reached());
    if (reached)
      return ok();
    std::this_thread::yield();
  }
}

class waiting_listener final : public prove_listener {
public:
  std::future<result<raw_proof>> future() { return promise_.get_future(); }
  void stage_done(stage, double) override {}
  void proved(const raw_proof& proof, const prove_timings& timings) override {
    last = timings;
    promise_.set_value(proof);
  }
  void failed(error why) override { promise_.set_value(std::move(why)); }
  prove_timings last;

private:
  std::promise<result<raw_proof>> promise_;
};

int prove_one(const filecoin::circuit_name& name, const std::string& folder, const cuda::device_info& device,
              backend& engine, thread_pool& pool) {
  const auto text = need(circuits::find_circuit(name));
  std::shared_ptr<const circuit> of;
  std::shared_ptr<const compact_witness> witness;
  {
    const part p("rows and matrices, without their digest");
    of = make_circuit(to_string(name), text->wires(),
                      need(circuits::build_matrices(*text, circuits::with_digest::no)).matrices);
  }
  {
    const part p("input and witness");
    const auto input = need(filecoin::make_sparse_input({name}, pool));
    auto options = input.beside;
    options.max_bytes = input.text.size();
    const auto job =
      need(filecoin::load_job({reinterpret_cast<const std::uint8_t*>(input.text.data()), input.text.size()}, options));
    witness = std::make_shared<const compact_witness>(need(text->witness(job.partitions[0], pool)));
  }
  const auto stem = folder + "/" + to_string(name);
  const key_paths paths{stem + ".params", stem + ".vk", stem + ".params.derived"};
  {
    const part p("test key");
    key_work work{pool};
    work.derived_only = true;
    work.by = cuda::multiples_on({device.index, device.multiprocessors, std::size_t{1} << 22, passed});
    need(generate_key(*of, toxic_of_seed(1), paths, work));
  }
  prove_request request{need(proving_key::open(paths.params, *of, {})),
                        of,
                        witness,
                        need(random_scalar()),
                        need(random_scalar()),
                        derived_use::required};
  {
    const part p("key to the device");
    std::promise<status> loaded;
    engine.prepare(request.key, of, [&](status s) { loaded.set_value(std::move(s)); });
    need(loaded.get_future().get());
  }
  int wrong = 0;
  std::vector<double> alone;
  for (int i = 0; i < 4; ++i) {
    auto listener = std::make_shared<waiting_listener>();
    const auto start = std::chrono::steady_clock::now();
    auto answer = listener->future();
    engine.prove(request, listener);
    const auto proof = need(answer.get());
    alone.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    wrong += !verify(request.key->vk(), proof, witness->public_inputs());
    std::printf("%s: proof %d, witness to points %.4f s; ms:", to_string(name).c_str(), i, alone.back());
    for (const auto s : all_stages)
      std::printf(" %s %.2f", std::string(to_string(s)).c_str(), 1e3 * listener->last[s]);
    std::printf("%s\n", wrong == 0 ? ", verifies" : ", DOES NOT VERIFY");
    std::fflush(stdout);
  }
  constexpr int backlog = 6;
  std::vector<std::shared_ptr<waiting_listener>> listeners;
  std::vector<std::future<result<raw_proof>>> answers;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < backlog; ++i) {
    listeners.push_back(std::make_shared<waiting_listener>());
    answers.push_back(listeners.back()->future());
    engine.prove(request, listeners.back());
  }
  for (auto& a : answers)
    wrong += !verify(request.key->vk(), need(a.get()), witness->public_inputs());
  std::printf("%s: a backlog of %d, %.4f s each\n", to_string(name).c_str(), backlog,
              std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / backlog);
  const auto memory = engine.need(*of, derived_use::required);
  std::printf("%s: key %.2f GiB, scratch %.2f GiB, witness %.1f MB\n", to_string(name).c_str(),
              static_cast<double>(memory.device_key_bytes) / (1 << 30),
              static_cast<double>(memory.device_bytes) / (1 << 30), 1e-6 * static_cast<double>(witness->bytes()));
  engine.release(*request.key);
  request = {};
  for (const auto& path : {paths.params, paths.vk, paths.derived})
    std::filesystem::remove(path);
  return wrong;
}

} // namespace

int main(int argc, char** argv) {
  const auto devices = need(cuda::list_devices());
  if (devices.empty()) {
    std::printf("no CUDA device: skipped\n");
    return 77;
  }
  need(cuda::use_device(devices.front().index));
  thread_pool pool;
  const auto engine = need(cuda::make_backend(devices.front(), pool));
  int wrong = argc < 3;
  for (int i = 2; i < argc; ++i)
    wrong += prove_one(need(filecoin::parse_circuit_name(argv[i])), argv[1], devices.front(), *engine, pool);
  std::printf("large proof: %s\n", wrong == 0 ? "ok" : "WRONG");
  return wrong != 0;
}
