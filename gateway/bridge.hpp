#pragma once
// The crossing between the KJ loop and the actors. A call on the loop becomes a request of one bridge actor; its answer
// comes back through KJ's cross-thread fulfiller. Events travel through an atomic list and a doorbell.
#include "actors/node.hpp"
#include "gateway/atomic_list.hpp"
#include "gateway/doorbell.hpp"
#include "runtime/base/error.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/event_based_actor.hpp>
#include <kj/async.h>

#include <chrono>
#include <functional>
#include <memory>

namespace cuzk {

/// Job events on their way to the loop. Filled by the bridge actor, emptied by the loop.
class event_inbox {
public:
  void push(job_event event) {
    events_.push(std::move(event));
    bell_.ring();
  }
  std::vector<job_event> take() { return events_.take_all(); }
  /// On the loop: fulfilled when there is something to take.
  kj::Promise<void> when_filled() {
    auto promise = bell_.arm();
    if (!events_.empty()) // pushed before the bell was armed
      bell_.ring();
    return promise;
  }

private:
  atomic_list<job_event> events_;
  doorbell bell_;
};

/// Work for the bridge actor; runs inside it.
struct bridge_call {
  std::function<void(caf::event_based_actor&)> run;
};
using bridge_call_ptr = std::shared_ptr<bridge_call>;

/// The loop's handle on the node.
class node_bridge {
public:
  /// @param inbox gets every job event of the node until stop().
  node_bridge(caf::actor_system& system, node_actor node, std::shared_ptr<event_inbox> inbox);

  /// Asks the node; the promise has its answer, or unavailable when it did not answer within `limit`.
  template <class Reply, class... Request>
  kj::Promise<result<Reply>> ask(std::chrono::milliseconds limit, Request... request) {
    auto pair = kj::newPromiseAndCrossThreadFulfiller<result<Reply>>();
    auto answer = std::make_shared<kj::Own<kj::CrossThreadPromiseFulfiller<result<Reply>>>>(kj::mv(pair.fulfiller));
    post([node = node_, limit, answer, request...](caf::event_based_actor& self) mutable {
      self.request(node, limit, std::move(request)...)
        .then([answer](Reply& reply) { (*answer)->fulfill(result<Reply>(std::move(reply))); },
              [answer, &self](const caf::error& why) { (*answer)->fulfill(result<Reply>(to_error(self, why))); });
    });
    return kj::mv(pair.promise);
  }

  /// Tells the node.
  template <class Message>
  void tell(Message message) {
    post([node = node_, message](caf::event_based_actor& self) mutable { self.send(node, std::move(message)); });
  }

  /// Ends the bridge actor. Promises still open are rejected by kj as their fulfillers go.
  void stop();

private:
  static error to_error(caf::event_based_actor& self, const caf::error& why);
  void post(std::function<void(caf::event_based_actor&)> run);

  node_actor node_;
  caf::actor actor_;
};

} // namespace cuzk

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(cuzk::bridge_call_ptr)
