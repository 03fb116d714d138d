#include "actors/tracker_state.hpp"
#include "tests/actors/effects.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;
using namespace cuzk::test;

namespace {

constexpr moment start{1'000'000, 1'700'000'000'000};

moment later(std::int64_t ms) {
  return {start.mono_us + ms * 1000, start.wall_ms + ms};
}
const work_need need = {{10, 0, 0}, {50, 0, 0}, {5, 0, 0}, {20, 0, 0}, {100, 0, 0}};

/// A tracker with an empty journal behind it, and a journal that stores when told.
struct tracker_under_test {
  tracker_state s;
  std::vector<std::uint64_t> unstored;
  tracker_effects all;

  explicit tracker_under_test(tracker_limits limits = {}) : s(limits, {1000, 0, 0}) {
    take(s.restore(
      {}, [](const std::string&) { return result<work_need>(need); }, start));
    take(s.phase(node_phase::serving, start));
    all.clear();
  }
  void take(const tracker_effects& effects) {
    for (const auto& a : of_kind<append_effect>(effects))
      for (const auto& f : a.facts.facts)
        unstored.push_back(f.seq);
    all.insert(all.end(), effects.begin(), effects.end());
  }
  void submit(std::uint64_t to, const std::string& request, std::uint8_t payload = 1, job_spec spec = {}) {
    submit_job ask;
    ask.request_id = request;
    ask.payload_digest[0] = payload;
    ask.input_bytes = 100;
    ask.spec = std::move(spec);
    take(s.submit(ticket{to}, ask, {std::make_shared<const bytes>(100)}, start));
  }
  void inspected(std::uint64_t id, const work_need& n = need) {
    input_inspected f;
    f.job = job_id{id};
    f.kind = "porep";
    f.circuit = "porep-2k";
    f.need = n;
    take(s.inspected(f, start));
  }
  void store(moment now = start) {
    while (!unstored.empty())
      take(s.stored({std::exchange(unstored, {})}, now));
  }
  /// As far as accepted.
  void accept(std::uint64_t to, const std::string& request, job_spec spec = {}) {
    submit(to, request, 1, std::move(spec));
    inspected(number(of_kind<inspect_effect>(all).back().job));
    store();
  }
  void verify(std::uint64_t id, std::uint32_t partition, std::uint32_t attempt = 1) {
    partition_verified v;
    v.ref = {job_id{id}, partition, attempt};
    v.good = true;
    v.proof[0] = static_cast<std::uint8_t>(partition + 10 * attempt);
    v.lane_name = v.device = "cpu";
    take(s.verified(v, start));
  }
  job_report report(std::uint64_t id) { return s.report({job_id{id}, ""}, start); }
  submit_reply answer(std::uint64_t to) {
    for (const auto& a : of_kind<submit_answer>(all))
      if (a.to == ticket{to})
        return a.reply;
    FAIL("no answer to " << to);
    return {};
  }
};

} // namespace

TEST_CASE("accepted is said when the journal has it, and only then is work offered") {
  tracker_under_test t;
  t.submit(1, "a");
  t.inspected(1);
  CHECK(of_kind<submit_answer>(t.all).empty());
  CHECK(of_kind<offer_effect>(t.all).empty());
  t.store();
  CHECK(t.answer(1).result.ok);
  CHECK(of_kind<offer_effect>(t.all).size() == 1);
  CHECK(t.report(1).state == job_state::queued);
  CHECK(t.s.status().accepted == 1);
}

TEST_CASE("submits of one request id meet in one job, in each of its states") {
  tracker_under_test t;
  t.submit(1, "a");
  t.submit(2, "a");
  t.inspected(1);
  t.submit(3, "a");
  t.submit(4, "a", 9);
  CHECK(t.answer(4).result.why.code == errc::conflict);
  t.store();
  CHECK_FALSE(t.answer(1).attached);
  CHECK(t.answer(2).attached);
  CHECK(t.answer(3).attached);
  t.submit(5, "a");
  CHECK(t.answer(5).attached);
  CHECK(t.answer(5).job == t.answer(1).job);
  CHECK(of_kind<inspect_effect>(t.all).size() == 1);
}

