#pragma once
// The process's one pool of compute threads.
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cuzk {

/// A fixed set of threads. Tasks run in order of submission; `parallel_for` splits a loop over the threads
/// and the caller, so it may be called from inside a task without risk of waiting for itself.
class thread_pool {
public:
  /// @param threads how many threads compute at once, the caller of parallel_for included; 0 = one per processor.
  explicit thread_pool(unsigned threads = 0);
  ~thread_pool();
  thread_pool(const thread_pool&) = delete;
  thread_pool& operator=(const thread_pool&) = delete;

  unsigned threads() const noexcept { return threads_; }

  /// Queues a task; returns at once. Tasks must not throw.
  void submit(std::function<void()> task);

  /// Calls body(begin, end) over disjoint pieces that cover [0, n), at most `grain` long, and returns when all are
  /// done. Pieces are handed out one at a time, so uneven pieces leave no thread idle.
  void parallel_for(std::size_t n, std::size_t grain, const std::function<void(std::size_t, std::size_t)>& body);

private:
  void run();

  unsigned threads_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  bool stopping_ = false;
  std::vector<std::thread> workers_;
};

} // namespace cuzk
