// The actors together on the test scheduler, with scripted devices and a journal in memory.
#include "tests/actors/node_fixture.hpp"

using namespace cuzk;
using namespace cuzk::test;
using namespace std::chrono_literals;

TEST_CASE("a job goes from submit to a stored proof") {
  node_fixture f;
  const auto s = f.submit("a", 7, 3);
  REQUIRE(s.result.ok);
  CHECK_FALSE(s.attached);
  CHECK(f.report(s.job).state == job_state::running);
  f.prove_all();
  const auto r = f.report(s.job);
  CHECK(r.state == job_state::done);
  CHECK(r.partitions == 3);
  CHECK(r.partitions_done == 3);
  CHECK(r.device == "scripted");
  CHECK(r.test_key);
  CHECK(r.identity == "unchecked");
  REQUIRE(r.proof.size() == 3 * 192);
  for (std::uint32_t k = 0; k < 3; ++k) {
    CHECK(r.proof[192 * k] == 7);
    CHECK(r.proof[192 * k + 1] == k);
  }
  CHECK(f.world.store->jobs().at(1).over.has_value());
  CHECK(f.status().budget.reserved == byte_counts{100, 0, 0}); // the key alone
}

TEST_CASE("timings are logged as key=value lines") {
  node_fixture f;
  f.submit("a", 7, 1);
  f.prove_all();
  const auto find = [&](const std::string& event) {
    for (const auto& l : f.world.log)
      if (l.event == event)
        return l.text;
    return std::string();
  };
  CHECK(find("GPU_TIMING") == "job=1 part=0 attempt=1 lane=lane0 device=scripted kind=porep upload_ms=250.000 "
                              "eval_ms=250.000 ntt_ms=250.000 msm_h_ms=250.000 bits_ms=250.000 tail_ms=250.000 "
                              "download_ms=250.000 idle_before_ms=0.000 total_ms=1750.000");
  const auto fin = find("FIN_TIMING");
  CHECK(fin.find("job=1 part=0 assemble_ms=") == 0);
  CHECK(fin.find(" verify_ms=") != std::string::npos);
  CHECK(fin.find(" store_ms=") != std::string::npos);
  CHECK(fin.find(" total_ms=") != std::string::npos);
}

TEST_CASE("while the lane proves one partition the next witness is made and queued") {
  node_fixture f;
  const auto s = f.submit("a", 7, 6);
  f.run();
  const auto st = f.status().scheduler;
  CHECK(f.world.backends[0]->runs.size() == 1); // computing
  CHECK(st.proving == 2);                       // one more at the lane
  CHECK(st.ready >= 1);
  f.prove_all();
  CHECK(f.report(s.job).state == job_state::done);
}

TEST_CASE("the same request id and payload is the same job, another payload is refused") {
  node_fixture f;
  const auto first = f.submit("a", 7);
  const auto again = f.submit("a", 7);
  CHECK(again.result.ok);
  CHECK(again.attached);
  CHECK(again.job == first.job);
  const auto other = f.submit("a", 8);
  CHECK_FALSE(other.result.ok);
  CHECK(other.result.why.code == errc::conflict);
  f.prove_all();
  const auto late = f.submit("a", 7);
  CHECK(late.attached);
  CHECK(late.state == job_state::done);
  CHECK(f.world.backends[0]->order.size() == 1);
}

TEST_CASE("what cannot be accepted is refused with its code") {
  node_config with;
  with.tracker.max_unfinished_jobs = 2;
  node_fixture f(1, {}, with);
  CHECK(f.submit("", 1).result.why.code == errc::bad_input);
  auto framing =
    f.ask<submit_reply>(node_fixture::job("short", 1), input_handle{std::make_shared<const bytes>(bytes{1})});
  CHECK(framing.result.why.code == errc::bad_input);
  auto late = node_fixture::job("late", 1);
  late.spec.deadline_wall_ms = f.world.wall_ms - 1;
  CHECK(f.submit(late).result.why.code == errc::deadline);
  CHECK(f.submit("a", 1).result.ok);
  CHECK(f.submit("b", 2).result.ok);
  const auto full = f.submit("c", 3).result;
  CHECK(full.why.code == errc::resources);
  CHECK(full.why.retry_after_ms > 0);
}

