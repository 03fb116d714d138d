#pragma once
// A job's spec as it is stored and compared: a JSON object with a version, members in one order.
#include "messages/job.hpp"

#include <string>

namespace cuzk {

/// Same spec, same text. Members: docs of messages/job.hpp; byte strings as hex; `v` is 1.
std::string encode_spec(const job_spec& spec);
/// Errors: internal (damaged; a version this program does not know).
result<job_spec> decode_spec(const std::string& text);

} // namespace cuzk
