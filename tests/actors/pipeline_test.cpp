// The state classes together in virtual time: random schedules with faults, and kills at every event.
#include "tests/actors/world.hpp"
#include "tests/support/catch.hpp"

#include <cstdlib>

using namespace cuzk;
using namespace cuzk::test;

namespace {

const char* const circuit_names[] = {"porep-2k", "snap-2k", "window-2k", "winning-2k"};

std::uint32_t partitions_of(world& w, const std::string& circuit) {
  return w.circuits.at(circuit).partitions;
}

// Every accepted job ended, once, and a done one has every proof in its place.
void check_ends(world& w, const durable& disk) {
  for (const auto& v : w.violations())
    FAIL_CHECK(v);
  for (const auto& [request, id] : disk.accepted) {
    const auto r = w.report(request);
    INFO(request << " is job " << number(id) << ", " << static_cast<int>(r.state) << ": " << r.failure.message());
    CHECK(r.found.ok);
    CHECK(r.job == id);
    CHECK(is_final(r.state));
    if (r.state != job_state::done)
      continue;
    const auto want = partitions_of(w, r.circuit);
    REQUIRE(r.proof.size() == want * groth16::proof_size);
    for (std::uint32_t k = 0; k < want; ++k) {
      CHECK(r.proof[k * groth16::proof_size] == (number(id) & 0xff));
      CHECK(r.proof[k * groth16::proof_size + 2] == k);
    }
  }
  std::map<std::pair<job_id, std::uint32_t>, int> proofs;
  std::map<job_id, int> ends;
  for (const auto& f : disk.facts) {
    if (f.type == fact_type::partition_done)
      CHECK(++proofs[{f.job, f.partition}] == 1);
    if (f.type == fact_type::finished)
      CHECK(++ends[f.job] == 1);
  }
  CHECK(w.scheduler().status(w.now()).synthesizing == 0);
  CHECK(w.scheduler().status(w.now()).proving == 0);
  for (const auto& h : w.budget().status().holders) {
    CHECK(h.waiting == 0);
    if (h.holder == budget_holder::scheduler)
      CHECK(h.held == byte_counts{});
  }
  for (const auto& k : w.params().status().keys)
    CHECK(k.leases == 0);
}

} // namespace

TEST_CASE("one job goes through the pipeline and its memory comes back") {
  durable disk;
  world w({}, disk);
  w.submit("a", "porep-2k");
  w.run();
  check_ends(w, disk);
  CHECK(w.report("a").state == job_state::done);
  CHECK(w.report("a").partitions == 3);
  CHECK(w.report("a").device == "cpu");
  CHECK(w.dispatched.size() == 3);
}

TEST_CASE("a hundred duplicate submits cost one proof") {
  durable disk;
  world w({}, disk);
  for (int i = 0; i < 100; ++i)
    w.submit("same", "winning-2k");
  w.run();
  check_ends(w, disk);
  CHECK(w.dispatched.size() == 1);
  REQUIRE(w.submit_replies.size() == 100);
  CHECK(w.tracker().status().accepted == 1);
  CHECK(w.tracker().status().attached == 99);
}

TEST_CASE("random schedules with faults and deaths lose nothing and double nothing") {
  const auto seed = GENERATE(1, 2, 3, 4, 5, 6);
  INFO("seed " << seed);
  durable disk;
  world_options o;
  o.seed = static_cast<std::uint64_t>(seed);
  o.lanes = 1 + o.seed % 3;
  o.memory = {o.seed % 2 == 0 ? 1000ull : 420ull, 0, 0}; // the small one fits one key and a half
  o.lane_fault = 0.05;
  o.bad_proof = 0.02;
  o.death = 0.01;
  o.synth_error = 0.01;
  o.journal_refusal = 0.01;
  o.scheduler.faults_to_quarantine = 1000;
  o.scheduler.age_us = 2'000'000;
  world w(o, disk);
  int jobs = 0;
  while (w.steps() < 100'000) {
    const auto unfinished = w.tracker().status().unfinished;
    if (unfinished < 40) {
      job_spec spec;
      spec.priority = static_cast<std::int32_t>(w.random()() % 3);
      if (w.random()() % 4 == 0)
        spec.deadline_wall_ms = disk.wall_ms + w.now() / 1000 + 20 + static_cast<std::int64_t>(w.random()() % 400);
      w.submit("r" + std::to_string(jobs++), circuit_names[w.random()() % 4], spec);
    }
    if (w.random()() % 20 == 0)
      w.cancel("r" + std::to_string(jobs - 1 - static_cast<int>(w.random()() % 10)));
    if (w.random()() % 400 == 0) {
      const actor_role roles[] = {actor_role::budget,     actor_role::param_store, actor_role::key_loader,
                                  actor_role::scheduler,  actor_role::tracker,     actor_role::journal,
                                  actor_role::synthesizer};
      w.kill(roles[w.random()() % 7], 0);
    }
    w.run_until(w.now() + 1000 + static_cast<std::int64_t>(w.random()() % 5000));
  }
  w.run();
  check_ends(w, disk);
  CHECK(disk.accepted.size() > 100);
  std::map<job_state, int> ends;
  for (const auto& [request, id] : disk.accepted)
    ++ends[w.report(request).state];
  CHECK(ends[job_state::done] > 0);
  CHECK(ends[job_state::failed] > 0);
  CHECK(ends[job_state::cancelled] > 0);
}

namespace {

// Some jobs, one cancelled, clients that ask again for what was not accepted.
void scenario(world& w, durable& disk) {
  const char* const wanted[] = {"porep-2k", "winning-2k", "window-2k", "snap-2k"};
  for (int i = 0; i < 4; ++i)
    if (disk.accepted.count("r" + std::to_string(i)) == 0)
      w.submit("r" + std::to_string(i), wanted[i]);
}

} // namespace

TEST_CASE("killed at any event, no accepted job is lost or doubled") {
  std::uint64_t total = 0;
  {
    durable disk;
    world w({}, disk);
    scenario(w, disk);
    w.run();
    total = w.steps();
    check_ends(w, disk);
  }
  REQUIRE(total > 300);
  for (std::uint64_t kill = 0; kill < total; ++kill) {
    INFO("killed after event " << kill << " of " << total);
    durable disk;
    {
      world w({}, disk);
      scenario(w, disk);
      while (w.steps() < kill && w.step()) {
        if (w.steps() == total / 2)
          w.cancel("r3");
      }
    }
    disk.wall_ms += 10'000;
    world again({}, disk);
    scenario(again, disk);
    again.run();
    check_ends(again, disk);
    REQUIRE(disk.accepted.size() == 4);
    for (const auto& [request, id] : disk.accepted) {
      const auto state = again.report(request).state;
      CHECK((state == job_state::done || (request == "r3" && state == job_state::cancelled)));
    }
  }
}