TEST_CASE("a full disk refuses the submit and nothing remains of it") {
  node_fixture f;
  f.world.store->fail = error{errc::resources, "disk full"};
  const auto s = f.submit("a", 7);
  CHECK_FALSE(s.result.ok);
  CHECK(s.result.why.code == errc::resources);
  f.world.store->fail.reset();
  CHECK(f.submit("a", 7).result.ok);
  f.prove_all();
  CHECK(f.ask<job_list>(list_jobs{}).jobs.size() == 1);
}

TEST_CASE("a disk that is full for a while delays the end of a job but does not lose it") {
  node_fixture f;
  const auto s = f.submit("a", 7);
  f.world.store->fail = error{errc::resources, "disk full"};
  f.prove_all();
  CHECK(f.report(s.job).state == job_state::running);
  f.world.store->fail.reset();
  for (int i = 0; i < 4; ++i)
    f.advance(1500ms);
  CHECK(f.report(s.job).state == job_state::done);
  CHECK(f.world.logged("journal-refused"));
}

TEST_CASE("a bad vanilla proof ends the accepted job as bad_input") {
  node_fixture f;
  const auto s = f.submit("a", 0xff);
  CHECK(s.result.ok);
  f.prove_all();
  const auto r = f.report(s.job);
  CHECK(r.state == job_state::failed);
  CHECK(r.failure.code == errc::bad_input);
  CHECK(r.failure.where == "/proofs/0");
}

