#include "actors/scheduler_state.hpp"
#include "tests/actors/effects.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;
using namespace cuzk::test;

namespace {

struct fake_input : prepared_input {};
struct fake_witness : partition_witness {};
struct fake_key : loaded_key {};

lane_info lane(std::uint32_t id) {
  lane_info i;
  i.lane = lane_id{id};
  i.name = "lane" + std::to_string(id);
  return i;
}

/// A scheduler whose key store, and whose ledger unless told otherwise, say yes at once.
struct scheduler_under_test {
  scheduler_state s;
  std::int64_t now = 0;
  bool grants = true;
  scheduler_effects all;
  std::vector<reserve_memory> waiting;

  explicit scheduler_under_test(scheduler_limits limits = {}, std::uint32_t lanes = 1) : s(limits) {
    for (std::uint32_t i = 0; i < lanes; ++i)
      take(s.lane_joined(lane(i), now));
  }
  void take(const scheduler_effects& effects) {
    all.insert(all.end(), effects.begin(), effects.end());
    for (const auto& e : effects) {
      if (const auto* ask = std::get_if<lease_key>(&e))
        take(s.key_is_ready({ask->circuit, false}, {std::make_shared<fake_key>()}, now));
      if (const auto* ask = std::get_if<reserve_memory>(&e)) {
        if (grants)
          take(s.granted(ask->id, now));
        else
          waiting.push_back(*ask);
      }
    }
  }
  void offer(std::uint64_t id, job_spec spec = {}, std::int64_t deadline_us = 0) {
    offer_job o;
    o.job = job_id{id};
    o.spec = std::move(spec);
    if (o.spec.circuit.empty())
      o.spec.circuit = "porep-2k";
    o.need = {{10, 0, 0}, {50, 0, 0}, {5, 0, 0}, {20, 0, 0}, {100, 0, 0}};
    o.deadline_us = deadline_us;
    take(s.offer(o, {}, now));
  }
  void prepared(std::uint64_t id, std::uint32_t partitions) {
    take(s.prepared({job_id{id}, partitions, "unchecked", 1}, {std::make_shared<fake_input>()}, now));
  }
  void synthesized(partition_ref ref) {
    take(s.synthesized({ref, 1}, {std::make_shared<fake_witness>(), {}, {}}, now));
  }
  void proved(partition_ref ref, std::uint32_t l = 0) {
    partition_proved f;
    f.ref = ref;
    f.lane = lane_id{l};
    take(s.proved(f, now));
    take(s.credit({lane_id{l}, 1}, now));
  }
  void lane_failed(partition_ref ref, errc code, std::uint32_t l = 0) {
    take(s.lane_failed({ref, lane_id{l}, {code, "test"}}, now));
    take(s.credit({lane_id{l}, 1}, now));
  }
  void verified(partition_ref ref, bool good, errc code = errc::self_check_failed) {
    partition_verified v;
    v.ref = ref;
    v.good = good;
    v.why.code = code;
    take(s.verified(v, now));
  }
  template <class E>
  std::vector<E> told() {
    return of_kind<E>(std::exchange(all, {}));
  }
  /// A job of one partition, as far as the lane.
  void to_lane(std::uint64_t id) {
    offer(id);
    prepared(id, 1);
    synthesized({job_id{id}, 0, 1});
  }
  std::int64_t reserved() const {
    std::map<reservation_id, std::int64_t> held;
    for (const auto& e : all) {
      if (const auto* r = std::get_if<reserve_memory>(&e))
        held[r->id] = static_cast<std::int64_t>(r->want.host);
      if (const auto* r = std::get_if<release_memory>(&e))
        held[r->id] = r->all ? 0 : held[r->id] - static_cast<std::int64_t>(r->part.host);
    }
    std::int64_t sum = 0;
    for (const auto& [id, bytes] : held)
      sum += bytes;
    return sum;
  }
};

job_spec of(const std::string& circuit, job_class cls) {
  job_spec s;
  s.circuit = circuit;
  s.cls = cls;
  return s;
}

} // namespace

