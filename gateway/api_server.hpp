#pragma once
// What a client may call: the servers behind messages/proving.capnp. Lives on the loop's thread.
#include "gateway/bridge.hpp"
#include "gateway/event_hub.hpp"
#include "gateway/uploads.hpp"

#include <string>

namespace cuzk {

/// What all connections share.
struct api_services {
  node_bridge& node;
  event_hub& events;
  upload_room& room;
  input_set& inputs;
  kj::Timer& timer;
  kj::Duration upload_idle;
  std::string version; ///< "0.1.0 (commit)"
  bytes token;         ///< what a client must present where one is asked for
};

/// The bootstrap capability of a connection. With `ask_token` a client must present the token.
rpc::Gate::Client make_gate(api_services& services, bool ask_token);
/// A bootstrap capability that refuses every hello.
rpc::Gate::Client make_closed_gate(api_services& services, error why);

} // namespace cuzk
