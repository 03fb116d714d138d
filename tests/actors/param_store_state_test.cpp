#include "actors/param_store_state.hpp"
#include "tests/actors/effects.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;
using namespace cuzk::test;

namespace {

const result<byte_counts> hundred = byte_counts{100, 0, 0};
const result<byte_counts> no_key = error{errc::params, "no key file"};

struct fake_key : loaded_key {};

/// Grants what the state asks and finishes what it loads.
struct store_under_test {
  param_store_state s{"cache"};
  std::int64_t now = 0;
  param_effects last;

  std::vector<reservation_id> asked() const {
    std::vector<reservation_id> out;
    for (const auto& r : of_kind<reserve_memory>(last))
      out.push_back(r.id);
    return out;
  }
  void lease(const std::string& c, const result<byte_counts>& size = hundred) {
    last = s.lease({c, job_class::bulk}, size, ++now);
  }
  void grant() { last = s.granted(asked().at(0)); }
  load_key order() const { return of_kind<load_key>(last).at(0); }
  void load(const load_key& o) {
    last = s.loaded({o.circuit, o.load, {100, 0, 0}, true, "p"}, {std::make_shared<fake_key>()}, ++now);
  }
  void have(const std::string& c) {
    lease(c);
    grant();
    load(order());
    s.release({c}, ++now);
  }
};

} // namespace

TEST_CASE("ten leases of a key load it once") {
  store_under_test t;
  t.lease("a");
  const auto first = t.last;
  for (int i = 0; i < 9; ++i) {
    t.lease("a");
    CHECK(of_kind<reserve_memory>(t.last).empty());
  }
  t.last = first;
  t.grant();
  CHECK(of_kind<key_loading>(t.last).size() == 1);
  t.load(t.order());
  CHECK(of_kind<key_ready_effect>(t.last).size() == 1);
  CHECK(t.s.status().keys.at(0).leases == 10);
  CHECK(t.s.status().loads == 1);
  t.lease("a");
  CHECK(of_kind<key_ready_effect>(t.last).size() == 1);
}

TEST_CASE("a key that is not there fails the lease and the preload") {
  store_under_test t;
  t.lease("a", no_key);
  CHECK(of_kind<key_failed>(t.last).at(0).why.code == errc::params);
  const auto p = t.s.preload(5, "a", no_key, 0);
  CHECK(of_kind<params_answer>(p).at(0).reply.result.why.code == errc::params);
  t.lease("b");
  t.grant();
  t.last = t.s.load_failed({"b", t.order().load, {errc::params, "damaged"}});
  CHECK(of_kind<key_failed>(t.last).size() == 1);
  CHECK(of_kind<release_memory>(t.last).size() == 1);
  CHECK(t.s.status().keys.empty());
}

TEST_CASE("the idle key unused longest goes first, leased and preloaded ones stay") {
  store_under_test t;
  t.have("old");
  t.have("pinned");
  t.s.preload(1, "pinned", hundred, 0);
  t.have("young");
  t.have("leased");
  t.lease("leased");
  t.last = t.s.make_room({{50, 0, 0}});
  CHECK(of_kind<release_memory>(t.last).size() == 1);
  std::vector<std::string> left;
  for (const auto& k : t.s.status().keys)
    left.push_back(k.circuit);
  CHECK(left == std::vector<std::string>{"leased", "pinned", "young"});
  t.last = t.s.make_room({{500, 0, 0}});
  CHECK(of_kind<release_memory>(t.last).size() == 1); // young; the others are in use
  t.last = t.s.release({"leased"}, ++t.now);
  CHECK(of_kind<release_memory>(t.last).size() == 1); // the need goes on
  t.s.make_room({{0, 0, 0}});
  t.have("again");
  CHECK(t.s.status().keys.size() == 2);
}

TEST_CASE("evict refuses what is in use and what is not there") {
  store_under_test t;
  const auto code = [&](const std::string& c) {
    return of_kind<params_answer>(t.s.evict(1, c)).at(0).reply.result.why.code;
  };
  CHECK(code("a") == errc::not_found);
  t.have("a");
  t.lease("a");
  t.lease("a");
  const auto in_use = of_kind<params_answer>(t.s.evict(1, "a")).at(0).reply.result;
  CHECK(in_use.why.code == errc::conflict);
  CHECK(in_use.why.text == "a is in use by 2 jobs");
  t.s.release({"a"}, 1);
  t.s.release({"a"}, 1);
  CHECK(of_kind<params_answer>(t.s.evict(1, "a")).at(0).reply.result.ok);
}

TEST_CASE("a lease given back before the memory came takes the ask back") {
  store_under_test t;
  t.lease("a");
  const auto asked = t.asked().at(0);
  t.last = t.s.release({"a"}, 1);
  CHECK(of_kind<release_memory>(t.last).at(0).id == asked);
  t.last = t.s.granted(asked); // crossed on the way
  CHECK(of_kind<release_memory>(t.last).size() == 1);
  CHECK(of_kind<load_key>(t.last).empty());
}

TEST_CASE("a key smaller than booked gives the rest back") {
  store_under_test t;
  t.lease("a");
  t.grant();
  const auto o = t.order();
  t.last = t.s.loaded({"a", o.load, {70, 0, 0}, false, "p"}, {std::make_shared<fake_key>()}, 1);
  CHECK(of_kind<release_memory>(t.last).at(0).part == byte_counts{30, 0, 0});
}

TEST_CASE("new peers: leases of a dead scheduler go, a new loader loads again, a new ledger books again") {
  store_under_test t;
  t.lease("a");
  t.grant();
  const auto old = t.order();
  t.last = t.s.loader_replaced();
  CHECK(t.order().load != old.load);
  const auto fresh = t.order();
  t.load(old);
  CHECK(t.last.empty()); // the old loader's answer is not waited for
  t.load(fresh);
  CHECK(of_kind<key_ready_effect>(t.last).size() == 1);
  t.last = t.s.budget_replaced();
  CHECK(of_kind<reserve_memory>(t.last).at(0).held_already);
  t.s.scheduler_replaced(5);
  CHECK(t.s.status().keys.at(0).leases == 0);
}
