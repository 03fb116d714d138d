#pragma once
// Strong ids and digests of everything that travels between actors.
#include <array>
#include <compare>
#include <cstdint>

namespace cuzk {

/// A job, by its sequence number in the journal: 1, 2, 3 … never reused, also over restarts.
enum class job_id : std::uint64_t {};
/// A lane: one device that proves. Local ones count from 0 in the order of the configuration.
enum class lane_id : std::uint32_t {};
/// A reservation in the ledger of memory; unique per holder, chosen by the holder.
enum class reservation_id : std::uint64_t {};

constexpr std::uint64_t number(job_id id) noexcept {
  return static_cast<std::uint64_t>(id);
}
constexpr std::uint32_t number(lane_id id) noexcept {
  return static_cast<std::uint32_t>(id);
}
constexpr std::uint64_t number(reservation_id id) noexcept {
  return static_cast<std::uint64_t>(id);
}

/// 32 bytes: a SHA-256 digest, or a scalar as little-endian bytes.
using bytes32 = std::array<std::uint8_t, 32>;

/// One try at one partition of one job. `attempt` grows with every try of the partition; facts of an older attempt are
/// dropped by whoever gets them.
struct partition_ref {
  job_id job{};
  std::uint32_t partition = 0;
  std::uint32_t attempt = 0;
  friend auto operator<=>(const partition_ref&, const partition_ref&) = default;
};

} // namespace cuzk
