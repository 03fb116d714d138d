#include "actors/telemetry_state.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;

namespace {

double sample(const metrics_page& page, const std::string& name, const std::string& labels) {
  for (const auto& f : page.families)
    for (const auto& s : f.samples)
      if (s.name == name && s.labels == labels)
        return s.value;
  return -1;
}

} // namespace

TEST_CASE("FIN_TIMING is written when the proof is on disk") {
  telemetry_state t(100, 10);
  const partition_ref ref{job_id{17}, 3, 1};
  CHECK(t.stamp({ref, partition_mark::synthesizing, 0}).empty());
  CHECK(t.stamp({ref, partition_mark::proved, 1'000'000}).empty());
  partition_verified v;
  v.ref = ref;
  v.good = true;
  v.assemble_us = 1500;
  v.verify_us = 20'000;
  t.verified(v);
  CHECK(t.stamp({ref, partition_mark::verified, 1'025'000}).empty());
  const auto lines = t.stamp({ref, partition_mark::stored, 1'030'500});
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].event == "FIN_TIMING");
  CHECK(lines[0].text == "job=17 part=3 assemble_ms=1.500 verify_ms=20.000 store_ms=5.500 total_ms=30.500");
  CHECK(sample(t.page({}), "cuzk_store_seconds_count", "") == 1);
}

TEST_CASE("GPU_TIMING names the lane and its device without blanks") {
  telemetry_state t(100, 10);
  lane_info lane;
  lane.lane = lane_id{2};
  lane.name = "gpu2";
  lane.device = "NVIDIA H200";
  t.lane(lane);
  partition_proved p;
  p.ref = {job_id{1}, 0, 4};
  p.lane = lane_id{2};
  p.circuit = "window-32g";
  p.timings[prove_stage::msm_h] = 0.42;
  p.timings.total = 0.7;
  p.timings.idle_before = 0.0013;
  const auto lines = t.proved(p, 5'000'000);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].text ==
        "job=1 part=0 attempt=4 lane=gpu2 device=NVIDIA_H200 kind=window upload_ms=0.000 eval_ms=0.000 "
        "ntt_ms=0.000 msm_h_ms=420.000 bits_ms=0.000 tail_ms=0.000 download_ms=0.000 "
        "idle_before_ms=1.300 total_ms=700.000");
  CHECK(sample(t.page({}), "cuzk_lane_gap_seconds_bucket", "lane=\"gpu2\",le=\"0.002\"") == 1);
  CHECK(sample(t.page({}), "cuzk_lane_gap_seconds_bucket", "lane=\"gpu2\",le=\"0.001\"") == 0);
}

TEST_CASE("equal lines beyond the limit are counted, and the count is written in the next minute") {
  telemetry_state t(100, 3);
  std::size_t written = 0;
  for (int i = 0; i < 50; ++i)
    written += t.line({log_severity::warn, "disk-full", "x"}, 1000).size();
  CHECK(written == 3);
  CHECK(t.line({log_severity::warn, "another", "x"}, 1000).size() == 1);
  const auto next = t.line({log_severity::warn, "disk-full", "x"}, 61'000'000);
  REQUIRE(next.size() == 2);
  CHECK(next[0].text == "held_back=47");
  CHECK(sample(t.page({}), "cuzk_log_lines_held_back_total", "") == 47);
}

TEST_CASE("the trace keeps the last spans in order of their beginning") {
  telemetry_state t(3, 10);
  for (std::int64_t i = 0; i < 5; ++i)
    t.stage({{job_id{1}, 0, 1}, lane_id{0}, prove_stage::ntt, 100}, 1000 * (i + 1));
  const auto all = t.trace(60, 5000).spans;
  REQUIRE(all.size() == 3);
  CHECK(all[0].begin_us == 2900);
  CHECK(all[2].end_us == 5000);
  CHECK(t.trace(0, 4001).spans.size() == 1);
}

TEST_CASE("histograms are cumulative and labels escaped") {
  histogram h;
  for (const double x : {0.00005, 0.003, 0.003, 5000.0})
    h.observe(x);
  metric_family f;
  f.name = "x";
  h.append_to(f, "");
  CHECK(f.samples.front().value == 1);
  CHECK(f.samples[f.samples.size() - 3].labels == "le=\"+Inf\"");
  CHECK(f.samples[f.samples.size() - 3].value == 4);
  CHECK(f.samples[f.samples.size() - 4].value == 3);
  CHECK(label("a", "b\"c\\d") == "a=\"b\\\"c\\\\d\"");
}

TEST_CASE("job events are counted and logged, stages are not") {
  telemetry_state t(100, 100);
  job_event e;
  e.job = job_id{3};
  e.what = "failed";
  e.state = job_state::failed;
  e.detail = "bad_input: /proofs/0: x";
  const auto lines = t.event(e, 0);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].event == "job-failed");
  CHECK(lines[0].severity == log_severity::warn);
  e.what = "stage";
  CHECK(t.event(e, 0).empty());
  CHECK(sample(t.page({}), "cuzk_job_events_total", "event=\"failed\"") == 1);
}
