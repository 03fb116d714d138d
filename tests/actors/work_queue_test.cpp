#include "actors/work_queue.hpp"
#include "tests/support/catch.hpp"

#include <random>

using namespace cuzk;

namespace {

work_order order(job_class cls, std::uint64_t job, std::int64_t partition = 0) {
  work_order o;
  o.cls = cls;
  o.job = job_id{job};
  o.partition = partition;
  return o;
}
bool any(const work_order&) {
  return true;
}

} // namespace

TEST_CASE("urgency is class, priority, deadline, job, partition") {
  std::vector<work_order> in_order(7, order(job_class::bulk, 5, 1));
  in_order[0] = order(job_class::winning, 9);
  in_order[1] = order(job_class::bulk, 9);
  in_order[1].unimportance = -3;
  in_order[2] = order(job_class::bulk, 8);
  in_order[2].deadline_us = 100;
  in_order[3] = order(job_class::bulk, 5, -1);
  in_order[4] = order(job_class::bulk, 5, 0);
  in_order[6] = order(job_class::background, 1);
  work_queue q(1'000'000, 4);
  for (auto it = in_order.rbegin(); it != in_order.rend(); ++it)
    q.add(*it, 0);
  for (const auto& want : in_order) {
    const auto got = q.pick(0, any);
    REQUIRE(got);
    CHECK(*got == want);
    q.take(*got, 0);
  }
  CHECK(q.empty());
}

TEST_CASE("unusable pieces are passed over, usable ones behind them found") {
  work_queue q(1'000'000, 4);
  q.add(order(job_class::bulk, 1), 0);
  q.add(order(job_class::bulk, 2), 0);
  const auto got = q.pick(0, [](const work_order& o) { return o.job == job_id{2}; });
  REQUIRE(got);
  CHECK(got->job == job_id{2});
  CHECK_FALSE(q.pick(0, [](const work_order&) { return false; }));
}

TEST_CASE("a piece that has aged gets one turn in so many, but not before winning work") {
  work_queue q(1000, 3);
  q.add(order(job_class::background, 1), 0);
  std::vector<std::uint64_t> taken;
  for (std::uint64_t job = 2; job < 12; ++job) {
    q.add(order(job_class::window, job), 2000);
    const auto got = q.pick(2000, any);
    taken.push_back(number(got->job));
    q.take(*got, 2000);
  }
  CHECK(taken[3] == 1); // after three others
  work_queue w(1000, 1);
  w.add(order(job_class::background, 1), 0);
  for (int i = 0; i < 5; ++i) {
    w.add(order(job_class::winning, 10 + static_cast<std::uint64_t>(i)), 2000);
    const auto got = w.pick(2000, any);
    CHECK(got->cls == job_class::winning);
    w.take(*got, 2000);
  }
}

TEST_CASE("random use: nothing is lost, and every aged piece is served while urgent work never ends") {
  std::mt19937_64 random(7);
  work_queue q(10'000, 8);
  std::map<work_order, std::int64_t> inside;
  std::int64_t now = 0, worst = 0;
  for (std::uint64_t i = 1; i <= 100'000; ++i) {
    now += 10;
    auto o = order(i % 20 == 0 ? job_class::background : job_class::window, i);
    q.add(o, now);
    inside[o] = now;
    const auto got = q.pick(now, any);
    REQUIRE(got);
    REQUIRE(inside.count(*got) == 1);
    worst = std::max(worst, now - inside[*got]);
    inside.erase(*got);
    q.take(*got, now);
    REQUIRE(q.size() == inside.size());
  }
  CHECK(worst < 1'000'000);
  CHECK(q.size() < 5);
}