TEST_CASE("bounds refuse before anything is looked at") {
  tracker_limits l;
  l.max_unfinished_jobs = 2;
  l.max_queued_input_bytes = 250;
  l.max_input_bytes = 100;
  tracker_under_test t(l);
  t.accept(1, "a");
  t.accept(2, "b");
  t.submit(3, "c");
  CHECK(t.answer(3).result.why.code == errc::resources);
  CHECK(t.answer(3).result.why.retry_after_ms == l.retry_after_ms);
  submit_job big;
  big.request_id = "big";
  big.input_bytes = 101;
  t.take(t.s.submit(ticket{4}, big, {}, start));
  CHECK(t.answer(4).result.why.code == errc::bad_input);
  t.submit(5, std::string(201, 'x'));
  CHECK(t.answer(5).result.why.code == errc::bad_input);
  CHECK(t.s.status().refused == 3);
}

TEST_CASE("what can never fit into the memory is refused with both numbers") {
  tracker_under_test t;
  t.submit(1, "a");
  auto n = need;
  n.key = {2000, 0, 0};
  t.inspected(1, n);
  CHECK(t.answer(1).result.why.code == errc::resources);
  CHECK(t.answer(1).result.why.text.find("1000 B") != std::string::npos);
  t.submit(2, "a"); // the id is free again
  CHECK(of_kind<inspect_effect>(t.all).size() == 2);
}

TEST_CASE("the node decides the class; a client may only lower it") {
  tracker_under_test t;
  job_spec spec;
  spec.cls = job_class::winning;
  t.accept(1, "a", spec);
  CHECK(t.report(1).cls == job_class::bulk);
  spec.background = true;
  t.accept(2, "b", spec);
  CHECK(t.report(2).cls == job_class::background);
}

