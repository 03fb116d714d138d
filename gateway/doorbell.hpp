#pragma once
// Wakes a KJ loop from any thread, without a lock: one cross-thread fulfiller, handed over through an atomic pointer.
#include <kj/async.h>

#include <atomic>

namespace cuzk {

/// The loop's side arms the bell and waits for the promise; any thread rings. A ring between two waits is kept by the
/// caller's own state (see event_inbox): ring() without an armed bell does nothing.
class doorbell {
public:
  doorbell() = default;
  doorbell(const doorbell&) = delete;
  doorbell& operator=(const doorbell&) = delete;
  ~doorbell() { delete armed_.exchange(nullptr); }

  /// On the loop's thread. A promise that is fulfilled by the next ring.
  kj::Promise<void> arm() {
    auto pair = kj::newPromiseAndCrossThreadFulfiller<void>();
    delete armed_.exchange(new fulfiller(kj::mv(pair.fulfiller)), std::memory_order_acq_rel);
    return kj::mv(pair.promise);
  }

  /// From any thread.
  void ring() {
    fulfiller* bell = armed_.exchange(nullptr, std::memory_order_acq_rel);
    if (bell == nullptr)
      return;
    (*bell)->fulfill();
    delete bell;
  }

private:
  using fulfiller = kj::Own<kj::CrossThreadPromiseFulfiller<void>>;
  std::atomic<fulfiller*> armed_{nullptr};
};

} // namespace cuzk
