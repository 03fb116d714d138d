#pragma once
// Timelines, counters and the lines of the log. No CAF, clock or I/O: facts come in, lines go out.
#include "actors/metrics_table.hpp"
#include "messages/status.hpp"
#include "messages/work.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace cuzk {

using log_lines = std::vector<log_line>;

/// Facts about partitions become GPU_TIMING and FIN_TIMING lines, histograms, and spans of a timeline of which the last
/// `most_spans` are kept. Equal events of the log beyond `repeats` a minute are counted, and the count is written.
class telemetry_state {
public:
  static constexpr const char* name = "telemetry";
  telemetry_state(std::uint32_t most_spans, std::uint32_t repeats_per_minute);

  void lane(const lane_info& info) { lanes_[info.lane] = info; }
  log_lines stamp(const partition_stamp& fact);
  void stage(const stage_done& fact, std::int64_t now_us);
  log_lines proved(const partition_proved& fact, std::int64_t now_us);
  void failed(const partition_failed& fact);
  void verified(const partition_verified& fact);
  log_lines event(const job_event& fact, std::int64_t now_us);
  log_lines line(const log_line& fact, std::int64_t now_us);

  /// Own counters and the gauges of the status.
  metrics_page page(const node_status& node) const;
  trace_page trace(std::uint32_t last_seconds, std::int64_t now_us) const;

private:
  /// What is known of a partition that is under way.
  struct timeline {
    std::map<partition_mark, std::int64_t> at_us;
    std::int64_t assemble_us = 0, verify_us = 0;
    std::string kind;
  };
  struct repeats {
    std::int64_t minute = 0;
    std::uint32_t written = 0, held_back = 0;
  };
  void span(std::string track, std::string what, const partition_ref& ref, std::int64_t begin_us, std::int64_t end_us);
  std::string lane_name(lane_id lane) const;
  log_line fin_timing(const partition_ref& ref, const timeline& t) const;

  std::uint32_t most_spans_, repeats_per_minute_;
  std::map<lane_id, lane_info> lanes_;
  std::map<partition_ref, timeline> under_way_;
  std::deque<trace_span> spans_;
  std::map<std::string, repeats> repeats_;
  metrics_table metrics_;
};

} // namespace cuzk