TEST_CASE("memory is reserved before work is taken, and given back in two phases") {
  scheduler_under_test t;
  t.grants = false;
  t.offer(1);
  CHECK(of_kind<prepare_effect>(t.all).empty());
  t.grants = true;
  t.take(t.s.granted(t.waiting.at(0).id, 0));
  CHECK(of_kind<prepare_effect>(t.all).size() == 1);
  t.prepared(1, 1);
  CHECK(t.reserved() == 85); // parsed input 10, witness 50, keep 5, scratch 20
  t.synthesized({job_id{1}, 0, 1});
  CHECK(t.reserved() == 75); // the parsed input is used up
  t.proved({job_id{1}, 0, 1});
  CHECK(t.reserved() == 5);
  t.verified({job_id{1}, 0, 1}, true);
  CHECK(t.reserved() == 0);
  CHECK(of_kind<release_key>(t.all).size() == of_kind<lease_key>(t.all).size());
}

TEST_CASE("one reservation for the head at a time, and the head gives way to more urgent work") {
  scheduler_under_test t;
  t.grants = false;
  t.offer(1);
  t.offer(2);
  CHECK(t.waiting.size() == 1);
  t.offer(3, of("winning-2k", job_class::winning));
  REQUIRE(t.waiting.size() == 2);
  CHECK(t.waiting[1].job == job_id{3});
  CHECK(of_kind<release_memory>(t.all).at(0).id == t.waiting[0].id);
}

TEST_CASE("witnesses are made ahead of the lanes only so far, and urgent work finds room") {
  scheduler_limits l;
  l.synthesizers = 4;
  l.ready_per_lane = 2;
  scheduler_under_test t(l);
  t.offer(1);
  t.prepared(1, 20);
  std::uint32_t made = 0;
  for (;;) {
    const auto orders = t.told<synthesize_effect>();
    if (orders.empty())
      break;
    for (const auto& o : orders) {
      ++made;
      t.synthesized(o.order.ref);
    }
  }
  CHECK(made == 4); // two at the lane, two ready
  t.offer(2, of("winning-2k", job_class::winning));
  t.prepared(2, 1);
  CHECK(t.told<synthesize_effect>().at(0).order.ref.job == job_id{2});
}

TEST_CASE("ready work goes to lanes by class, deadline, job, partition") {
  scheduler_under_test t({}, 0);
  t.take(t.s.lane_joined(lane(0), 0));
  t.take(t.s.phase(node_phase::serving, 0));
  t.offer(1);
  t.prepared(1, 3);
  t.synthesized({job_id{1}, 1, 1});
  t.synthesized({job_id{1}, 0, 1});
  auto sent = t.told<prove_effect>();
  REQUIRE(sent.size() == 2); // two credits
  t.offer(2, of("window-2k", job_class::window));
  t.prepared(2, 1);
  t.synthesized({job_id{1}, 2, 1});
  t.synthesized({job_id{2}, 0, 1});
  t.proved({job_id{1}, 1, 1});
  sent = t.told<prove_effect>();
  REQUIRE(sent.size() == 1);
  CHECK(sent[0].order.ref.job == job_id{2});
}

