#pragma once
// Hands job events to the clients that watch. Lives on the loop's thread.
#include "gateway/bridge.hpp"
#include "messages/proving.capnp.h"

#include <cstdint>
#include <map>
#include <memory>

namespace cuzk {

/// A watcher gets events in order, one call at a time; one that lags behind by more than `max_waiting` is dropped.
class event_hub {
public:
  static constexpr std::size_t max_waiting = 10'000;

  explicit event_hub(std::shared_ptr<event_inbox> inbox) : inbox_(std::move(inbox)) {}
  event_hub(const event_hub&) = delete;
  event_hub& operator=(const event_hub&) = delete;

  /// Runs until dropped: takes events from the inbox and hands them out.
  kj::Promise<void> run();
  /// Watching ends when the capability is dropped.
  rpc::Subscription::Client watch(rpc::EventSink::Client sink, job_id job);
  std::size_t watchers() const noexcept { return watchers_.size(); }

private:
  class watcher;
  class subscription;
  void hand_out();

  std::shared_ptr<event_inbox> inbox_;
  std::uint64_t next_ = 1;
  std::map<std::uint64_t, std::shared_ptr<watcher>> watchers_;
};

} // namespace cuzk
