#include "actors/node_state.hpp"
#include "tests/actors/effects.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;
using namespace cuzk::test;

TEST_CASE("the dead are started again until they die too often") {
  node_state s({2, 1000});
  CHECK(of_kind<respawn_effect>(s.died(actor_role::budget, 0, "x", 0)).size() == 1);
  CHECK(of_kind<respawn_effect>(s.died(actor_role::budget, 0, "x", 10)).size() == 1);
  CHECK(of_kind<respawn_effect>(s.died(actor_role::budget, 0, "x", 1500)).size() == 1); // the first are long ago
  CHECK(of_kind<respawn_effect>(s.died(actor_role::budget, 0, "x", 1600)).size() == 1);
  const auto last = s.died(actor_role::budget, 0, "x", 1700);
  CHECK(of_kind<give_up_effect>(last).size() == 1);
  CHECK(s.phase() == node_phase::stopped);
  CHECK(s.died(actor_role::budget, 0, "x", 1800).empty());
}

TEST_CASE("a lane that dies too often is left out; the node lives") {
  node_state s({1, 1000});
  s.died(actor_role::lane, 3, "x", 0);
  const auto e = s.died(actor_role::lane, 3, "x", 1);
  CHECK(of_kind<respawn_effect>(e).empty());
  CHECK(of_kind<give_up_effect>(e).empty());
  CHECK(s.phase() != node_phase::stopped);
  const auto health = s.health();
  CHECK(health.at(0).name == "lane 3");
  CHECK_FALSE(health.at(0).up);
}

TEST_CASE("with the tracker the scheduler goes") {
  node_state s({5, 1000});
  const auto e = s.died(actor_role::tracker, 0, "x", 0);
  CHECK(of_kind<end_effect>(e).at(0).role == actor_role::scheduler);
  CHECK(of_kind<respawn_effect>(e).at(0).role == actor_role::tracker);
}

TEST_CASE("serving begins when the journal is read") {
  node_state s({});
  CHECK(s.phase() == node_phase::starting);
  outcome o;
  CHECK(s.pause(o).empty());
  CHECK(o.why.code == errc::conflict);
  CHECK(of_kind<phase_changed>(s.left({3, node_phase::starting})).at(0).phase == node_phase::serving);
}

TEST_CASE("a drain ends when nothing is left, when its time is over, or when the node resumes or stops") {
  node_state s({});
  s.left({2, node_phase::serving});
  CHECK(of_kind<drain_answer>(s.drain(1, 5, 1000)).empty());
  CHECK(of_kind<drain_answer>(s.drain(2, 0, 1000)).empty());
  CHECK(s.next_wakeup() == 6000);
  CHECK(of_kind<drain_answer>(s.left({0, node_phase::serving})).empty()); // said before the drain was known
  CHECK(of_kind<drain_answer>(s.left({1, node_phase::draining})).empty());
  const auto late = of_kind<drain_answer>(s.tick(6000));
  REQUIRE(late.size() == 1);
  CHECK(late[0].reply.result.why.code == errc::resources);
  CHECK(late[0].reply.result.why.text == "1 jobs are left");
  const auto done = of_kind<drain_answer>(s.left({0, node_phase::draining}));
  REQUIRE(done.size() == 1);
  CHECK(done[0].reply.result.ok);
  CHECK(of_kind<drain_answer>(s.drain(3, 5, 0)).at(0).reply.result.ok);
  outcome o;
  CHECK(of_kind<phase_changed>(s.resume(o)).at(0).phase == node_phase::serving);
  CHECK(o.ok);
  s.left({1, node_phase::serving});
  s.drain(4, 0, 0);
  CHECK(of_kind<drain_answer>(s.stop()).at(0).reply.result.why.code == errc::shutdown);
  CHECK(of_kind<drain_answer>(s.drain(5, 0, 0)).at(0).reply.result.why.code == errc::shutdown);
}