TEST_CASE("urgent work calls back what a lane has not begun") {
  scheduler_under_test t;
  t.offer(1);
  t.prepared(1, 2);
  t.synthesized({job_id{1}, 0, 1});
  t.synthesized({job_id{1}, 1, 1});
  t.take(t.s.started({{job_id{1}, 0, 1}, lane_id{0}}, 0));
  t.offer(2, of("winning-2k", job_class::winning));
  t.prepared(2, 1);
  t.told<prove_effect>();
  t.synthesized({job_id{2}, 0, 1});
  auto back = of_kind<cancel_lane_effect>(t.all);
  REQUIRE(back.size() == 1);
  CHECK(back[0].order.only_if_waiting);
  CHECK(back[0].order.ref == partition_ref{job_id{1}, 1, 1});
  t.lane_failed(back[0].order.ref, errc::cancelled);
  const auto sent = t.told<prove_effect>();
  REQUIRE(sent.size() == 1);
  CHECK(sent[0].order.ref.job == job_id{2});
  t.proved({job_id{1}, 0, 1});
  CHECK(t.told<prove_effect>().at(0).order.ref == partition_ref{job_id{1}, 1, 2});
}

TEST_CASE("a fault moves the partition to another lane with its witness; too many fail the job") {
  scheduler_limits l;
  l.max_attempts = 2;
  scheduler_under_test t(l, 2);
  t.to_lane(1);
  auto sent = t.told<prove_effect>();
  REQUIRE(sent.size() == 1);
  const auto first = number(sent[0].lane);
  t.lane_failed(sent[0].order.ref, errc::gpu_fault, first);
  sent = of_kind<prove_effect>(t.all);
  REQUIRE(sent.size() == 1);
  CHECK(number(sent[0].lane) == 1 - first);
  CHECK(sent[0].order.ref.attempt == 2);
  CHECK(of_kind<synthesize_effect>(t.all).empty());
  t.lane_failed({job_id{1}, 0, 1}, errc::gpu_fault, first); // an echo of the first attempt
  t.lane_failed(sent[0].order.ref, errc::gpu_fault, 1 - first);
  CHECK(of_kind<job_unprovable>(t.all).at(0).why.code == errc::gpu_fault);
  CHECK(of_kind<job_withdrawn>(t.all).size() == 1);
}

TEST_CASE("a bad proof is made again from the witness on, elsewhere; a second one fails the job") {
  scheduler_under_test t({}, 2);
  t.to_lane(1);
  const auto first = t.told<prove_effect>().at(0);
  t.proved(first.order.ref, number(first.lane));
  t.verified(first.order.ref, false);
  t.prepared(1, 1); // read again
  t.synthesized({job_id{1}, 0, 2});
  const auto second = t.told<prove_effect>().at(0);
  CHECK(second.lane != first.lane);
  t.proved(second.order.ref, number(second.lane));
  t.verified(second.order.ref, false);
  CHECK(of_kind<job_unprovable>(t.all).at(0).why.code == errc::self_check_failed);
}

TEST_CASE("a late good proof of an older attempt ends the newer one") {
  scheduler_under_test t({}, 2);
  t.to_lane(1);
  const auto first = t.told<prove_effect>().at(0);
  t.take(t.s.replaced({actor_role::lane, number(first.lane), "test"}, 0));
  const auto second = t.told<prove_effect>().at(0);
  t.verified(first.order.ref, true);
  CHECK(of_kind<cancel_lane_effect>(t.all).at(0).order.ref == second.order.ref);
  t.lane_failed(second.order.ref, errc::cancelled, number(second.lane));
  CHECK(t.s.status(0).proving == 0);
}

TEST_CASE("withdrawn in every step, a job ends with all its memory back") {
  const auto steps = GENERATE(0, 1, 2, 3, 4, 5);
  scheduler_under_test t;
  const partition_ref ref{job_id{1}, 0, 1};
  t.grants = steps > 0;
  t.offer(1);
  if (steps > 1)
    t.prepared(1, 1);
  if (steps > 2)
    t.synthesized(ref);
  if (steps > 3)
    t.take(t.s.started({ref, lane_id{0}}, 0));
  if (steps > 4)
    t.proved(ref);
  t.take(t.s.withdraw(job_id{1}, 0));
  CHECK(of_kind<job_withdrawn>(t.all).empty() == (steps > 0)); // something runs and is told to stop
  if (steps == 1)
    t.take(t.s.synthesis_has_failed({{job_id{1}, 0, 0}, {errc::cancelled, ""}}, 0));
  if (steps == 2)
    t.synthesized(ref);
  if (steps == 3 || steps == 4)
    t.lane_failed(ref, errc::cancelled);
  if (steps == 5)
    t.verified(ref, true);
  CHECK(of_kind<job_withdrawn>(t.all).size() == 1);
  CHECK(t.reserved() == 0);
  CHECK(of_kind<release_key>(t.all).size() == of_kind<lease_key>(t.all).size());
  CHECK(of_kind<job_withdrawn>(t.s.withdraw(job_id{1}, 0)).size() == 1); // unknown is as good as gone
}

