#pragma once
// Stable spellings of the enumerations, as in JSON, logs and metrics.
#include "messages/journal.hpp"
#include "messages/params.hpp"
#include "messages/status.hpp"
#include "messages/work.hpp"

#include <string>
#include <string_view>

namespace cuzk {

const char* to_string(job_class c) noexcept;
const char* to_string(job_state s) noexcept;
const char* to_string(partition_state s) noexcept;
const char* to_string(partition_mark m) noexcept;
const char* to_string(fact_type t) noexcept;
const char* to_string(key_state s) noexcept;
const char* to_string(node_phase p) noexcept;
const char* to_string(actor_role r) noexcept;
const char* to_string(log_severity s) noexcept;

bool parse_job_class(std::string_view name, job_class& out) noexcept;
bool parse_job_state(std::string_view name, job_state& out) noexcept;
bool parse_fact_type(std::string_view name, fact_type& out) noexcept;

/// "porep" of "porep-2k".
std::string kind_of(std::string_view circuit);
/// The class a circuit's jobs run in: winning and window their own, all else bulk.
job_class class_of(std::string_view circuit) noexcept;
/// "17/3#1": job, partition, attempt.
std::string to_string(const partition_ref& ref);
/// Whether a name from outside can stand in logs, tables and JSON: 1 to 200 bytes of UTF-8 without control characters.
bool is_name(std::string_view text) noexcept;
/// "11.2 GiB" for people.
std::string human_bytes(std::uint64_t count);

} // namespace cuzk
