#include "runtime/base/thread_pool.hpp"
#include "tests/support/catch.hpp"

#include <numeric>

using namespace cuzk;

TEST_CASE("parallel_for covers every index once") {
  for (unsigned threads : {1u, 2u, 5u}) {
    thread_pool pool(threads);
    for (std::size_t n : {0u, 1u, 7u, 64u, 1000u})
      for (std::size_t grain : {1u, 3u, 64u, 5000u}) {
        std::vector<std::atomic<int>> hits(n);
        pool.parallel_for(n, grain, [&](std::size_t begin, std::size_t end) {
          for (auto i = begin; i < end; ++i)
            hits[i].fetch_add(1);
        });
        bool once = true;
        for (auto& h : hits)
          once = once && h.load() == 1;
        CHECK(once);
      }
  }
}

TEST_CASE("a task may split a loop on its own pool") {
  thread_pool pool(2);
  std::atomic<int> sum{0};
  std::atomic<bool> done{false};
  for (int t = 0; t < 4; ++t)
    pool.submit([&] {
      pool.parallel_for(100, 1, [&](std::size_t b, std::size_t) { sum.fetch_add(static_cast<int>(b)); });
      if (sum.load() == 4 * 4950)
        done.store(true);
    });
  while (!done.load())
    std::this_thread::yield();
  CHECK(sum.load() == 4 * 4950);
}