TEST_CASE("a deadline ends the job wherever it is") {
  scheduler_under_test t;
  t.offer(1, {}, 1000);
  CHECK(t.s.next_wakeup() == 1000);
  t.take(t.s.tick(999));
  CHECK(of_kind<job_unprovable>(t.all).empty());
  t.take(t.s.tick(1000));
  CHECK(of_kind<job_unprovable>(t.all).at(0).why.code == errc::deadline);
  CHECK_FALSE(t.s.next_wakeup());
}

TEST_CASE("a job that ends two workers is poison") {
  scheduler_under_test t;
  t.offer(1);
  t.prepared(1, 1);
  const auto index = t.told<synthesize_effect>().at(0).index;
  t.take(t.s.replaced({actor_role::synthesizer, index, "test"}, 0));
  CHECK(of_kind<job_unprovable>(t.all).empty());
  const auto again = t.told<synthesize_effect>();
  REQUIRE(again.size() == 1);
  CHECK(again[0].order.ref.attempt == 2);
  t.take(t.s.replaced({actor_role::synthesizer, again[0].index, "test"}, 0));
  CHECK(of_kind<job_unprovable>(t.all).at(0).why.code == errc::internal);
  CHECK(of_kind<job_withdrawn>(t.all).size() == 1);
}

TEST_CASE("a lane that dies blames the job it was proving, not the one that waited there") {
  scheduler_limits l;
  l.max_worker_deaths = 1;
  scheduler_under_test t(l, 2);
  t.take(t.s.replaced({actor_role::lane, 1, "test"}, 0));
  t.to_lane(1);
  t.to_lane(2);
  t.take(t.s.started({{job_id{1}, 0, 1}, lane_id{0}}, 0));
  t.all.clear();
  t.take(t.s.replaced({actor_role::lane, 0, "test"}, 0));
  const auto failed = of_kind<job_unprovable>(t.all);
  REQUIRE(failed.size() == 1);
  CHECK(failed[0].job == job_id{1});
}

TEST_CASE("a small job passes a head that waits for its memory") {
  scheduler_limits l;
  l.synthesizers = 4;
  scheduler_under_test t(l);
  t.offer(1, of("winning-2k", job_class::winning));
  t.prepared(1, 2); // its key stays leased while the second partition waits
  t.grants = false;
  t.offer(2);
  REQUIRE_FALSE(t.waiting.empty());
  offer_job small;
  small.job = job_id{3};
  small.spec = of("winning-2k", job_class::background);
  small.need = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}};
  t.take(t.s.offer(small, {}, 0));
  const auto& last = t.waiting.back();
  CHECK(last.job == job_id{3});
  CHECK(last.order == 1);
  t.take(t.s.granted(last.id, 0));
  CHECK(of_kind<prepare_effect>(t.all).back().order.job == job_id{3});
  CHECK(t.s.status(0).bypasses == 1);
}

TEST_CASE("a failed key fails the jobs that need it, and a later job asks again") {
  scheduler_under_test t;
  t.offer(1);
  t.take(t.s.key_has_failed({"porep-2k", {errc::params, "damaged"}}, 0));
  CHECK(of_kind<job_unprovable>(t.all).at(0).why.code == errc::params);
  t.take(t.s.synthesis_has_failed({{job_id{1}, 0, 0}, {errc::cancelled, ""}}, 0));
  t.all.clear();
  t.offer(2);
  CHECK(of_kind<lease_key>(t.all).size() == 1);
}

