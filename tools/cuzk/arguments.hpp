#pragma once
// Reading of what a user types: files, scalars, identities, times.
#include "messages/job.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/hex.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cuzk::client {

/// Errors: bad_input naming the file and what the system said.
result<bytes> read_file(const std::string& path);
/// Writes beside the target and renames, so that a reader never sees half a file. Errors: resources.
status write_file(const std::string& path, byte_view data);

/// The prover id of --miner or --prover-id; at most one is given, none: nothing.
result<std::optional<bytes32>> parse_prover(const std::string& miner, const std::string& prover_id);
/// 64 hex digits. `what` names the flag in the error.
result<bytes32> parse_bytes32(const std::string& text, const std::string& what);
/// A comma list of 32-byte scalars, little-endian hex.
result<std::vector<bytes32>> parse_scalars(const std::string& text, const std::string& what);
/// "90s", "5m", "2h" from now, or an RFC 3339 time: Unix ms.
result<std::int64_t> parse_deadline(const std::string& text, std::int64_t now_ms);
/// 128 random bits as hex: a request id.
std::string random_request_id();
std::int64_t now_ms();

} // namespace cuzk::client
