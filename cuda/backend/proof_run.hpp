#pragma once
// One proof on a device: its slot, and the steps that are queued for it on each stream.
#include "cuda/backend/device_key.hpp"
#include "groth16/backend.hpp"

#include <array>
#include <functional>
#include <memory>
#include <vector>

namespace cuzk::cuda {

/// Streams of a proof: transforms and the sum over h; the other sums in G1; the sum in G2.
enum class lane_stream : std::uint8_t { main, g1, g2 };
inline constexpr std::size_t lane_streams = 3;

/// Memory of one proof under way; two of them make a pipeline.
struct proof_slot {
  device_memory witness;          ///< values, then bits
  pinned_memory staging, results; ///< witness on its way, ends of sums on theirs
  event uploading, uploaded;
  /// Begin and end of every step, by stream and place in its list.
  std::array<std::array<std::pair<event, event>, 3>, lane_streams> marks;
  bool taken = false;

  static result<proof_slot> create();
  /// Makes room for a proof of the plan. Errors: resources.
  status fit(const proof_plan& plan);
};

/// Scratch of a stream, shared by the proofs that follow one another on it.
struct lane_scratch {
  device_memory main, g1, g2;
  status fit(const proof_plan& plan);
  bool fits(const proof_plan& plan) const {
    return main.size() >= plan.main_bytes && g1.size() >= plan.g1.bytes && g2.size() >= plan.g2.bytes;
  }
};

struct proof_step {
  groth16::stage stage;
  std::function<status(stream_handle)> queue;
};

/// The steps of a proof on one stream, in order; at most three. Slot, scratch and key stay until they are done.
std::vector<proof_step> steps_on(lane_stream where, const device_key& key, const proof_slot& slot,
                                 const lane_scratch& scratch);

/// The proof from what the sums left in slot.results. A few hundred additions on the host.
groth16::raw_proof assemble(const device_key& key, const proof_slot& slot, const fr& r, const fr& s);

} // namespace cuzk::cuda