TEST_CASE("when memory lacks, parsed inputs of jobs that are not next are read again later") {
  scheduler_limits l;
  l.ready_per_lane = 0;
  scheduler_under_test t(l);
  t.take(t.s.lane_failed({{job_id{9}, 0, 1}, lane_id{0}, {}}, 0)); // unknown: ignored
  t.offer(1);
  t.prepared(1, 4);
  for (std::uint32_t k = 0; k < 2; ++k)
    t.synthesized({job_id{1}, k, 1}); // both credits are used
  t.offer(2);
  t.prepared(2, 1);
  t.grants = false;
  t.proved({job_id{1}, 0, 1}); // job 1's third partition is next, and waits for memory
  t.all.clear();
  t.take(t.s.make_room({{10, 0, 0}}, 0));
  CHECK(of_kind<release_memory>(t.all).size() == 1);
  CHECK(t.s.status(0).to_prepare == 1);
}

TEST_CASE("a verdict that a dead finalizer may have had is not waited for without end") {
  scheduler_under_test t;
  t.to_lane(1);
  const partition_ref ref{job_id{1}, 0, 1};
  const auto index = scheduler_state::finalizer_of(ref, 2);
  t.take(t.s.replaced({actor_role::finalizer, index, "test"}, 0));
  t.proved(ref);
  REQUIRE(t.s.next_wakeup() == scheduler_state::verdict_limit_us);
  t.all.clear();
  t.take(t.s.tick(scheduler_state::verdict_limit_us));
  CHECK(of_kind<partition_stamp>(t.all).at(0).mark == partition_mark::retried);
}

TEST_CASE("behind a lane in quarantine a job says that there is no device") {
  scheduler_limits l;
  l.faults_to_quarantine = 1;
  l.max_attempts = 1;
  scheduler_under_test t(l);
  t.to_lane(1);
  const auto sent = t.told<prove_effect>();
  REQUIRE(sent.size() == 1);
  t.lane_failed(sent[0].order.ref, errc::gpu_fault, number(sent[0].lane));
  t.all.clear();
  t.offer(2);
  t.prepared(2, 1);
  CHECK(of_kind<synthesize_effect>(t.all).empty());
  auto told = of_kind<job_waits>(t.all);
  REQUIRE_FALSE(told.empty());
  CHECK(told.back().reason == "no device");
  t.all.clear();
  outcome answer;
  t.take(t.s.release(sent[0].lane, 0, answer));
  told = of_kind<job_waits>(t.all);
  REQUIRE_FALSE(told.empty());
  CHECK(told.back().reason.empty());
}

TEST_CASE("paused, nothing begins") {
  scheduler_under_test t;
  t.take(t.s.phase(node_phase::paused, 0));
  t.offer(1);
  CHECK(of_kind<reserve_memory>(t.all).empty());
  t.take(t.s.phase(node_phase::serving, 0));
  CHECK(of_kind<prepare_effect>(t.all).size() == 1);
}

TEST_CASE("a damaged key is no fault of the lane that met it, and is not tried again") {
  scheduler_limits l;
  l.faults_to_quarantine = 1;
  scheduler_under_test t(l, 2);
  t.to_lane(1);
  auto sent = t.told<prove_effect>();
  REQUIRE(sent.size() == 1);
  t.lane_failed(sent[0].order.ref, errc::params, number(sent[0].lane));
  CHECK(of_kind<job_unprovable>(t.all).at(0).why.code == errc::params);
  CHECK(of_kind<prove_effect>(t.all).empty());
  for (const auto& lane : t.s.status(0).lanes)
    CHECK_FALSE(lane.quarantined);
}
