#include "tools/cuzk/console.hpp"

#include "messages/names.hpp"
#include "runtime/base/hex.hpp"

#include <cstdio>
#include <ctime>
#include <sstream>
#include <unistd.h>

namespace cuzk::client {

namespace {

bool to_terminal() {
  static const bool yes = isatty(STDERR_FILENO) == 1;
  return yes;
}

std::string clock_text(std::int64_t wall_ms) {
  if (wall_ms == 0)
    return "-";
  const std::time_t seconds = wall_ms / 1000;
  std::tm local{};
  localtime_r(&seconds, &local);
  char out[32];
  std::strftime(out, sizeof out, "%Y-%m-%d %H:%M:%S", &local);
  return out;
}

std::string seconds_text(std::int64_t ms) {
  char out[32];
  std::snprintf(out, sizeof out, "%.1f s", static_cast<double>(ms) / 1000);
  return out;
}

// Names come from anywhere: a terminal gets no control characters of theirs.
std::string printable(std::string text) {
  for (auto& c : text)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f)
      c = '?';
  return text;
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

} // namespace

std::string to_text(const job_report& r) {
  std::ostringstream out;
  out << "job " << number(r.job) << "  " << r.circuit << "  " << to_string(r.state);
  if (r.state == job_state::running)
    out << "  " << r.percent << " %";
  if (!r.waits_for.empty())
    out << "  waits for: " << r.waits_for;
  out << "\n  request id   " << r.request_id << "\n  submitted    " << clock_text(r.submitted_wall_ms);
  if (r.finished_wall_ms != 0)
    out << "\n  finished     " << clock_text(r.finished_wall_ms) << "  after "
        << seconds_text(r.finished_wall_ms - r.submitted_wall_ms);
  if (r.partitions != 0)
    out << "\n  partitions   " << r.partitions_done << " of " << r.partitions << " done";
  if (!r.device.empty())
    out << "\n  device       " << r.device;
  if (!r.identity.empty())
    out << "\n  identity     " << r.identity;
  if (r.test_key)
    out << "\n  key          insecure test key";
  if (r.state == job_state::failed || r.state == job_state::cancelled)
    out << "\n  error        " << r.failure.message();
  if (!r.proof.empty())
    out << "\n  proof        " << r.proof.size() << " bytes: " << to_hex(byte_view(r.proof).first(16)) << "…";
  for (const auto& p : r.parts)
    out << "\n  partition " << p.partition << "  " << to_string(p.state) << "  attempt " << p.attempt << "  " << p.stage
        << (p.lane.empty() ? "" : " on ") << p.lane << (p.total_ms != 0 ? "  " + seconds_text(p.total_ms) : "");
  return out.str();
}

std::string to_text(const job_list& list) {
  if (list.jobs.empty())
    return "no jobs";
  std::string out = padded("JOB", 8) + padded("CIRCUIT", 14) + padded("STATE", 11) + padded("PARTS", 8) +
                    padded("SUBMITTED", 21) + padded("TOOK", 10) + "NOTE";
  for (const auto& r : list.jobs) {
    const auto end = r.finished_wall_ms;
    std::string note = r.waits_for.empty() ? "" : "waits for " + r.waits_for;
    if (r.state == job_state::failed || r.state == job_state::cancelled)
      note = r.failure.message();
    out += "\n" + padded(std::to_string(number(r.job)), 8) + padded(r.circuit, 14) + padded(to_string(r.state), 11) +
           padded(std::to_string(r.partitions_done) + "/" + std::to_string(r.partitions), 8) +
           padded(clock_text(r.submitted_wall_ms), 21) +
           padded(end != 0 ? seconds_text(end - r.submitted_wall_ms) : "-", 10) + note;
  }
  if (list.more)
    out += "\n(more: --before " + std::to_string(number(list.jobs.back().job)) + ")";
  return out;
}

std::string to_text(const job_event& e) {
  std::string out = clock_text(e.wall_ms) + "  job " + padded(std::to_string(number(e.job)), 6) + padded(e.what, 15);
  if (e.what == "stage" || e.what == "partition_done" || e.what == "retry")
    out += "partition " + std::to_string(e.partition) + "  ";
  return out + e.detail + "  " + std::to_string(e.percent) + " %";
}

namespace {

void lanes_text(std::ostringstream& out, const scheduler_status& s) {
  for (const auto& lane : s.lanes) {
    out << "\nlane " << lane.info.name << "  " << lane.info.device << "  proved " << lane.proved << "  free slots "
        << lane.credits;
    if (lane.quarantined)
      out << "  QUARANTINED: " << lane.reason << " (cuzk release " << number(lane.info.lane) << ")";
    for (const auto& work : lane.working_on)
      out << "\n  working on " << work;
  }
}

void keys_text(std::ostringstream& out, const params_status& p) {
  out << "\nkeys in " << p.cache_dir << (p.keys.empty() ? ": none loaded" : "");
  for (const auto& key : p.keys) {
    out << "\n  " << padded(key.circuit, 14) << padded(to_string(key.state), 20)
        << human_bytes(key.size.host + key.size.pinned + key.size.device) << "  leases " << key.leases
        << (key.pinned ? "  pinned" : "") << (key.test_key ? "  INSECURE TEST KEY" : "");
    if (key.state == key_state::failed)
      out << "\n    " << key.failure.message();
  }
}

} // namespace

std::string to_text(const node_status& s) {
  std::ostringstream out;
  out << "node " << to_string(s.phase) << (s.ready ? ", ready" : ", not ready") << "  up " << seconds_text(s.uptime_ms)
      << "  device: " << s.device << (s.test_keys_allowed ? "  (insecure test keys allowed)" : "");
  const auto& q = s.scheduler;
  out << "\nqueue: " << q.to_prepare << " to read, " << q.to_synthesize << " to synthesize, " << q.synthesizing
      << " in synthesis, " << q.ready << " ready, " << q.proving << " proving, " << q.finalizing << " verifying";
  lanes_text(out, q);
  out << "\nmemory: " << human_bytes(s.budget.reserved.host) << " of " << human_bytes(s.budget.total.host)
      << " reserved, " << s.budget.waiting << " waiting";
  keys_text(out, s.params);
  const auto& t = s.tracker;
  out << "\njobs: " << t.accepted << " accepted, " << t.done << " done, " << t.failed << " failed, " << t.cancelled
      << " cancelled, " << t.refused << " refused, " << t.unfinished << " unfinished"
      << (t.journal_ok ? "" : "  JOURNAL BROKEN");
  for (const auto& a : s.actors)
    if (!a.up || a.restarts != 0)
      out << "\nactor " << a.name << (a.up ? "" : " DOWN") << "  restarts " << a.restarts << "  " << a.last_death;
  for (const auto& name : s.unanswered)
    out << "\n" << name << " did not answer in time";
  return out.str();
}

int console::fail(const error& e) const {
  if (json_output)
    std::printf("%s\n", to_line({{"error", to_json(e)}}).c_str());
  else
    std::fprintf(stderr, "cuzk: %s\n", printable(e.message()).c_str());
  return exit_status(e.code);
}

void console::show(const json& document, const std::string& text) const {
  std::printf("%s\n", (json_output ? to_line(document) : printable(text)).c_str());
  std::fflush(stdout);
}

void console::note(const std::string& line) const {
  if (!json_output)
    std::fprintf(stderr, "%s\n", printable(line).c_str());
}

void console::progress(unsigned percent, const std::string& what) {
  if (json_output)
    return;
  if (!to_terminal()) {
    if (what != last_what_)
      std::fprintf(stderr, "%3u %%  %s\n", percent, what.c_str());
    last_what_ = what;
    return;
  }
  constexpr unsigned width = 30;
  std::string bar(std::min(width, percent * width / 100), '#');
  std::fprintf(stderr, "\r[%s] %3u %%  %-40.40s", padded(bar, width).c_str(), percent, what.c_str());
  std::fflush(stderr);
  bar_open_ = true;
}

void console::end_progress() {
  if (bar_open_)
    std::fprintf(stderr, "\n");
  bar_open_ = false;
}

} // namespace cuzk::client