TEST_CASE("done is said when every proof and the end are on disk; proofs lie in order") {
  tracker_under_test t;
  t.accept(1, "a");
  t.take(t.s.await(ticket{9}, {job_id{1}, 10'000}, start));
  t.take(t.s.prepared({job_id{1}, 3, "checked"}, start));
  t.verify(1, 2);
  t.verify(1, 0);
  t.verify(1, 1);
  CHECK(t.report(1).partitions_done == 3);
  CHECK_FALSE(is_final(t.report(1).state));
  CHECK(of_kind<report_answer>(t.all).empty());
  t.store();
  const auto answers = of_kind<report_answer>(t.all);
  REQUIRE(answers.size() == 1);
  const auto& r = answers[0].report;
  CHECK(r.state == job_state::done);
  REQUIRE(r.proof.size() == 3 * 192);
  CHECK(r.proof[0] == 10);
  CHECK(r.proof[192] == 11);
  CHECK(r.proof[384] == 12);
  CHECK(r.percent == 100);
}

TEST_CASE("the first good proof of a partition counts, of whatever attempt") {
  tracker_under_test t;
  t.accept(1, "a");
  t.take(t.s.prepared({job_id{1}, 1, "checked"}, start));
  t.verify(1, 0, 2);
  t.verify(1, 0, 1);
  t.store();
  CHECK(t.report(1).proof[0] == 20);
  partition_verified bad;
  bad.ref = {job_id{1}, 0, 3};
  CHECK(t.s.verified(bad, start).empty());
  bad.ref.job = job_id{77};
  bad.good = true;
  CHECK(t.s.verified(bad, start).empty());
}

TEST_CASE("cancel in each state") {
  tracker_under_test t;
  const auto code = [&](std::uint64_t to) {
    for (const auto& a : of_kind<cancel_answer>(t.all))
      if (a.to == ticket{to})
        return a.reply.result.ok ? errc{} : a.reply.result.why.code;
    FAIL("no answer");
    return errc::internal;
  };
  t.take(t.s.cancel(ticket{1}, {job_id{5}, "x"}, start));
  CHECK(code(1) == errc::not_found);
  t.submit(2, "looked-at");
  t.take(t.s.cancel(ticket{3}, {job_id{1}, "x"}, start));
  CHECK(code(3) == errc{});
  CHECK(t.answer(2).result.why.code == errc::cancelled);
  t.submit(4, "on-its-way");
  t.inspected(2);
  t.take(t.s.cancel(ticket{5}, {job_id{2}, "x"}, start));
  t.store();
  CHECK(code(5) == errc{});
  CHECK(t.answer(4).result.ok); // it was accepted, and is cancelled now
  CHECK(t.report(2).state == job_state::cancelled);
  CHECK(t.report(2).failure.text == "cancelled by x");
  CHECK(of_kind<offer_effect>(t.all).empty());
  t.accept(6, "running");
  t.take(t.s.cancel(ticket{7}, {job_id{3}, "x"}, start));
  CHECK(of_kind<withdraw_job>(t.all).back().job == job_id{3});
  t.store();
  CHECK(code(7) == errc{});
  t.accept(8, "done");
  t.take(t.s.prepared({job_id{4}, 1, ""}, start));
  t.verify(4, 0);
  t.store();
  t.take(t.s.cancel(ticket{9}, {job_id{4}, "x"}, start));
  CHECK(code(9) == errc::conflict);
  CHECK(t.s.status().cancelled == 2);
  CHECK(t.s.status().unfinished == 0);
}

TEST_CASE("a cancel that comes while the end is on its way hears how it ended") {
  tracker_under_test t;
  t.accept(1, "a");
  t.take(t.s.prepared({job_id{1}, 1, ""}, start));
  t.verify(1, 0);
  t.take(t.s.stored({std::exchange(t.unstored, {})}, start)); // the proof; the end is told to the journal now
  t.take(t.s.cancel(ticket{5}, {job_id{1}, "x"}, start));
  CHECK(of_kind<cancel_answer>(t.all).empty());
  t.store();
  CHECK(of_kind<cancel_answer>(t.all).at(0).reply.result.why.code == errc::conflict);
}

TEST_CASE("await is bounded, and asks without waiting when told so") {
  tracker_under_test t;
  t.accept(1, "a");
  t.take(t.s.await(ticket{1}, {job_id{1}, 5000}, start));
  t.take(t.s.await(ticket{2}, {job_id{1}, 0}, start));
  CHECK(of_kind<report_answer>(t.all).size() == 1);
  CHECK(t.s.next_wakeup() == later(5000).mono_us);
  CHECK(of_kind<report_answer>(t.s.tick(later(4999))).empty());
  const auto answers = of_kind<report_answer>(t.s.tick(later(5000)));
  REQUIRE(answers.size() == 1);
  CHECK(answers[0].report.state == job_state::queued);
  CHECK_FALSE(t.s.next_wakeup());
}

TEST_CASE("deadlines are wall-clock at submit and monotonic while running") {
  tracker_under_test t;
  job_spec spec;
  spec.deadline_wall_ms = start.wall_ms + 3000;
  t.accept(1, "a", spec);
  CHECK(of_kind<offer_effect>(t.all).at(0).offer.deadline_us == later(3000).mono_us);
  t.take(t.s.tick({later(2999).mono_us, start.wall_ms + 999'999})); // the wall clock jumped
  CHECK(of_kind<withdraw_job>(t.all).empty());
  t.take(t.s.tick(later(3000)));
  t.store();
  CHECK(t.report(1).failure.code == errc::deadline);
}

TEST_CASE("a deadline nobody ever met is refused with both times") {
  tracker_under_test t;
  t.accept(1, "a");
  t.take(t.s.prepared({job_id{1}, 1, ""}, start));
  t.take(t.s.stamped({{job_id{1}, 0, 1}, partition_mark::synthesizing, 1, lane_id{0}, ""}, start));
  t.verify(1, 0);
  t.store(later(2000)); // it took two seconds
  job_spec spec;
  spec.deadline_wall_ms = start.wall_ms + 1500;
  t.submit(2, "b", 1, spec);
  t.inspected(2);
  CHECK(t.answer(2).result.why.code == errc::deadline);
  CHECK(t.answer(2).result.why.text == "1500 ms are left, the fastest job of porep-2k took 2000 ms");
  spec.deadline_wall_ms = start.wall_ms + 2500;
  t.accept(3, "c", spec);
  CHECK(t.answer(3).result.ok);
}

TEST_CASE("refused facts are told again; a refused acceptance is no job") {
  tracker_under_test t;
  t.submit(1, "a");
  t.inspected(1);
  t.take(t.s.store_refused({std::exchange(t.unstored, {}), {errc::resources, "full"}}, start));
  CHECK(t.answer(1).result.why.code == errc::resources);
  CHECK(t.report(1).found.why.code == errc::not_found);
  CHECK_FALSE(t.s.status().journal_ok);
  t.accept(2, "a");
  t.take(t.s.prepared({job_id{2}, 1, ""}, start));
  t.verify(2, 0);
  const auto refused_facts = std::exchange(t.unstored, {});
  t.take(t.s.store_refused({refused_facts, {errc::resources, "full"}}, start));
  CHECK(t.s.status().unstored_facts == refused_facts.size());
  t.take(t.s.tick(later(1000)));
  CHECK(t.unstored == refused_facts);
  t.store();
  CHECK(t.report(2).state == job_state::done);
  CHECK(t.s.status().journal_ok);
}

TEST_CASE("a new journal is told what was not confirmed, inputs included") {
  tracker_under_test t;
  t.submit(1, "a");
  t.inspected(1);
  const auto again = of_kind<append_effect>(t.s.journal_replaced(start));
  REQUIRE(again.size() == 1);
  CHECK(again[0].facts.facts.at(0).seq == t.unstored.at(0));
  CHECK(again[0].input.data != nullptr);
  t.store();
  t.take(t.s.stored({{again[0].facts.facts[0].seq}}, start)); // confirmed twice
  CHECK(of_kind<offer_effect>(t.all).size() == 1);
}

TEST_CASE("a new scheduler is offered what is unfinished, with room for attempts nobody heard of") {
  tracker_under_test t;
  t.accept(1, "a");
  t.accept(2, "b");
  t.take(t.s.prepared({job_id{1}, 2, ""}, start));
  partition_stamp stamp{{job_id{1}, 0, 3}, partition_mark::started, 5, lane_id{0}, ""};
  t.take(t.s.stamped(stamp, start));
  t.verify(1, 1);
  t.take(t.s.cancel(ticket{9}, {job_id{2}, ""}, start));
  const auto offers = of_kind<offer_effect>(t.s.scheduler_replaced(start));
  REQUIRE(offers.size() == 1);
  CHECK(offers[0].offer.job == job_id{1});
  CHECK(offers[0].offer.finished == std::vector<std::uint32_t>{1});
  CHECK(offers[0].offer.first_attempt > 3);
}

TEST_CASE("results are kept for a time and in a number, then forgotten with their request ids") {
  tracker_limits l;
  l.keep_results_ms = 10'000;
  l.keep_results = 2;
  tracker_under_test t(l);
  for (std::uint64_t i = 1; i <= 3; ++i) {
    t.accept(i, "r" + std::to_string(i));
    t.take(t.s.cancel(ticket{100 + i}, {job_id{i}, ""}, start));
    t.store();
  }
  CHECK_FALSE(t.report(1).found.ok);
  CHECK(t.report(2).found.ok);
  t.take(t.s.tick(later(10'001)));
  CHECK_FALSE(t.report(3).found.ok);
  CHECK(t.s.status().kept == 0);
  t.submit(50, "r1");
  CHECK(of_kind<inspect_effect>(t.all).back().job == job_id{4});
}

TEST_CASE("progress, waits and events follow the partition") {
  tracker_under_test t;
  t.accept(1, "a");
  t.take(t.s.prepared({job_id{1}, 1, ""}, start));
  const auto stamp = [&](partition_mark m, std::uint32_t attempt = 1) {
    t.take(t.s.stamped({{job_id{1}, 0, attempt}, m, 1, lane_id{0}, "why"}, start));
    return t.report(1).parts.at(0);
  };
  t.take(t.s.waits({job_id{1}, "memory"}, start));
  CHECK(t.report(1).waits_for == "memory");
  CHECK(stamp(partition_mark::synthesizing).state == partition_state::synthesizing);
  CHECK(t.report(1).state == job_state::running);
  stamp(partition_mark::synthesized);
  CHECK(t.report(1).percent == 10);
  stamp(partition_mark::started);
  t.take(t.s.stage({{job_id{1}, 0, 1}, lane_id{0}, prove_stage::ntt, 5}, start));
  CHECK(t.report(1).parts.at(0).stage == "ntt");
  CHECK(t.report(1).percent > 10);
  CHECK(stamp(partition_mark::retried).state == partition_state::waiting);
  CHECK(stamp(partition_mark::proved, 2).state == partition_state::finalizing);
  CHECK(stamp(partition_mark::started, 1).state == partition_state::finalizing); // an old attempt's
  std::uint64_t last = 0;
  for (const auto& e : of_kind<job_event>(t.all)) {
    CHECK((last == 0 || e.number == last + 1));
    last = e.number;
  }
}

TEST_CASE("list is newest first, in pages, of the unfinished alone when asked") {
  tracker_under_test t;
  for (std::uint64_t i = 1; i <= 5; ++i)
    t.accept(i, "r" + std::to_string(i));
  t.take(t.s.cancel(ticket{9}, {job_id{4}, ""}, start));
  t.store();
  const auto numbers = [](const job_list& l) {
    std::vector<std::uint64_t> out;
    for (const auto& j : l.jobs)
      out.push_back(number(j.job));
    return out;
  };
  const auto first = t.s.list({2, job_id{}, false}, start);
  CHECK(numbers(first) == std::vector<std::uint64_t>{5, 4});
  CHECK(first.more);
  CHECK(numbers(t.s.list({9, job_id{4}, false}, start)) == std::vector<std::uint64_t>{3, 2, 1});
  CHECK(numbers(t.s.list({9, job_id{}, true}, start)) == std::vector<std::uint64_t>{5, 3, 2, 1});
}

TEST_CASE("before the journal is read, nothing is promised") {
  tracker_state s({}, {1000, 0, 0});
  submit_job ask;
  ask.request_id = "a";
  const auto e = s.submit(ticket{1}, ask, {}, start);
  CHECK(of_kind<submit_answer>(e).at(0).reply.result.why.code == errc::unavailable);
  CHECK(s.report({job_id{1}, ""}, start).found.why.code == errc::unavailable);
  journal_contents broken;
  broken.result = refused(internal_error("schema 2, this program knows 1"));
  CHECK(of_kind<log_line>(s.restore(broken, {}, start)).at(0).event == "journal-unreadable");
  CHECK_FALSE(s.loaded());
}

TEST_CASE("the node hears how much is left, also after a restart") {
  tracker_state s({}, {1000, 0, 0});
  journal_contents c;
  c.next_job = 8;
  journal_fact f;
  f.type = fact_type::accepted;
  f.job = job_id{7};
  f.request_id = "a";
  f.spec.circuit = "porep-2k";
  f.spec.deadline_wall_ms = start.wall_ms + 500;
  c.facts.push_back(f);
  const auto e = s.restore(
    c, [](const std::string&) { return result<work_need>(need); }, start);
  CHECK(of_kind<work_left>(e).at(0).jobs == 1);
  CHECK(of_kind<offer_effect>(e).at(0).offer.deadline_us == later(500).mono_us);
  const auto gone = s.restore(c, {}, start);
  CHECK(gone.empty()); // read once
}

TEST_CASE("a circuit that is gone fails its job at the restart") {
  tracker_state s({}, {1000, 0, 0});
  journal_contents c;
  journal_fact f;
  f.type = fact_type::accepted;
  f.job = job_id{7};
  f.request_id = "a";
  c.facts.push_back(f);
  const auto none = [](const std::string&) -> result<work_need> { return error{errc::params, "no such circuit"}; };
  const auto e = s.restore(c, none, start);
  CHECK(of_kind<offer_effect>(e).empty());
  CHECK(of_kind<append_effect>(e).at(0).facts.facts.at(0).failure.code == errc::params);
}

TEST_CASE("a request id that cannot be printed is refused") {
  tracker_under_test t;
  for (const auto* id : {"", "a\nb", "caf\xff"}) {
    t.all.clear();
    t.submit(1, id);
    const auto answers = of_kind<submit_answer>(t.all);
    REQUIRE(answers.size() == 1);
    CHECK(answers[0].reply.result.why.code == errc::bad_input);
    CHECK(answers[0].reply.result.why.where == "request_id");
  }
}
