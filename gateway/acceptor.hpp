#pragma once
// Listening sockets and the connections they bring. An own accept loop: it sets the limits of each connection and
// counts them. Lives on the loop's thread.
#include "gateway/api_server.hpp"

#include <capnp/rpc-twoparty.h>
#include <kj/async-io.h>

#include <functional>
#include <string>

namespace cuzk {

struct connection_limits {
  std::uint64_t max_connections = 256;
  std::uint64_t max_message_bytes = 64ull << 20;
};

/// Serves connections of any number of listeners until dropped.
class acceptor final : private kj::TaskSet::ErrorHandler {
public:
  acceptor(api_services& services, const connection_limits& limits)
    : services_(services), limits_(limits), connections_(*this) {}

  /// Accepts for ever. With `ask_token` clients of this listener must present the token.
  kj::Promise<void> accept(kj::ConnectionReceiver& listener, bool ask_token);
  std::uint64_t open() const noexcept { return open_; }

private:
  struct connection;
  void serve(kj::Own<kj::AsyncIoStream> stream, bool ask_token);
  void taskFailed(kj::Exception&& why) override;

  api_services& services_;
  connection_limits limits_;
  std::uint64_t open_ = 0;
  kj::TaskSet connections_;
};

/// Gives every connection to `serve` until dropped. When none can be had (no file descriptors are left, say) or serving
/// one fails at once, it pauses and goes on: others will close some.
kj::Promise<void> accept_for_ever(kj::ConnectionReceiver& listener, kj::Timer& timer,
                                  std::function<void(kj::Own<kj::AsyncIoStream>&&)> serve);

/// Makes the socket's folder (0700), and removes a socket file nobody listens on.
/// Errors: conflict when somebody does; resources when the folder cannot be made.
status prepare_unix_socket(const std::string& path);

/// Whether an address "host:port" means this host only.
bool is_loopback(const std::string& address);

} // namespace cuzk
