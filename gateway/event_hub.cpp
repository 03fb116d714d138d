#include "gateway/event_hub.hpp"

#include "gateway/wire.hpp"

#include <deque>

namespace cuzk {

/// One client's queue of events; a call is under way while `sending_`.
class event_hub::watcher : public std::enable_shared_from_this<watcher> {
public:
  watcher(rpc::EventSink::Client sink, job_id job) : sink_(kj::mv(sink)), job_(job) {}

  /// False when the watcher is gone or too far behind.
  bool offer(const job_event& event) {
    if (job_ != job_id{} && event.job != job_)
      return true;
    waiting_.push_back(event);
    if (!sending_)
      send_next();
    return !broken_ && waiting_.size() <= max_waiting;
  }

private:
  void send_next() {
    if (waiting_.empty() || broken_) {
      sending_ = false;
      return;
    }
    sending_ = true;
    auto call = sink_.eventRequest();
    wire::write(waiting_.front(), call.initEvent());
    waiting_.pop_front();
    std::weak_ptr<watcher> weak = shared_from_this();
    under_way_ = call.send()
                   .then(
                     [weak] {
                       if (auto self = weak.lock())
                         self->send_next();
                     },
                     [weak](kj::Exception&&) {
                       if (auto self = weak.lock())
                         self->broken_ = true;
                     })
                   .eagerlyEvaluate(nullptr);
  }

  rpc::EventSink::Client sink_;
  job_id job_;
  std::deque<job_event> waiting_;
  bool sending_ = false, broken_ = false;
  kj::Promise<void> under_way_ = kj::READY_NOW;
};

/// Takes its watcher out of the hub when the client drops it. The hub outlives every connection.
class event_hub::subscription final : public rpc::Subscription::Server {
public:
  subscription(event_hub& hub, std::uint64_t id) : hub_(hub), id_(id) {}
  ~subscription() { hub_.watchers_.erase(id_); }

private:
  event_hub& hub_;
  std::uint64_t id_;
};

rpc::Subscription::Client event_hub::watch(rpc::EventSink::Client sink, job_id job) {
  const auto id = next_++;
  watchers_.emplace(id, std::make_shared<watcher>(kj::mv(sink), job));
  return kj::heap<subscription>(*this, id);
}

void event_hub::hand_out() {
  for (const auto& event : inbox_->take())
    std::erase_if(watchers_, [&](auto& entry) { return !entry.second->offer(event); });
}

kj::Promise<void> event_hub::run() {
  return inbox_->when_filled().then([this] {
    hand_out();
    return run();
  });
}

} // namespace cuzk
