#pragma once
// Job files written, byte for byte as the reference writes them (compact, members in declared order).
#include "filecoin/c1_output.hpp"
#include "filecoin/input.hpp"

#include <span>
#include <string>

namespace cuzk::filecoin {

/// The proofs API's document. c1.proof must be set.
std::string write_c1_json(const c1_output& c1);
/// The inner type.
std::string write_c1_inner_json(const c1_output& c1);
/// Lotus' envelope around a document of the proofs API.
std::string write_envelope(std::uint64_t sector, const std::string& c1_json, sector_size size);

/// A PoSt job; `partition` empty: all partitions.
std::string write_post_job(const registered_proof& proof, const digest& prover_id, const digest& randomness,
                           std::span<const post_sector> sectors, std::optional<std::uint32_t> partition = {});
/// A snap job of all partitions, in order.
std::string write_snap_job(const registered_proof& proof, std::span<const snap_partition> partitions);

} // namespace cuzk::filecoin
