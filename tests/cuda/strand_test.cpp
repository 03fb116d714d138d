// Tasks of a strand: in order, one at a time, from many threads.
#include "cuda/backend/strand.hpp"
#include "tests/support/catch.hpp"

#include <future>

using cuzk::thread_pool;
using cuzk::cuda::strand;

namespace {

/// Waits, in a test, until the strand has done all that was posted before.
void finish(strand& s) {
  std::promise<void> done;
  s.post([&] { done.set_value(); });
  done.get_future().get();
}

} // namespace

TEST_CASE("tasks of one thread run in the order they were posted") {
  thread_pool pool(3);
  const auto s = std::make_shared<strand>(pool);
  std::vector<int> seen, expected;
  for (int i = 0; i < 1000; ++i) {
    expected.push_back(i);
    s->post([&seen, i] { seen.push_back(i); });
  }
  finish(*s);
  CHECK(seen == expected);
}

TEST_CASE("no two tasks run at once, whoever posts them, and none is lost") {
  thread_pool pool(4);
  const auto s = std::make_shared<strand>(pool);
  std::atomic<int> inside{0}, overlaps{0};
  int count = 0; // no atomic: the strand is what protects it
  constexpr int threads = 4, each = 5000;
  std::vector<std::thread> posters;
  for (int t = 0; t < threads; ++t)
    posters.emplace_back([&] {
      for (int i = 0; i < each; ++i)
        s->post([&] {
          overlaps += inside.fetch_add(1) != 0;
          ++count;
          inside.fetch_sub(1);
        });
    });
  for (auto& t : posters)
    t.join();
  finish(*s);
  CHECK(count == threads * each);
  CHECK(overlaps == 0);
}

TEST_CASE("a task may post, and what it posts runs after it") {
  thread_pool pool(2);
  const auto s = std::make_shared<strand>(pool);
  std::vector<int> seen;
  std::promise<void> done;
  s->post([&] {
    s->post([&] {
      seen.push_back(2);
      done.set_value();
    });
    seen.push_back(1);
  });
  done.get_future().get();
  CHECK(seen == std::vector<int>{1, 2});
}

TEST_CASE("a strand that a task alone still holds goes away after it") {
  thread_pool pool(2);
  std::weak_ptr<strand> watched;
  std::promise<void> go, ran;
  {
    auto s = std::make_shared<strand>(pool);
    watched = s;
    strand* plain = s.get();
    plain->post([held = std::move(s), &go, &ran] {
      go.get_future().get();
      ran.set_value();
    });
  }
  CHECK_FALSE(watched.expired());
  go.set_value();
  ran.get_future().get();
  while (!watched.expired())
    std::this_thread::yield();
  CHECK(watched.expired());
}
