#pragma once
// The node's doors: one KJ thread that serves Cap'n Proto and HTTP. The only header main needs.
#include "actors/node.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/hex.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace cuzk {

struct gateway_config {
  std::string socket; ///< path of the unix socket; empty: none
  std::string tcp;    ///< "host:port"; empty: none
  std::string http;   ///< "host:port"; empty: none
  bytes token;        ///< asked for on tcp and http where it is not empty; needed beyond loopback
  std::uint64_t max_connections = 256;
  std::uint64_t max_message_bytes = 64ull << 20;
  std::uint64_t max_input_bytes = 1ull << 30;
  std::uint64_t max_upload_bytes = 2ull << 30;
  std::uint64_t upload_idle_ms = 60'000;
  std::string version; ///< "0.1.0 (commit)"
};

/// Where it listens, ports filled in where 0 was asked for.
struct gateway_ports {
  unsigned tcp = 0, http = 0;
};

/// Both are called from the gateway's thread.
struct gateway_reports {
  /// Once, when it listens or cannot. Errors: conflict (address or socket in use), bad_input (address, token missing),
  /// resources.
  std::function<void(result<gateway_ports>)> started;
  /// When it listened and cannot go on: nobody reaches the node any more.
  std::function<void(error)> ended{};
};

/// Runs from construction to stop(). Stop it before the node and the actor system end.
class gateway {
public:
  gateway(gateway_config config, caf::actor_system& system, node_actor node, gateway_reports reports);
  gateway(const gateway&) = delete;
  gateway& operator=(const gateway&) = delete;
  ~gateway();

  /// Closes all connections and ends the thread.
  void stop();

private:
  struct loop;
  std::unique_ptr<loop> loop_;
};

} // namespace cuzk
