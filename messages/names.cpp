#include "messages/names.hpp"

#include <cstdio>

namespace cuzk {

const char* to_string(job_class c) noexcept {
  switch (c) {
  case job_class::winning: return "winning";
  case job_class::window: return "window";
  case job_class::bulk: return "bulk";
  case job_class::background: return "background";
  }
  return "?";
}

const char* to_string(job_state s) noexcept {
  switch (s) {
  case job_state::checking: return "checking";
  case job_state::accepting: return "accepting";
  case job_state::queued: return "queued";
  case job_state::running: return "running";
  case job_state::done: return "done";
  case job_state::failed: return "failed";
  case job_state::cancelled: return "cancelled";
  }
  return "?";
}

const char* to_string(partition_state s) noexcept {
  switch (s) {
  case partition_state::waiting: return "waiting";
  case partition_state::synthesizing: return "synthesizing";
  case partition_state::ready: return "ready";
  case partition_state::proving: return "proving";
  case partition_state::finalizing: return "finalizing";
  case partition_state::done: return "done";
  }
  return "?";
}

const char* to_string(partition_mark m) noexcept {
  switch (m) {
  case partition_mark::queued: return "queued";
  case partition_mark::reserved: return "reserved";
  case partition_mark::synthesizing: return "synthesizing";
  case partition_mark::synthesized: return "synthesized";
  case partition_mark::dispatched: return "dispatched";
  case partition_mark::started: return "started";
  case partition_mark::proved: return "proved";
  case partition_mark::verified: return "verified";
  case partition_mark::stored: return "stored";
  case partition_mark::retried: return "retried";
  }
  return "?";
}

const char* to_string(fact_type t) noexcept {
  switch (t) {
  case fact_type::accepted: return "accepted";
  case fact_type::prepared: return "prepared";
  case fact_type::partition_done: return "partition_done";
  case fact_type::finished: return "finished";
  case fact_type::forgotten: return "forgotten";
  }
  return "?";
}

const char* to_string(key_state s) noexcept {
  switch (s) {
  case key_state::waiting_for_memory: return "waiting_for_memory";
  case key_state::loading: return "loading";
  case key_state::loaded: return "loaded";
  case key_state::failed: return "failed";
  }
  return "?";
}

const char* to_string(node_phase p) noexcept {
  switch (p) {
  case node_phase::starting: return "starting";
  case node_phase::serving: return "serving";
  case node_phase::paused: return "paused";
  case node_phase::draining: return "draining";
  case node_phase::stopped: return "stopped";
  }
  return "?";
}

const char* to_string(actor_role r) noexcept {
  switch (r) {
  case actor_role::tracker: return "tracker";
  case actor_role::journal: return "journal";
  case actor_role::scheduler: return "scheduler";
  case actor_role::budget: return "budget";
  case actor_role::param_store: return "param_store";
  case actor_role::key_loader: return "key_loader";
  case actor_role::synthesizer: return "synthesizer";
  case actor_role::lane: return "lane";
  case actor_role::finalizer: return "finalizer";
  case actor_role::telemetry: return "telemetry";
  }
  return "?";
}

const char* to_string(log_severity s) noexcept {
  switch (s) {
  case log_severity::debug: return "debug";
  case log_severity::info: return "info";
  case log_severity::warn: return "warn";
  case log_severity::error: return "error";
  }
  return "?";
}

namespace {

// Tries every value from the first to the last: the switch above is the only table.
template <class Enum>
bool parse_name(std::string_view name, Enum last, Enum& out) noexcept {
  for (unsigned i = 0; i <= static_cast<unsigned>(last); ++i)
    if (name == to_string(static_cast<Enum>(i))) {
      out = static_cast<Enum>(i);
      return true;
    }
  return false;
}

} // namespace

bool parse_job_class(std::string_view name, job_class& out) noexcept {
  return parse_name(name, job_class::background, out);
}
bool parse_job_state(std::string_view name, job_state& out) noexcept {
  return parse_name(name, job_state::cancelled, out);
}
bool parse_fact_type(std::string_view name, fact_type& out) noexcept {
  return parse_name(name, fact_type::forgotten, out);
}

std::string kind_of(std::string_view circuit) {
  return std::string(circuit.substr(0, circuit.find('-')));
}

job_class class_of(std::string_view circuit) noexcept {
  const auto kind = circuit.substr(0, circuit.find('-'));
  if (kind == "winning")
    return job_class::winning;
  return kind == "window" ? job_class::window : job_class::bulk;
}

std::string to_string(const partition_ref& ref) {
  return std::to_string(number(ref.job)) + "/" + std::to_string(ref.partition) + "#" + std::to_string(ref.attempt);
}

bool is_name(std::string_view text) noexcept {
  if (text.empty() || text.size() > 200)
    return false;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    if (lead < 0x20 || lead == 0x7f)
      return false;
    const int more = lead < 0x80                   ? 0
                     : lead >= 0xc2 && lead < 0xe0 ? 1
                     : lead >= 0xe0 && lead < 0xf0 ? 2
                     : lead >= 0xf0 && lead < 0xf5 ? 3
                                                   : -1;
    if (more < 0 || text.size() - i < static_cast<std::size_t>(more))
      return false;
    std::uint32_t point = lead & (more == 0 ? 0x7fu : 0x3fu >> more);
    for (int k = 0; k < more; ++k) {
      const auto next = static_cast<unsigned char>(text[i++]);
      if ((next & 0xc0) != 0x80)
        return false;
      point = point << 6 | (next & 0x3f);
    }
    const bool longer_than_needed = (more == 2 && point < 0x800) || (more == 3 && point < 0x10000);
    if (longer_than_needed || point > 0x10ffff || (point >= 0xd800 && point < 0xe000) ||
        (point >= 0x80 && point < 0xa0))
      return false;
  }
  return true;
}

std::string human_bytes(std::uint64_t count) {
  static constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(count);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(units)) {
    value /= 1024;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return text;
}

} // namespace cuzk
