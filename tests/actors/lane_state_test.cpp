#include "actors/lane_state.hpp"
#include "actors/lane_table.hpp"
#include "tests/actors/effects.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;
using namespace cuzk::test;

namespace {

lane_info info(std::uint32_t id = 0) {
  lane_info i;
  i.lane = lane_id{id};
  i.name = "lane" + std::to_string(id);
  return i;
}
prove_partition order(std::uint32_t partition) {
  prove_partition p;
  p.ref = {job_id{1}, partition, 1};
  return p;
}

} // namespace

TEST_CASE("orders run in turn, each ends in one fact and one credit") {
  lane_state s(info(), 1);
  auto e = s.order(order(0), {});
  CHECK(of_kind<run_effect>(e).size() == 1);
  CHECK(of_kind<partition_started>(e).size() == 1);
  CHECK(s.order(order(1), {}).empty()); // waits for its turn
  e = s.stage(1, prove_stage::ntt, 5);
  CHECK(of_kind<stage_done>(e).at(0).ref.partition == 0);
  e = s.proved(1, {}, {}, 400);
  CHECK(of_kind<proved_effect>(e).size() == 1);
  CHECK(of_kind<lane_credit>(e).size() == 1);
  CHECK(of_kind<run_effect>(e).at(0).order.ref.partition == 1);
  CHECK(of_kind<partition_started>(e).size() == 1);
  e = s.failed(2, {errc::gpu_fault, "x"}, 500);
  CHECK(of_kind<partition_failed>(e).at(0).why.code == errc::gpu_fault);
  CHECK(of_kind<lane_credit>(e).size() == 1);
  CHECK(s.held() == 0);
  CHECK(s.proved(2, {}, {}, 600).empty()); // an answer nobody waits for
}

TEST_CASE("a backend that likes two gets two, and the second starts when the first ends") {
  lane_state s(info(), 2);
  s.order(order(0), {});
  const auto e = s.order(order(1), {});
  CHECK(of_kind<run_effect>(e).size() == 1);
  CHECK(of_kind<partition_started>(e).empty());
  CHECK(of_kind<partition_started>(s.proved(1, {}, {}, 10)).size() == 1);
}

TEST_CASE("a step done beside the first is a start, and what has started is not called back") {
  lane_state s(info(), 2);
  s.order(order(0), {});
  s.order(order(1), {});
  const auto e = s.stage(2, prove_stage::eval, 5);
  CHECK(of_kind<partition_started>(e).at(0).ref.partition == 1);
  CHECK(of_kind<stage_done>(e).size() == 1);
  CHECK(of_kind<partition_started>(s.stage(2, prove_stage::ntt, 5)).empty());
  CHECK(s.cancel({{job_id{1}, 1, 1}, true}, 1).empty());
  CHECK(of_kind<partition_started>(s.proved(1, {}, {}, 10)).empty()); // said before
}

TEST_CASE("a gap that the backend tells is not guessed") {
  lane_state s(info(), 1);
  s.order(order(0), {});
  s.proved(1, {}, {}, 1'000'000);
  s.order(order(1), {});
  prove_timings t;
  t.idle_before = 0;
  CHECK(of_kind<proved_effect>(s.proved(2, {}, t, 9'000'000)).at(0).fact.timings.idle_before == 0);
}

TEST_CASE("the gap between two partitions is told with the second") {
  lane_state s(info(), 1);
  s.order(order(0), {});
  s.proved(1, {}, {}, 1'000'000);
  s.order(order(1), {});
  prove_timings t;
  t.total = 0.75;
  const auto e = s.proved(2, {}, t, 2'000'000);
  CHECK(of_kind<proved_effect>(e).at(0).fact.timings.idle_before == 0.25);
}

