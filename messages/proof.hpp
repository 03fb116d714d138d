#pragma once
// What a lane is told and what it tells: the only contract with local and remote devices (see also local_handles.hpp).
#include "groth16/proof.hpp"
#include "messages/ids.hpp"
#include "messages/job.hpp"
#include "runtime/base/error.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cuzk {

using groth16::proof_bytes;
using groth16::prove_timings;
/// A step of proving: upload, eval, ntt, msm_h, bits, tail, download.
using prove_stage = groth16::stage;

/// The order to prove one partition. A local lane gets the witness beside it (witness_handle); a remote one makes it
/// from the input, which it knows by digest.
struct prove_partition {
  partition_ref ref;
  std::string circuit;
  bytes32 input_digest{};
  job_spec spec; ///< what a host needs to read the input again
  std::uint32_t input_partition =
    0;                   ///< index in the input; differs from ref.partition when one partition was asked for
  bool fixed_rs = false; ///< r and s are given; otherwise the lane draws them
  bytes32 r{}, s{};      ///< little-endian
};

/// Stop this attempt at the next kernel boundary; answered by partition_failed{cancelled}.
/// With `only_if_waiting` an attempt that already runs goes on and nothing is answered.
struct cancel_partition {
  partition_ref ref;
  bool only_if_waiting = false;
};
/// Stop everything and give all credits back: the scheduler is a new one.
struct reset_lane {};

/// Facts of a lane. Every order ends in exactly one partition_proved or partition_failed, followed by a credit.
struct partition_started {
  partition_ref ref;
  lane_id lane{};
};
struct stage_done {
  partition_ref ref;
  lane_id lane{};
  prove_stage stage{};
  std::int64_t took_us = 0;
};
struct partition_proved {
  partition_ref ref;
  lane_id lane{};
  std::string circuit;
  proof_bytes points{}; ///< not yet verified
  prove_timings timings{};
};
/// Errors: gpu_fault, resources, params (count against the lane); cancelled; bad_input, internal (count against the
/// job).
struct partition_failed {
  partition_ref ref;
  lane_id lane{};
  error why{};
};
struct lane_credit {
  lane_id lane{};
  std::uint32_t count = 1; ///< orders it takes more
};

/// What a lane is, said when it joins and again after a restart.
struct lane_info {
  lane_id lane{};
  std::string name;   ///< "cpu", "gpu0", "host2/gpu0"
  std::string device; ///< "cpu", or the device's model and UUID
  std::uint32_t credits = 2;
  std::uint64_t device_bytes = 0;           ///< memory of the device; 0 for the CPU
  bool remote = false;                      ///< takes no witness, makes its own
  job_class lowest = job_class::background; ///< reserved for this class and those above it
};

} // namespace cuzk
