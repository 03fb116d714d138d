#include "actors/telemetry_state.hpp"

#include "messages/names.hpp"

#include <algorithm>
#include <cstdio>

namespace cuzk {

namespace {

constexpr std::size_t most_under_way = 100'000; ///< timelines of partitions nobody finished are forgotten beyond

std::string ms(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", seconds * 1000);
  return text;
}
std::string us_as_ms(std::int64_t us) {
  return ms(static_cast<double>(us) / 1e6);
}
std::string ref_text(const partition_ref& ref) {
  return "job=" + std::to_string(number(ref.job)) + " part=" + std::to_string(ref.partition);
}
/// No blanks inside a key=value line.
std::string one_word(std::string text) {
  std::replace(text.begin(), text.end(), ' ', '_');
  return text.empty() ? "-" : text;
}
double seconds(std::int64_t us) {
  return static_cast<double>(us) / 1e6;
}

} // namespace

telemetry_state::telemetry_state(std::uint32_t most_spans, std::uint32_t repeats_per_minute)
  : most_spans_(most_spans), repeats_per_minute_(repeats_per_minute) {
  metrics_.describe("cuzk_job_events_total", "Events of jobs: accepted, started, retry, done, failed, cancelled.");
  metrics_.describe("cuzk_partitions_proved_total", "Partitions proved, by kind and lane.");
  metrics_.describe("cuzk_stage_seconds", "Time of each step of proving, by stage and lane.");
  metrics_.describe("cuzk_prove_seconds", "Time of proving a partition, by kind and lane.");
  metrics_.describe("cuzk_lane_gap_seconds", "Time a lane stood idle before a partition.");
  metrics_.describe("cuzk_synthesis_seconds", "Time of making a witness.");
  metrics_.describe("cuzk_wait_for_lane_seconds", "Time a witness waited for a lane.");
  metrics_.describe("cuzk_verify_seconds", "Time of verifying a proof.");
  metrics_.describe("cuzk_store_seconds", "Time from a verified proof to its being on disk.");
  metrics_.describe("cuzk_partition_seconds", "Time of a partition from its witness order to its proof on disk.");
  metrics_.describe("cuzk_self_check_failures_total", "Own proofs that did not verify, by lane.");
  metrics_.describe("cuzk_lane_failures_total", "Attempts a lane could not finish, by lane and code.");
  metrics_.describe("cuzk_log_lines_held_back_total", "Repeated log lines that were counted instead of written.");
}

std::string telemetry_state::lane_name(lane_id lane) const {
  const auto it = lanes_.find(lane);
  return it == lanes_.end() ? std::to_string(number(lane)) : one_word(it->second.name);
}

void telemetry_state::span(std::string track, std::string what, const partition_ref& ref, std::int64_t begin_us,
                           std::int64_t end_us) {
  spans_.push_back({std::move(track), std::move(what), ref, begin_us, end_us});
  if (spans_.size() > most_spans_)
    spans_.pop_front();
}

log_lines telemetry_state::stamp(const partition_stamp& fact) {
  if (fact.mark == partition_mark::retried) {
    under_way_.erase(fact.ref);
    return {};
  }
  auto& t = under_way_[fact.ref];
  t.at_us[fact.mark] = fact.at_us;
  const auto since = [&](partition_mark m) { return t.at_us.count(m) != 0 ? t.at_us[m] : fact.at_us; };
  if (fact.mark == partition_mark::synthesized) {
    const auto begin = since(partition_mark::synthesizing);
    span("synthesis", "synthesize", fact.ref, begin, fact.at_us);
    metrics_.observe("cuzk_synthesis_seconds", "", seconds(fact.at_us - begin));
  }
  if (fact.mark == partition_mark::dispatched)
    metrics_.observe("cuzk_wait_for_lane_seconds", "", seconds(fact.at_us - since(partition_mark::synthesized)));
  if (fact.mark != partition_mark::stored) {
    if (under_way_.size() > most_under_way)
      under_way_.erase(under_way_.begin());
    return {};
  }
  metrics_.observe("cuzk_store_seconds", "", seconds(fact.at_us - since(partition_mark::verified)));
  metrics_.observe("cuzk_partition_seconds", "", seconds(fact.at_us - since(partition_mark::synthesizing)));
  const auto line = fin_timing(fact.ref, t);
  under_way_.erase(fact.ref);
  return {line};
}

log_line telemetry_state::fin_timing(const partition_ref& ref, const timeline& t) const {
  const auto at = [&](partition_mark m, partition_mark otherwise) {
    const auto it = t.at_us.find(m);
    return it != t.at_us.end() ? it->second : t.at_us.count(otherwise) != 0 ? t.at_us.at(otherwise) : 0;
  };
  const auto stored = at(partition_mark::stored, partition_mark::stored);
  const auto verified = at(partition_mark::verified, partition_mark::stored);
  const auto proved = at(partition_mark::proved, partition_mark::verified);
  return {log_severity::info, "FIN_TIMING",
          ref_text(ref) + " assemble_ms=" + us_as_ms(t.assemble_us) + " verify_ms=" + us_as_ms(t.verify_us) +
            " store_ms=" + us_as_ms(stored - verified) + " total_ms=" + us_as_ms(stored - proved)};
}

void telemetry_state::stage(const stage_done& fact, std::int64_t now_us) {
  const auto track = lane_name(fact.lane);
  const auto stage = std::string(groth16::to_string(fact.stage));
  span(track, stage, fact.ref, now_us - fact.took_us, now_us);
  metrics_.observe("cuzk_stage_seconds", label("lane", track) + "," + label("stage", stage), seconds(fact.took_us));
}

log_lines telemetry_state::proved(const partition_proved& fact, std::int64_t now_us) {
  const auto lane = lane_name(fact.lane);
  const auto kind = kind_of(fact.circuit);
  const auto labels = label("kind", kind) + "," + label("lane", lane);
  const auto& t = fact.timings;
  metrics_.count("cuzk_partitions_proved_total", labels);
  metrics_.observe("cuzk_prove_seconds", labels, t.total);
  metrics_.observe("cuzk_lane_gap_seconds", label("lane", lane), t.idle_before);
  span(lane, "prove " + fact.circuit, fact.ref, now_us - static_cast<std::int64_t>(t.total * 1e6), now_us);
  const auto known = lanes_.find(fact.lane);
  std::string text = ref_text(fact.ref) + " attempt=" + std::to_string(fact.ref.attempt) + " lane=" + lane +
                     " device=" + one_word(known == lanes_.end() ? "" : known->second.device) + " kind=" + kind;
  for (const auto s : groth16::all_stages)
    text += " " + std::string(groth16::to_string(s)) + "_ms=" + ms(t[s]);
  text += " idle_before_ms=" + ms(t.idle_before) + " total_ms=" + ms(t.total);
  return {{log_severity::info, "GPU_TIMING", std::move(text)}};
}

void telemetry_state::failed(const partition_failed& fact) {
  metrics_.count("cuzk_lane_failures_total",
                 label("code", to_string(fact.why.code)) + "," + label("lane", lane_name(fact.lane)));
}

void telemetry_state::verified(const partition_verified& fact) {
  metrics_.observe("cuzk_verify_seconds", "", seconds(fact.verify_us));
  if (!fact.good) {
    metrics_.count("cuzk_self_check_failures_total", label("lane", lane_name(fact.lane)));
    return;
  }
  auto& t = under_way_[fact.ref];
  t.assemble_us = fact.assemble_us;
  t.verify_us = fact.verify_us;
}

log_lines telemetry_state::event(const job_event& fact, std::int64_t now_us) {
  if (fact.what == "stage" || fact.what == "waits")
    return {};
  metrics_.count("cuzk_job_events_total", label("event", fact.what));
  auto severity = log_severity::info;
  if (fact.what == "failed" || fact.what == "retry")
    severity = log_severity::warn;
  if (fact.what == "partition_done")
    severity = log_severity::debug;
  auto event = "job-" + fact.what;
  std::replace(event.begin(), event.end(), '_', '-');
  std::string text = "job=" + std::to_string(number(fact.job)) + " state=" + to_string(fact.state);
  if (fact.what == "retry" || fact.what == "partition_done")
    text += " part=" + std::to_string(fact.partition) + " attempt=" + std::to_string(fact.attempt);
  if (!fact.detail.empty())
    text += " detail=\"" + fact.detail + "\"";
  return line({severity, std::move(event), std::move(text)}, now_us);
}

log_lines telemetry_state::line(const log_line& fact, std::int64_t now_us) {
  constexpr std::int64_t minute_us = 60'000'000;
  log_lines out;
  auto& r = repeats_[fact.event];
  if (r.minute != now_us / minute_us) {
    if (r.held_back != 0)
      out.push_back({fact.severity, fact.event, "held_back=" + std::to_string(r.held_back)});
    r = {now_us / minute_us, 0, 0};
  }
  if (r.written >= repeats_per_minute_) {
    ++r.held_back;
    metrics_.count("cuzk_log_lines_held_back_total", "");
    return out;
  }
  ++r.written;
  out.push_back(fact);
  return out;
}

trace_page telemetry_state::trace(std::uint32_t last_seconds, std::int64_t now_us) const {
  trace_page out;
  const auto from = now_us - static_cast<std::int64_t>(last_seconds) * 1'000'000;
  std::copy_if(spans_.begin(), spans_.end(), std::back_inserter(out.spans),
               [from](const trace_span& s) { return s.end_us >= from; });
  std::stable_sort(out.spans.begin(), out.spans.end(),
                   [](const trace_span& a, const trace_span& b) { return a.begin_us < b.begin_us; });
  return out;
}

metrics_page telemetry_state::page(const node_status& node) const {
  metrics_page out{metrics_.families()};
  const auto gauge = [&out](const char* family, const char* help, std::vector<std::pair<std::string, double>> values) {
    metric_family f{family, help, metric_type::gauge, {}};
    for (auto& [labels, value] : values)
      f.samples.push_back({family, std::move(labels), value});
    out.families.push_back(std::move(f));
  };
  const auto n = [](auto x) { return static_cast<double>(x); };
  const auto& s = node.scheduler;
  gauge("cuzk_ready", "1 when the node takes jobs and can prove.", {{"", node.ready ? 1 : 0}});
  gauge("cuzk_uptime_seconds", "Since the node started.", {{"", n(node.uptime_ms) / 1000}});
  gauge("cuzk_jobs_unfinished", "Accepted or being accepted.", {{"", n(node.tracker.unfinished)}});
  gauge("cuzk_jobs_kept", "Finished jobs whose results can be had.", {{"", n(node.tracker.kept)}});
  gauge("cuzk_journal_ok", "0 while the journal refuses facts.", {{"", node.tracker.journal_ok ? 1 : 0}});
  gauge("cuzk_partitions", "Partitions by what they are doing.",
        {{label("state", "to_synthesize"), n(s.to_synthesize)},
         {label("state", "synthesizing"), n(s.synthesizing)},
         {label("state", "ready"), n(s.ready)},
         {label("state", "proving"), n(s.proving)},
         {label("state", "finalizing"), n(s.finalizing)}});
  std::vector<std::pair<std::string, double>> queued, in_flight, quarantined, credits;
  for (std::size_t c = 0; c < s.queued_by_class.size(); ++c)
    queued.emplace_back(label("class", to_string(static_cast<job_class>(c))), n(s.queued_by_class[c]));
  for (const auto& l : s.lanes) {
    const auto lane = label("lane", l.info.name);
    in_flight.emplace_back(lane, n(l.in_flight));
    quarantined.emplace_back(lane, l.quarantined ? 1 : 0);
    credits.emplace_back(lane, n(l.credits));
  }
  gauge("cuzk_queued", "Pieces of work queued, by class.", std::move(queued));
  gauge("cuzk_oldest_wait_seconds", "How long the oldest queued piece waits.", {{"", n(s.oldest_wait_ms) / 1000}});
  gauge("cuzk_lane_in_flight", "Orders a lane has.", std::move(in_flight));
  gauge("cuzk_lane_credits", "Orders a lane takes more.", std::move(credits));
  gauge("cuzk_lane_quarantined", "1 for a lane out of service.", std::move(quarantined));
  const auto& b = node.budget;
  const auto bytes_of = [&](const byte_counts& c) {
    return std::vector<std::pair<std::string, double>>{{label("kind", "host"), n(c.host)},
                                                       {label("kind", "pinned"), n(c.pinned)},
                                                       {label("kind", "device"), n(c.device)}};
  };
  gauge("cuzk_memory_budget_bytes", "The whole budget.", bytes_of(b.total));
  gauge("cuzk_memory_reserved_bytes", "Reserved of it.", bytes_of(b.reserved));
  gauge("cuzk_memory_reserved_peak_bytes", "The most that was reserved.", bytes_of(b.peak));
  gauge("cuzk_memory_waiting", "Reservations that wait.", {{"", n(b.waiting)}});
  gauge("cuzk_keys_loaded", "Keys loaded or being loaded.", {{"", n(node.params.keys.size())}});
  std::vector<std::pair<std::string, double>> restarts;
  for (const auto& a : node.actors)
    restarts.emplace_back(label("actor", a.name), n(a.restarts));
  gauge("cuzk_actor_restarts", "How often an actor was started again.", std::move(restarts));
  return out;
}

} // namespace cuzk