TEST_CASE("what waits is cancelled at once, what runs when the backend says so") {
  lane_state s(info(), 1);
  s.order(order(0), {});
  s.order(order(1), {});
  auto e = s.cancel({{job_id{1}, 1, 1}, true}, 1);
  CHECK(of_kind<partition_failed>(e).at(0).why.code == errc::cancelled);
  CHECK(of_kind<lane_credit>(e).size() == 1);
  CHECK(s.cancel({{job_id{1}, 0, 1}, true}, 1).empty()); // it has begun
  e = s.cancel({{job_id{1}, 0, 1}, false}, 1);
  CHECK(of_kind<stop_effect>(e).at(0).run == 1);
  CHECK(of_kind<partition_failed>(e).empty());
  e = s.failed(1, {errc::cancelled, "stopped"}, 2);
  CHECK(of_kind<partition_failed>(e).size() == 1);
  CHECK(s.cancel({{job_id{1}, 0, 1}, false}, 3).empty());
}

TEST_CASE("after a reset nothing is told of older orders, and new ones wait for the device") {
  lane_state s(info(), 1);
  s.order(order(0), {});
  s.order(order(1), {});
  auto e = s.reset();
  CHECK(of_kind<stop_effect>(e).size() == 1);
  CHECK(of_kind<lane_info>(e).size() == 1);
  CHECK(of_kind<run_effect>(s.order(order(5), {})).empty());
  e = s.proved(1, {}, {}, 3);
  CHECK(of_kind<proved_effect>(e).empty());
  CHECK(of_kind<lane_credit>(e).empty());
  CHECK(of_kind<run_effect>(e).at(0).order.ref.partition == 5);
}

TEST_CASE("the table counts credits and never gives more than there are") {
  lane_table t(3, 1000);
  t.join(info(0));
  CHECK(t.choose(job_class::bulk, {}) == lane_id{0});
  t.take(lane_id{0});
  t.take(lane_id{0});
  CHECK_FALSE(t.choose(job_class::bulk, {}));
  t.credit(lane_id{0}, 1); // too early: both are in flight
  CHECK_FALSE(t.choose(job_class::bulk, {}));
  t.ended(lane_id{0}, true);
  t.credit(lane_id{0}, 5);
  CHECK(t.free_credits(job_class::bulk) == 1);
  t.leave(lane_id{0});
  t.credit(lane_id{0}, 1);
  CHECK(t.in_service(job_class::bulk) == 0);
}

TEST_CASE("the emptiest lane is chosen, an avoided one only when it is alone") {
  lane_table t(3, 1000);
  t.join(info(0));
  t.join(info(1));
  t.take(lane_id{0});
  CHECK(t.choose(job_class::bulk, {}) == lane_id{1});
  CHECK(t.choose(job_class::bulk, {lane_id{1}}) == lane_id{0});
  t.take(lane_id{0});
  CHECK_FALSE(t.choose(job_class::bulk, {lane_id{1}})); // lane 0 is in service and will be free
  t.leave(lane_id{0});
  CHECK(t.choose(job_class::bulk, {lane_id{1}}) == lane_id{1});
}

TEST_CASE("faults within the window quarantine a lane until it is released") {
  lane_table t(3, 1000);
  t.join(info(0));
  CHECK_FALSE(t.fault(lane_id{0}, "a", 0));
  CHECK_FALSE(t.fault(lane_id{0}, "b", 900));
  CHECK_FALSE(t.fault(lane_id{0}, "c", 1500)); // the first is forgotten
  CHECK(t.fault(lane_id{0}, "d", 1600));
  CHECK_FALSE(t.choose(job_class::bulk, {}));
  t.join(info(0)); // a restart does not heal
  CHECK_FALSE(t.choose(job_class::bulk, {}));
  CHECK(t.release(lane_id{0}).has_value());
  CHECK(t.choose(job_class::bulk, {}));
  CHECK(t.release(lane_id{0}).err().code == errc::conflict);
  CHECK(t.release(lane_id{8}).err().code == errc::not_found);
}

TEST_CASE("a reserved lane serves its classes only") {
  lane_table t(3, 1000);
  auto reserved = info(0);
  reserved.lowest = job_class::window;
  t.join(reserved);
  CHECK(t.choose(job_class::winning, {}));
  CHECK(t.choose(job_class::window, {}));
  CHECK_FALSE(t.choose(job_class::bulk, {}));
}