TEST_CASE("await answers at the end of the job or of its time") {
  node_fixture f;
  const auto s = f.submit("a", 7);
  auto late = f.self->request(f.node, 120min, await_job{s.job, 60'000});
  f.run();
  f.advance(59s);
  auto in_time = f.self->request(f.node, 120min, await_job{s.job, 600'000});
  f.run();
  f.advance(2s);
  late.receive([&](job_report& r) { CHECK(r.state == job_state::running); }, [](caf::error&) { FAIL("no answer"); });
  f.prove_all();
  in_time.receive([&](job_report& r) { CHECK(r.state == job_state::done); }, [](caf::error&) { FAIL("no answer"); });
  CHECK(f.ask<job_report>(await_job{job_id{99}, 1000}).found.why.code == errc::not_found);
}

TEST_CASE("cancel stops a running job, frees its memory and is told of an end it missed") {
  node_fixture f;
  const auto s = f.submit("a", 7, 4);
  CHECK(f.status().budget.reserved.host > 100);
  const auto c = f.ask<cancel_reply>(cancel_job{s.job, "me"});
  CHECK(c.result.ok);
  CHECK(f.report(s.job).state == job_state::cancelled);
  CHECK(f.report(s.job).failure.code == errc::cancelled);
  CHECK(f.world.backends[0]->tokens.at(0).cancelled());
  f.prove_all();
  CHECK(f.status().budget.reserved == byte_counts{100, 0, 0});
  CHECK(f.world.backends[0]->order.size() == 1); // the second never began
  CHECK(f.ask<cancel_reply>(cancel_job{s.job, "me"}).result.ok);
  CHECK(f.ask<cancel_reply>(cancel_job{job_id{99}, "me"}).result.why.code == errc::not_found);
  const auto done = f.submit("b", 8);
  f.prove_all();
  CHECK(f.ask<cancel_reply>(cancel_job{done.job, "me"}).result.why.code == errc::conflict);
}

TEST_CASE("a deadline ends a job that has not finished") {
  node_fixture f;
  auto ask = node_fixture::job("a", 7);
  ask.spec.deadline_wall_ms = f.world.wall_ms + 5000;
  const auto s = f.submit(ask);
  REQUIRE(s.result.ok);
  f.advance(6s);
  CHECK(f.report(s.job).state == job_state::failed);
  CHECK(f.report(s.job).failure.code == errc::deadline);
}

TEST_CASE("a device fault is tried on another lane, and faults quarantine a lane") {
  node_config with;
  with.scheduler.faults_to_quarantine = 2;
  node_fixture f(2, {}, with);
  const auto s = f.submit("a", 7);
  const auto first = f.world.backends[0]->runs.empty() ? 1u : 0u;
  f.world.backends[first]->fail({errc::gpu_fault, "illegal access"});
  f.run();
  REQUIRE(f.world.backends[1 - first]->runs.size() == 1);
  f.prove_all();
  CHECK(f.report(s.job).state == job_state::done);
  f.submit("b", 8, 2);
  f.run();
  REQUIRE_FALSE(f.world.backends[first]->runs.empty());
  f.world.backends[first]->fail({errc::gpu_fault, "again"});
  f.prove_all();
  const auto st = f.status();
  CHECK(st.scheduler.lanes[first].quarantined);
  CHECK(f.world.logged("lane-quarantined"));
  CHECK(f.ask<admin_reply>(release_lane{lane_id{first}}).result.ok);
  CHECK_FALSE(f.status().scheduler.lanes[first].quarantined);
  CHECK(f.ask<admin_reply>(release_lane{lane_id{9}}).result.why.code == errc::not_found);
}

TEST_CASE("a partition whose proof does not verify is proved again alone") {
  node_fixture f(2);
  f.world.bad_verdicts = 1;
  const auto s = f.submit("a", 7, 3);
  f.prove_all();
  CHECK(f.report(s.job).state == job_state::done);
  CHECK(f.world.backends[0]->order.size() + f.world.backends[1]->order.size() == 4);
  f.world.bad_verdicts = 100;
  const auto bad = f.submit("b", 8, 1);
  f.prove_all();
  CHECK(f.report(bad.job).failure.code == errc::self_check_failed);
}

TEST_CASE("given r and s and a single partition reach the lane") {
  node_fixture f;
  auto ask = node_fixture::job("a", 7);
  ask.spec.only_partition = 2;
  ask.spec.r.resize(1);
  ask.spec.s.resize(1);
  const auto s = f.submit(ask, 4);
  f.prove_all();
  const auto r = f.report(s.job);
  CHECK(r.state == job_state::done);
  REQUIRE(r.proof.size() == 192);
  CHECK(r.proof[1] == 2);
  auto wrong = node_fixture::job("b", 8);
  wrong.spec.r.resize(2);
  wrong.spec.s.resize(2);
  const auto w = f.submit(wrong, 3);
  f.prove_all();
  CHECK(f.report(w.job).failure.code == errc::bad_input);
  CHECK(f.report(w.job).failure.where == "r");
  auto outside = node_fixture::job("c", 9);
  outside.spec.only_partition = 3;
  const auto o = f.submit(outside, 3);
  f.prove_all();
  CHECK(f.report(o.job).failure.where == "partition");
}

TEST_CASE("urgent work overtakes what has not begun") {
  node_fixture f;
  f.submit("bulk", 1, 6);
  auto urgent = node_fixture::job("urgent", 2, "winning-2k");
  const auto s = f.submit(urgent);
  f.run();
  f.world.backends[0]->finish(); // the bulk partition that ran
  f.run();
  CHECK(f.world.backends[0]->runs.front().marks.input == 2);
  f.prove_all();
  CHECK(f.report(s.job).state == job_state::done);
}

TEST_CASE("a restart takes up what was accepted and still serves what was finished") {
  fake_world kept;
  job_id done{}, open{};
  {
    node_fixture f(1, kept);
    done = f.submit("done", 1, 2).job;
    f.prove_all();
    open = f.submit("open", 2, 3).job;
    f.run();
    f.world.backends[0]->finish(); // one of three partitions
    f.run();
    CHECK(f.report(open).partitions_done == 1);
    kept.store = f.world.store;
  }
  node_fixture f(1, kept);
  CHECK(f.report(done).state == job_state::done);
  CHECK(f.report(done).proof.size() == 2 * 192);
  f.prove_all();
  CHECK(f.report(open).state == job_state::done);
  CHECK(f.world.backends[0]->order.size() == 2); // the first partition was not proved again
  CHECK(f.submit("open", 2, 3).attached);
  CHECK(number(f.submit("new", 3).job) == 3);
}

TEST_CASE("a lane that dies is started again and the job does not notice") {
  node_fixture f;
  const auto s = f.submit("a", 7, 3);
  f.world.backends[0]->finish();
  f.world.backends[0]->throws = 1; // the next order ends the lane
  f.run();
  CHECK(f.world.logged("actor-died"));
  f.prove_all();
  CHECK(f.report(s.job).state == job_state::done);
  const auto st = f.status();
  const auto lane = std::find_if(st.actors.begin(), st.actors.end(), [](const auto& a) { return a.name == "lane 0"; });
  REQUIRE(lane != st.actors.end());
  CHECK(lane->restarts == 1);
  CHECK(lane->up);
}

TEST_CASE("a synthesizer, finalizer, tracker or param_store that dies is replaced") {
  const auto when = GENERATE(0, 1, 2, 3);
  node_fixture f;
  const auto first = f.submit("a", 7, 2);
  REQUIRE(first.result.ok);
  if (when == 0) {
    f.world.backends[0]->finish();
    f.world.compute_throws = 1; // the finalizer
  } else if (when == 1) {
    f.world.key_size_throws = 1; // param_store, at the next lease
    auto other = node_fixture::job("b", 8, "window-2k");
    f.submit(other);
  } else if (when == 2) {
    f.world.compute_throws = 1; // the tracker, looking at an input
    caf::anon_send(f.node, node_fixture::job("lost", 9), input_handle{std::make_shared<const bytes>(2)});
  } else {
    f.prove_all();
    f.world.hold = true;
    caf::anon_send(f.node, node_fixture::job("b", 8), input_handle{std::make_shared<const bytes>(bytes{8, 2})});
    f.run();
    f.world.hold = false;
    f.world.held_back.front()(); // the look at the input
    f.world.held_back.clear();
    f.world.compute_throws = 1; // a synthesizer
  }
  f.run();
  CHECK(f.world.logged("actor-died"));
  f.prove_all();
  CHECK(f.report(first.job).state == job_state::done);
  for (const auto& j : f.ask<job_list>(list_jobs{}).jobs)
    CHECK(j.state == job_state::done);
  const auto again = f.submit("after", 10);
  f.prove_all();
  CHECK(f.report(again.job).state == job_state::done);
}

TEST_CASE("a job that ends workers twice is failed, not tried for ever") {
  node_fixture f(2);
  const auto s = f.submit("poison", 7);
  for (int i = 0; i < 2; ++i) {
    f.world.hold = false;
    f.world.compute_throws = 1;
    for (auto& b : f.world.backends)
      if (!b->runs.empty())
        b->finish(); // its finalizer ends
    f.run();
    f.world.compute_throws = 0;
    f.run();
  }
  f.prove_all();
  CHECK(f.report(s.job).state == job_state::failed);
  CHECK(f.report(s.job).failure.code == errc::internal);
}

TEST_CASE("a node whose actor keeps dying gives up") {
  node_config with;
  with.restart.restarts = 2;
  node_fixture f(1, {}, with);
  for (int i = 0; i < 4; ++i) {
    f.world.compute_throws = 1;
    caf::anon_send(f.node, node_fixture::job("x" + std::to_string(i), 9),
                   input_handle{std::make_shared<const bytes>(2)});
    f.run();
  }
  CHECK(f.world.logged("node-gives-up"));
}

TEST_CASE("preload, evict and status of keys") {
  node_fixture f;
  const auto p = f.ask<params_reply>(preload_params{"porep-2k"});
  CHECK(p.result.ok);
  CHECK(p.bytes == 100);
  CHECK(f.world.keys_opened == 1);
  CHECK(f.ask<params_reply>(preload_params{"porep-64g"}).result.why.code == errc::params);
  f.submit("a", 7);
  CHECK(f.ask<params_reply>(evict_params{"porep-2k"}).result.why.code == errc::conflict);
  f.prove_all();
  CHECK(f.world.keys_opened == 1);
  CHECK(f.ask<params_reply>(evict_params{"porep-2k"}).result.ok);
  CHECK(f.ask<params_reply>(evict_params{"porep-2k"}).result.why.code == errc::not_found);
  CHECK(f.status().budget.reserved == byte_counts{});
}

TEST_CASE("pause starts nothing, resume goes on, drain refuses and answers when all is done") {
  node_fixture f;
  CHECK(f.status().phase == node_phase::serving);
  CHECK(f.status().ready);
  CHECK(f.ask<admin_reply>(pause_node{}).result.ok);
  const auto s = f.submit("a", 7);
  CHECK(s.result.ok);
  CHECK(f.world.backends[0]->runs.empty());
  CHECK(f.report(s.job).waits_for == "paused");
  CHECK(f.ask<admin_reply>(pause_node{}).result.why.code == errc::conflict);
  CHECK(f.ask<admin_reply>(resume_node{}).result.ok);
  CHECK(f.world.backends[0]->runs.size() == 1);
  auto drained = f.self->request(f.node, 60min, drain_node{0});
  f.run();
  CHECK(f.submit("b", 8).result.why.code == errc::shutdown);
  CHECK_FALSE(f.status().ready);
  f.prove_all();
  drained.receive([](admin_reply& r) { CHECK(r.result.ok); }, [](caf::error&) { FAIL("no answer"); });
}

TEST_CASE("a drain that takes too long says what is left") {
  node_fixture f;
  f.submit("a", 7);
  auto drained = f.self->request(f.node, 60min, drain_node{2000});
  f.run();
  f.advance(3s);
  drained.receive([](admin_reply& r) { CHECK(r.result.why.code == errc::resources); },
                  [](caf::error&) { FAIL("no answer"); });
}

TEST_CASE("watchers get events in order and without gaps, also over a restart of the tracker") {
  node_fixture f;
  f.self->send(f.node, subscribe_events{});
  f.run();
  f.submit("a", 7);
  f.prove_all();
  std::vector<std::string> what;
  std::uint64_t last = 0;
  while (f.self->has_next_message())
    f.self->receive([&](const job_event& e) {
      CHECK((last == 0 || e.number == last + 1));
      last = e.number;
      what.push_back(e.what);
    });
  CHECK(std::find(what.begin(), what.end(), "accepted") == what.begin());
  CHECK(std::find(what.begin(), what.end(), "started") != what.end());
  CHECK(what.back() == "done");
  f.world.compute_throws = 1;
  caf::anon_send(f.node, node_fixture::job("lost", 9), input_handle{std::make_shared<const bytes>(2)});
  f.run();
  f.submit("b", 8);
  f.prove_all();
  CHECK(f.self->has_next_message());
  f.self->send(f.node, unsubscribe_events{});
  f.run();
  while (f.self->has_next_message())
    f.self->receive([](const job_event&) {});
  f.submit("c", 9);
  f.prove_all();
  CHECK_FALSE(f.self->has_next_message());
}

TEST_CASE("metrics and trace tell what happened") {
  node_fixture f;
  f.submit("a", 7, 2);
  f.prove_all();
  const auto page = f.ask<metrics_page>(metrics_query{});
  const auto value = [&](const std::string& name, const std::string& labels) {
    for (const auto& family : page.families)
      for (const auto& s : family.samples)
        if (s.name == name && s.labels == labels)
          return s.value;
    return -1.0;
  };
  CHECK(value("cuzk_partitions_proved_total", "kind=\"porep\",lane=\"lane0\"") == 2);
  CHECK(value("cuzk_job_events_total", "event=\"done\"") == 1);
  CHECK(value("cuzk_stage_seconds_count", "lane=\"lane0\",stage=\"ntt\"") == 2);
  CHECK(value("cuzk_ready", "") == 1);
  CHECK(value("cuzk_memory_reserved_bytes", "kind=\"host\"") == 100);
  const auto trace = f.ask<trace_page>(trace_query{60});
  CHECK(std::count_if(trace.spans.begin(), trace.spans.end(), [](const auto& s) { return s.name == "ntt"; }) == 2);
}

TEST_CASE("results are forgotten after their time") {
  node_config with;
  with.tracker.keep_results = 2;
  node_fixture f(1, {}, with);
  const auto first = f.submit("a", 1);
  f.prove_all();
  f.submit("b", 2);
  f.submit("c", 3);
  f.prove_all();
  CHECK(f.report(first.job).found.why.code == errc::not_found);
  CHECK(f.world.store->jobs().size() == 2);
  CHECK(f.submit("a", 1).attached == false);
}
