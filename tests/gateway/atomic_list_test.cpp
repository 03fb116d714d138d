#include "gateway/atomic_list.hpp"
#include "tests/support/catch.hpp"

#include <memory>
#include <thread>

using namespace cuzk;

TEST_CASE("one thread gets back what it pushed, in order") {
  atomic_list<std::unique_ptr<int>> list;
  CHECK(list.empty());
  CHECK(list.take_all().empty());
  for (int i = 0; i < 5; ++i)
    list.push(std::make_unique<int>(i));
  CHECK_FALSE(list.empty());
  const auto all = list.take_all();
  REQUIRE(all.size() == 5);
  for (int i = 0; i < 5; ++i)
    CHECK(*all[static_cast<std::size_t>(i)] == i);
  CHECK(list.empty());
}

TEST_CASE("what is left in a list goes with it") {
  auto counted = std::make_shared<int>(0);
  {
    atomic_list<std::shared_ptr<int>> list;
    list.push(counted);
    list.push(counted);
  }
  CHECK(counted.use_count() == 1);
}

TEST_CASE("many producers: nothing is lost or doubled, each producer's order holds") {
  constexpr int producers = 4, each = 20'000;
  atomic_list<std::pair<int, int>> list;
  std::vector<std::thread> threads;
  for (int p = 0; p < producers; ++p)
    threads.emplace_back([&list, p] {
      for (int i = 0; i < each; ++i)
        list.push({p, i});
    });
  std::vector<int> next(producers, 0);
  int wrong = 0;
  for (int seen = 0; seen < producers * each;)
    for (const auto& [p, i] : list.take_all()) {
      wrong += next[static_cast<std::size_t>(p)]++ != i;
      ++seen;
    }
  for (auto& t : threads)
    t.join();
  CHECK(wrong == 0);
  CHECK(list.take_all().empty());
}
