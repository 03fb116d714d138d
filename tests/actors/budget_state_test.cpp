#include "actors/budget_state.hpp"
#include "tests/actors/effects.hpp"
#include "tests/support/catch.hpp"

#include <random>

using namespace cuzk;
using namespace cuzk::test;

namespace {

reserve_memory ask(std::uint64_t id, byte_counts want, job_class cls = job_class::bulk) {
  reserve_memory r;
  r.id = reservation_id{id};
  r.want = want;
  r.cls = cls;
  return r;
}
std::vector<std::uint64_t> granted(const budget_effects& effects) {
  std::vector<std::uint64_t> out;
  for (const auto& g : of_kind<grant_effect>(effects))
    out.push_back(number(g.fact.id));
  return out;
}
budget_effects give_back(budget_state& b, std::uint64_t id) {
  return b.release({budget_holder::scheduler, reservation_id{id}});
}
using ids = std::vector<std::uint64_t>;

} // namespace

TEST_CASE("memory is granted while it lasts and given back by id") {
  budget_state b({100, 0, 0});
  CHECK(granted(b.reserve(ask(1, {60, 0, 0}))) == ids{1});
  CHECK(granted(b.reserve(ask(2, {60, 0, 0}))).empty());
  CHECK(b.status().waiting == 1);
  CHECK(granted(give_back(b, 1)) == ids{2});
  CHECK(b.status().reserved == byte_counts{60, 0, 0});
  give_back(b, 2);
  give_back(b, 2); // twice is once
  CHECK(b.status().reserved == byte_counts{});
  CHECK(b.status().peak == byte_counts{60, 0, 0});
}

TEST_CASE("what can never fit is refused at once and says why") {
  budget_state b({100, 0, 10});
  const auto effects = b.reserve(ask(1, {50, 0, 11}));
  const auto r = of_kind<refuse_effect>(effects);
  REQUIRE(r.size() == 1);
  CHECK(r[0].fact.why.code == errc::resources);
  CHECK(r[0].fact.why.text.find("11 B device") != std::string::npos);
  CHECK(b.status().waiting == 0);
  b.reserve(ask(2, {1, 0, 0}));
  CHECK(of_kind<refuse_effect>(b.reserve(ask(2, {1, 0, 0})))[0].fact.why.code == errc::internal);
}

TEST_CASE("classes go first, then order, then arrival") {
  budget_state b({100, 0, 0});
  b.reserve(ask(1, {100, 0, 0}));
  b.reserve(ask(2, {50, 0, 0}, job_class::background));
  b.reserve(ask(3, {50, 0, 0}, job_class::bulk));
  b.reserve(ask(4, {50, 0, 0}, job_class::winning));
  b.reserve(ask(5, {50, 0, 0}, job_class::bulk));
  CHECK(granted(give_back(b, 1)) == ids{4, 3});
  CHECK(granted(give_back(b, 4)) == ids{5});
}

TEST_CASE("a release in two phases lets the next in after the first") {
  budget_state b({100, 0, 0});
  b.reserve(ask(1, {90, 0, 0}));
  b.reserve(ask(2, {70, 0, 0}));
  CHECK(granted(b.release({budget_holder::scheduler, reservation_id{1}, false, {65, 0, 0}})) == ids{2});
  CHECK(b.status().reserved == byte_counts{95, 0, 0});
  b.release({budget_holder::scheduler, reservation_id{1}, false, {1000, 0, 0}}); // never below zero
  CHECK(b.status().reserved == byte_counts{70, 0, 0});
}

TEST_CASE("a small one passes a blocked big one only when it cannot delay it") {
  SECTION("the head lacks another kind of memory") {
    budget_state b({100, 0, 10});
    b.reserve(ask(1, {0, 0, 8}));
    b.reserve(ask(2, {50, 0, 5}));
    CHECK(granted(b.reserve(ask(3, {50, 0, 0}))) == ids{3});
    CHECK(granted(b.reserve(ask(4, {1, 0, 0}))).empty());
  }
  SECTION("whatever ends next makes room for the head all the same") {
    budget_state b({100, 0, 0});
    b.reserve(ask(1, {40, 0, 0}));
    b.reserve(ask(2, {40, 0, 0}));
    b.reserve(ask(3, {60, 0, 0}));
    CHECK(granted(b.reserve(ask(4, {20, 0, 0}))).empty()); // with it, one end would not be enough any more
    CHECK(granted(give_back(b, 1)) == ids{3});
  }
  SECTION("a piece of the size of what it waits for may pass") {
    budget_state b({100, 0, 0});
    b.reserve(ask(1, {90, 0, 0}));
    b.reserve(ask(2, {20, 0, 0}));
    CHECK(granted(b.reserve(ask(3, {10, 0, 0}))) == ids{3});
  }
  SECTION("what stays for an unknown time does not pass that way") {
    budget_state b({100, 0, 0});
    b.reserve(ask(1, {90, 0, 0}));
    b.reserve(ask(2, {20, 0, 0}));
    auto key = ask(3, {10, 0, 0});
    key.stays = true;
    CHECK(granted(b.reserve(key)).empty());
  }
  SECTION("the first part of a release counts, not the whole") {
    budget_state b({100, 0, 0});
    auto two_phases = ask(1, {90, 0, 0});
    two_phases.first_part = {5, 0, 0};
    b.reserve(two_phases);
    b.reserve(ask(2, {20, 0, 0}));
    CHECK(granted(b.reserve(ask(3, {10, 0, 0}))).empty());
  }
}

