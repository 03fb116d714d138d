#include "gateway/json.hpp"

#include "messages/names.hpp"
#include "runtime/base/hex.hpp"

#include <cstdio>
#include <map>

namespace cuzk {

std::string to_line(const json& document) {
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

json to_json(const error& e) {
  json out = {
    {"code", to_string(e.code)}, {"text", e.text}, {"where", e.where}, {"retry", to_string(retry_of(e.code))}};
  if (e.retry_after_ms != 0)
    out["retry_after_ms"] = e.retry_after_ms;
  return out;
}

json to_json(const job_report& r) {
  json out = {{"job", number(r.job)},
              {"request_id", r.request_id},
              {"kind", r.kind},
              {"circuit", r.circuit},
              {"class", to_string(r.cls)},
              {"state", to_string(r.state)},
              {"percent", r.percent},
              {"eta_ms", r.eta_ms},
              {"partitions", r.partitions},
              {"partitions_done", r.partitions_done},
              {"submitted_ms", r.submitted_wall_ms},
              {"started_ms", r.started_wall_ms},
              {"finished_ms", r.finished_wall_ms},
              {"deadline_ms", r.deadline_wall_ms},
              {"identity", r.identity},
              {"device", r.device},
              {"test_key", r.test_key}};
  if (!r.waits_for.empty())
    out["waits_for"] = r.waits_for;
  if (r.state == job_state::failed || r.state == job_state::cancelled)
    out["error"] = to_json(r.failure);
  if (!r.proof.empty())
    out["proof"] = to_hex(r.proof);
  for (const auto& p : r.parts)
    out["parts"].push_back({{"partition", p.partition},
                            {"state", to_string(p.state)},
                            {"attempt", p.attempt},
                            {"stage", p.stage},
                            {"lane", p.lane},
                            {"total_ms", p.total_ms}});
  return out;
}

json to_json(const job_event& e) {
  return {{"number", e.number}, {"wall_ms", e.wall_ms},        {"job", number(e.job)},
          {"what", e.what},     {"partition", e.partition},    {"attempt", e.attempt},
          {"detail", e.detail}, {"state", to_string(e.state)}, {"percent", e.percent}};
}

namespace {

json lanes_json(const scheduler_status& s) {
  json out = json::array();
  for (const auto& lane : s.lanes)
    out.push_back({{"lane", number(lane.info.lane)},
                   {"name", lane.info.name},
                   {"device", lane.info.device},
                   {"credits", lane.credits},
                   {"in_flight", lane.in_flight},
                   {"quarantined", lane.quarantined},
                   {"reason", lane.reason},
                   {"faults", lane.faults},
                   {"proved", lane.proved},
                   {"working_on", lane.working_on}});
  return out;
}

json keys_json(const params_status& p) {
  json out = json::array();
  for (const auto& key : p.keys) {
    json entry = {{"circuit", key.circuit},
                  {"state", to_string(key.state)},
                  {"bytes", key.size.host + key.size.pinned + key.size.device},
                  {"leases", key.leases},
                  {"pinned", key.pinned},
                  {"test_key", key.test_key},
                  {"path", key.path}};
    if (key.state == key_state::failed)
      entry["error"] = to_json(key.failure);
    out.push_back(std::move(entry));
  }
  return out;
}

} // namespace

json to_json(const node_status& s) {
  json actors = json::array();
  for (const auto& a : s.actors)
    actors.push_back({{"name", a.name}, {"up", a.up}, {"restarts", a.restarts}, {"last_death", a.last_death}});
  const auto& q = s.scheduler;
  return {{"phase", to_string(s.phase)},
          {"ready", s.ready},
          {"uptime_ms", s.uptime_ms},
          {"device", s.device},
          {"test_keys_allowed", s.test_keys_allowed},
          {"queue",
           {{"to_prepare", q.to_prepare},
            {"to_synthesize", q.to_synthesize},
            {"synthesizing", q.synthesizing},
            {"ready", q.ready},
            {"proving", q.proving},
            {"finalizing", q.finalizing},
            {"oldest_wait_ms", q.oldest_wait_ms},
            {"retries", q.retries},
            {"quarantines", q.quarantines}}},
          {"lanes", lanes_json(q)},
          {"memory",
           {{"host_total_bytes", s.budget.total.host},
            {"host_used_bytes", s.budget.reserved.host},
            {"pinned_used_bytes", s.budget.reserved.pinned},
            {"device_used_bytes", s.budget.reserved.device},
            {"waiting", s.budget.waiting}}},
          {"params_dir", s.params.cache_dir},
          {"keys", keys_json(s.params)},
          {"jobs",
           {{"accepted", s.tracker.accepted},
            {"attached", s.tracker.attached},
            {"refused", s.tracker.refused},
            {"done", s.tracker.done},
            {"failed", s.tracker.failed},
            {"cancelled", s.tracker.cancelled},
            {"unfinished", s.tracker.unfinished},
            {"journal_ok", s.tracker.journal_ok}}},
          {"actors", std::move(actors)},
          {"unanswered", s.unanswered}};
}

namespace {

const char* type_text(metric_type type) {
  switch (type) {
  case metric_type::counter: return "counter";
  case metric_type::gauge: return "gauge";
  case metric_type::histogram: return "histogram";
  }
  return "untyped";
}

std::string number_text(double value) {
  char out[40];
  std::snprintf(out, sizeof out, "%.17g", value);
  return out;
}

} // namespace

std::string prometheus_text(const metrics_page& page) {
  std::string out;
  for (const auto& family : page.families) {
    out +=
      "# HELP " + family.name + " " + family.help + "\n# TYPE " + family.name + " " + type_text(family.type) + "\n";
    for (const auto& sample : family.samples)
      out +=
        sample.name + (sample.labels.empty() ? "" : "{" + sample.labels + "}") + " " + number_text(sample.value) + "\n";
  }
  return out;
}

std::string chrome_trace(const trace_page& page) {
  json events = json::array();
  std::map<std::string, int> tracks;
  for (const auto& span : page.spans) {
    const auto [track, fresh] = tracks.emplace(span.track, static_cast<int>(tracks.size()) + 1);
    if (fresh)
      events.push_back(
        {{"name", "thread_name"}, {"ph", "M"}, {"pid", 1}, {"tid", track->second}, {"args", {{"name", span.track}}}});
    events.push_back({{"name", span.name},
                      {"ph", "X"},
                      {"pid", 1},
                      {"tid", track->second},
                      {"ts", span.begin_us},
                      {"dur", span.end_us - span.begin_us},
                      {"args", {{"partition", to_string(span.ref)}}}});
  }
  return to_line({{"traceEvents", std::move(events)}, {"displayTimeUnit", "ms"}});
}

} // namespace cuzk
