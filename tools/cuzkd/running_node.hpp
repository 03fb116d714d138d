#pragma once
// A node with its doors, and what main does when something happens.
#include "actors/node.hpp"
#include "gateway/gateway.hpp"
#include "runtime/config.hpp"
#include "runtime/log.hpp"
#include "runtime/memory.hpp"
#include "tools/cuzkd/signals.hpp"

#include <atomic>
#include <memory>

namespace cuzk::daemon {

/// What the node stands on; all of it outlives the node.
struct ground {
  const configuration& config;
  const configuration_sources& sources; ///< read again on SIGHUP
  const logger& log;
  const memory_limits& limits;
  signal_inbox& inbox;
};

class running_node {
public:
  running_node(const ground& on, caf::actor_system& system) : on_(on), system_(system) {}

  /// Returns when the doors are open. Errors: those of the gateway and of the token file.
  status start(prover_services services);
  /// Blocks until a drain asked for by a signal is over, a second signal comes, or the node gives up (internal).
  status wait();
  /// Closes the doors, ends the actors and returns when they have ended.
  void stop();

private:
  /// Set by actors, which may outlive this object.
  struct happened {
    std::atomic<bool> drained{false}, gone{false}, deaf{false};
  };

  void drain();
  void preload();
  void reload();

  ground on_;
  caf::actor_system& system_;
  node_actor node_;
  std::unique_ptr<gateway> gateway_;
  std::shared_ptr<happened> happened_ = std::make_shared<happened>();
  bool draining_ = false;
};

} // namespace cuzk::daemon
