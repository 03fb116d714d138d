#pragma once
// What proves: the interface of the CPU backend (here) and of devices (cuda/). Asynchronous: every call returns at
// once.
#include "groth16/proof.hpp"
#include "runtime/base/error.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace cuzk {
class compact_witness; // circuits/core/compact_witness.hpp
}

namespace cuzk::groth16 {

class proving_key; // groth16/proving_key.hpp: mapped key file, derived key beside it, identity
struct circuit;    // groth16/circuit.hpp: matrices, counts, densities, query plan

/// Asks a prove in progress to stop. Copies share one flag; any thread may set it. Backends look at it between steps
/// and, on the CPU, within them, and answer with errc::cancelled.
class cancel_token {
public:
  cancel_token() : flag_(std::make_shared<std::atomic<bool>>(false)) {}
  void cancel() noexcept { flag_->store(true, std::memory_order_relaxed); }
  bool cancelled() const noexcept { return flag_->load(std::memory_order_relaxed); }
  /// For loops that take a plain flag; lives as long as any copy of the token.
  const std::atomic<bool>& flag() const noexcept { return *flag_; }

private:
  std::shared_ptr<std::atomic<bool>> flag_;
};

/// Which of the two ways to h is taken. Both give the same bytes.
enum class derived_use : std::uint8_t {
  automatic, ///< the derived key where the proving key has one
  off,       ///< always seven transforms
  required,  ///< errc::params when there is no derived key
};

/// One partition to prove. The shared parts are kept alive by the backend until the listener has its answer.
struct prove_request {
  std::shared_ptr<const proving_key> key;
  std::shared_ptr<const groth16::circuit> circuit;
  std::shared_ptr<const compact_witness> witness;
  fr r{}, s{}; ///< blinding scalars; groth16::random_scalar() for a real proof
  derived_use derived = derived_use::automatic;
  cancel_token cancel;
};

/// Gets the facts of one prove. Called from any thread, one call at a time, never from inside `prove`; must not block.
/// stage_done comes any number of times, then exactly one of proved and failed, then nothing more.
class prove_listener {
public:
  virtual ~prove_listener() = default;
  virtual void stage_done(stage which, double seconds) = 0;
  /// The points satisfy nothing yet: check them with groth16::verify before they are given out.
  virtual void proved(const raw_proof& proof, const prove_timings& timings) = 0;
  /// Errors: cancelled; params (a point of the key is damaged, key and circuit do not fit); bad_input (witness of other
  /// size); resources; gpu_fault; internal.
  virtual void failed(error why) = 0;
};

/// Memory one partition needs while it is proved, beside the mapped key.
struct memory_need {
  std::uint64_t host_bytes = 0;
  std::uint64_t pinned_bytes = 0;
  std::uint64_t device_bytes = 0;     ///< scratch of one partition
  std::uint64_t device_key_bytes = 0; ///< key and matrices held on the device between partitions
};

/// An engine that turns witnesses into proof points. One per device. With the same request two backends give the same
/// points.
class backend {
public:
  virtual ~backend() = default;
  /// "cpu", or the device as an operator knows it.
  virtual std::string name() const = 0;
  /// How many requests it likes to hold: one computing, the others waiting with their data near the device.
  virtual unsigned credits() const { return 1; }
  /// What one partition of this circuit takes; pure arithmetic.
  virtual memory_need need(const groth16::circuit& circuit, derived_use derived) const = 0;

  /// Brings key and matrices near the device ahead of time; `done` is called once, from any thread, never from inside.
  /// A prove of a key that was never prepared prepares it itself.
  virtual void prepare(std::shared_ptr<const proving_key> key, std::shared_ptr<const groth16::circuit> circuit,
                       std::function<void(status)> done) = 0;
  /// Gives back what prepare took, as soon as no prove uses it. Unknown keys are ignored.
  virtual void release(const proving_key& key) = 0;

  /// Starts one partition, or queues it behind those that run. Requests are proved in the order of the calls.
  virtual void prove(prove_request request, std::shared_ptr<prove_listener> listener) = 0;
};

} // namespace cuzk::groth16
