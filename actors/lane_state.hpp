#pragma once
// Decides what a lane hands to its backend and which facts it tells. No CAF, clock or I/O.
#include "messages/handles.hpp"
#include "messages/proof.hpp"

#include <cstdint>
#include <deque>
#include <variant>
#include <vector>

namespace cuzk {

/// Give this to the backend; its answers bear the run's number.
struct run_effect {
  std::uint64_t run = 0;
  prove_partition order;
  witness_handle work;
};
/// Ask the backend to stop a run.
struct stop_effect {
  std::uint64_t run = 0;
};
struct proved_effect {
  partition_proved fact;
  statement_handle statement; ///< for the finalizer
};
using lane_effect = std::variant<run_effect, stop_effect, partition_started, stage_done, proved_effect,
                                 partition_failed, lane_credit, lane_info>;
using lane_effects = std::vector<lane_effect>;

/// One device. Orders run in the order they came, `depth` of them at the backend at once, so that the data of the next
/// is near the device when the one before ends. Every order ends in one fact and one credit. Where the backend does not
/// say how long the device stood idle before a partition, it is what lies between two ends beyond the time of proving.
class lane_state {
public:
  static constexpr const char* name = "prover_lane";
  /// @param depth how many orders the backend likes to hold.
  lane_state(lane_info info, std::uint32_t depth) : info_(std::move(info)), depth_(depth) {}

  lane_effects order(const prove_partition& order, witness_handle work);
  lane_effects cancel(const cancel_partition& ask, std::int64_t now_us);
  /// Everything is stopped and forgotten; all credits are offered anew.
  lane_effects reset();

  lane_effects stage(std::uint64_t run, prove_stage stage, std::int64_t took_us);
  lane_effects proved(std::uint64_t run, const proof_bytes& points, const prove_timings& timings, std::int64_t now_us);
  lane_effects failed(std::uint64_t run, const error& why, std::int64_t now_us);

  const lane_info& info() const { return info_; }
  std::size_t held() const { return orders_.size(); }

private:
  struct entry {
    prove_partition order;
    witness_handle work;
    std::uint64_t run = 0; ///< 0: not at the backend yet
    bool started = false;  ///< the first at the backend, or a step of it is done
    bool orphan = false;   ///< nobody wants to hear of it
  };
  using iterator = std::deque<entry>::iterator;

  void advance(lane_effects& out);
  void end(iterator it, std::int64_t now_us, lane_effects& out);
  iterator find(std::uint64_t run);

  lane_info info_;
  std::uint32_t depth_;
  std::deque<entry> orders_;
  std::uint64_t next_run_ = 1;
  std::int64_t ended_us_ = -1; ///< when the last order ended; -1: none yet
};

} // namespace cuzk
