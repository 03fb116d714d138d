#include "runtime/base/thread_pool.hpp"

#include <algorithm>
#include <memory>

namespace cuzk {

thread_pool::thread_pool(unsigned threads)
  : threads_(threads != 0 ? threads : std::max(1u, std::thread::hardware_concurrency())) {
  workers_.reserve(threads_);
  for (unsigned i = 0; i < threads_; ++i)
    workers_.emplace_back([this] { run(); });
}

thread_pool::~thread_pool() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (auto& worker : workers_)
    worker.join();
}

void thread_pool::submit(std::function<void()> task) {
  {
    std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
}

void thread_pool::run() {
  for (;;) {
    std::function<void()> task;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
      if (tasks_.empty())
        return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }
}

namespace {

// One loop in progress. Helpers hold it by shared_ptr: a helper task that starts late finds no piece left.
struct loop_state {
  std::size_t n, grain, pieces;
  const std::function<void(std::size_t, std::size_t)>* body;
  std::atomic<std::size_t> next{0}, done{0};
  std::mutex mutex;
  std::condition_variable finished;

  void work() {
    for (;;) {
      const std::size_t piece = next.fetch_add(1);
      if (piece >= pieces)
        return;
      (*body)(piece * grain, std::min(n, (piece + 1) * grain));
      if (done.fetch_add(1) + 1 == pieces) {
        std::lock_guard lock(mutex);
        finished.notify_all();
      }
    }
  }
};

} // namespace

void thread_pool::parallel_for(std::size_t n, std::size_t grain,
                               const std::function<void(std::size_t, std::size_t)>& body) {
  if (n == 0)
    return;
  grain = std::max<std::size_t>(grain, 1);
  const std::size_t pieces = (n + grain - 1) / grain;
  if (pieces == 1 || threads_ == 1) {
    for (std::size_t begin = 0; begin < n; begin += grain)
      body(begin, std::min(n, begin + grain));
    return;
  }
  auto state = std::make_shared<loop_state>();
  state->n = n;
  state->grain = grain;
  state->pieces = pieces;
  state->body = &body;
  const std::size_t helpers = std::min<std::size_t>(threads_ - 1, pieces - 1);
  for (std::size_t i = 0; i < helpers; ++i)
    submit([state] { state->work(); });
  state->work();
  std::unique_lock lock(state->mutex);
  state->finished.wait(lock, [&] { return state->done.load() == state->pieces; });
}

} // namespace cuzk
