#pragma once
// The node's values as JSON: what HTTP serves and what `cuzk --json` prints. Names are stable.
#include "messages/job.hpp"
#include "messages/status.hpp"
#include "runtime/base/error.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace cuzk {

using json = nlohmann::ordered_json;

/// {"code", "text", "where", "retry"[, "retry_after_ms"]}
/// One line of text; bytes that are no UTF-8 become replacement characters.
std::string to_line(const json& document);
json to_json(const error& e);
/// The proof is hex; `error` only for failed and cancelled.
json to_json(const job_report& report);
json to_json(const job_event& event);
json to_json(const node_status& status);

/// Prometheus text exposition, version 0.0.4.
std::string prometheus_text(const metrics_page& page);
/// Chrome trace JSON ("X" events, a track per lane or pool): opens in Perfetto.
std::string chrome_trace(const trace_page& page);

} // namespace cuzk