TEST_CASE("nobody is passed for ever") {
  budget_state b({100, 0, 10});
  b.reserve(ask(1, {0, 0, 8}));
  b.reserve(ask(2, {50, 0, 5}, job_class::bulk));
  std::uint32_t passed = 0;
  for (std::uint64_t id = 10; id < 60; ++id) {
    passed += !granted(b.reserve(ask(id, {10, 0, 0}, job_class::bulk))).empty();
    give_back(b, id);
  }
  CHECK(passed == budget_state::max_passes);
}

TEST_CASE("the dead give everything back") {
  budget_state b({100, 0, 0});
  b.reserve(ask(1, {60, 0, 0}));
  auto key = ask(1, {40, 0, 0});
  key.holder = budget_holder::param_store;
  b.reserve(key);
  b.reserve(ask(2, {60, 0, 0}));
  b.holder_died(budget_holder::scheduler);
  CHECK(b.status().reserved == byte_counts{40, 0, 0});
  CHECK(b.status().waiting == 0);
}

TEST_CASE("what is held already is booked whatever the sum") {
  budget_state b({100, 0, 0});
  b.reserve(ask(1, {80, 0, 0}));
  auto held = ask(2, {50, 0, 0});
  held.held_already = true;
  CHECK(granted(b.reserve(held)).empty()); // no news for the holder
  CHECK(b.status().reserved == byte_counts{130, 0, 0});
  CHECK(granted(b.reserve(ask(3, {1, 0, 0}))).empty());
  give_back(b, 1);
  CHECK(b.status().reserved == byte_counts{51, 0, 0});
}

TEST_CASE("the holders hear what is lacked, and when it no longer is") {
  budget_state b({100, 0, 0});
  b.reserve(ask(1, {80, 0, 0}));
  auto two = ask(2, {50, 0, 0});
  two.job = job_id{5};
  const auto effects = b.reserve(two);
  CHECK(of_kind<please_evict>(effects).at(0).want == byte_counts{30, 0, 0});
  CHECK(of_kind<job_waits>(effects).at(0).job == job_id{5});
  CHECK(of_kind<job_waits>(effects).at(0).reason == "memory");
  CHECK(of_kind<please_evict>(give_back(b, 1)).at(0).want == byte_counts{});
}

TEST_CASE("random reservations: the ledger balances, never exceeds the budget, and everyone is served") {
  std::mt19937_64 random(20261201);
  budget_state b({1000, 200, 100});
  std::vector<std::uint64_t> held, waiting;
  std::uint64_t next = 1;
  const auto note = [&](const budget_effects& effects) {
    for (const auto id : granted(effects)) {
      waiting.erase(std::find(waiting.begin(), waiting.end(), id));
      held.push_back(id);
    }
    const auto s = b.status();
    REQUIRE(s.reserved.fits(s.total));
    REQUIRE(s.granted == held.size());
    REQUIRE(s.waiting == waiting.size());
  };
  for (int step = 0; step < 100'000; ++step) {
    if (random() % 2 == 0 && waiting.size() < 30) {
      const auto cls = static_cast<job_class>(random() % 4);
      auto a = ask(next, {random() % 400, random() % 60, random() % 40}, cls);
      a.stays = random() % 5 == 0;
      waiting.push_back(next++);
      note(b.reserve(a));
    } else if (!held.empty()) {
      const auto at = random() % held.size();
      const auto id = held[at];
      if (random() % 3 == 0) {
        note(b.release({budget_holder::scheduler, reservation_id{id}, false, {random() % 200, 10, 10}}));
      } else {
        held.erase(held.begin() + static_cast<std::ptrdiff_t>(at));
        note(give_back(b, id));
      }
    }
  }
  while (!held.empty()) {
    const auto id = held.back();
    held.pop_back();
    note(give_back(b, id));
  }
  CHECK(waiting.empty());
  CHECK(b.status().reserved == byte_counts{});
}
