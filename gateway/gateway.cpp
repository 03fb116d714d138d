#include "gateway/gateway.hpp"

#include "gateway/acceptor.hpp"
#include "gateway/http.hpp"

#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace cuzk {

namespace {

using start_report = std::function<void(result<gateway_ports>)>;

status check(const gateway_config& config) {
  for (const auto* address : {&config.tcp, &config.http})
    if (!address->empty() && !is_loopback(*address) && config.token.empty())
      return bad_input(*address, "listening beyond loopback needs a token (api.token_file)");
  return config.socket.empty() ? ok() : prepare_unix_socket(config.socket);
}

/// Everything that lives on the loop's thread.
class doors {
public:
  doors(kj::AsyncIoContext& io, const gateway_config& config, node_bridge& bridge, std::shared_ptr<event_inbox> inbox)
    : io_(io), config_(config), hub_(std::move(inbox)),
      room_(config.max_input_bytes, config.max_upload_bytes), services_{bridge,
                                                                        hub_,
                                                                        room_,
                                                                        inputs_,
                                                                        io.provider->getTimer(),
                                                                        static_cast<std::int64_t>(
                                                                          config.upload_idle_ms) *
                                                                          kj::MILLISECONDS,
                                                                        config.version,
                                                                        config.token},
      acceptor_(services_, {config.max_connections, config.max_message_bytes}),
      pages_(make_http_pages(services_, !config.token.empty())),
      http_(io.provider->getTimer(), *pages_.table, *pages_.service) {}

  /// Fulfilled when every door listens.
  kj::Promise<gateway_ports> open() {
    return listen(config_.socket.empty() ? "" : "unix:" + config_.socket, socket_)
      .then([this] {
        if (!config_.socket.empty())
          ::chmod(config_.socket.c_str(), 0600);
        return listen(config_.tcp, tcp_);
      })
      .then([this] { return listen(config_.http, web_); })
      .then([this] {
        return gateway_ports{port_of(tcp_), port_of(web_)};
      });
  }

  /// Serves until dropped.
  kj::Promise<void> serve() {
    auto all = hub_.run();
    KJ_IF_MAYBE (receiver, socket_)
      all = all.exclusiveJoin(acceptor_.accept(**receiver, false));
    KJ_IF_MAYBE (receiver, tcp_)
      all = all.exclusiveJoin(acceptor_.accept(**receiver, !config_.token.empty()));
    KJ_IF_MAYBE (receiver, web_)
      all = all.exclusiveJoin(http_.listenHttp(**receiver));
    return all;
  }

private:
  using receiver_slot = kj::Maybe<kj::Own<kj::ConnectionReceiver>>;

  kj::Promise<void> listen(const std::string& address, receiver_slot& slot) {
    if (address.empty())
      return kj::READY_NOW;
    return io_.provider->getNetwork().parseAddress(address.c_str()).then([&slot](kj::Own<kj::NetworkAddress>&& where) {
      slot = where->listen();
    });
  }

  static unsigned port_of(receiver_slot& slot) {
    KJ_IF_MAYBE (receiver, slot)
      return (*receiver)->getPort();
    return 0;
  }

  kj::AsyncIoContext& io_;
  const gateway_config& config_;
  receiver_slot socket_, tcp_, web_;
  event_hub hub_;
  upload_room room_;
  input_set inputs_;
  api_services services_;
  acceptor acceptor_;
  http_pages pages_;
  kj::HttpServer http_;
};

error from_exception(const kj::Exception& e) {
  const std::string text = e.getDescription().cStr();
  const bool in_use = text.find("in use") != std::string::npos;
  return {in_use ? errc::conflict : errc::resources, "the gateway cannot serve: " + text};
}

} // namespace

struct gateway::loop {
  gateway_config config;
  std::shared_ptr<event_inbox> inbox = std::make_shared<event_inbox>();
  node_bridge bridge;
  start_report started;
  doorbell stop_bell;
  std::thread thread;

  loop(gateway_config c, caf::actor_system& system, node_actor node, start_report report)
    : config(std::move(c)), bridge(system, std::move(node), inbox), started(std::move(report)) {}

  void report(result<gateway_ports> what) {
    if (started)
      std::exchange(started, nullptr)(std::move(what));
  }

  void run() {
    auto checked = check(config);
    if (!checked)
      return report(std::move(checked).err());
    bool listening = false;
    try {
      auto io = kj::setupAsyncIo();
      doors all(io, config, bridge, inbox);
      auto stopped = stop_bell.arm();
      auto served = all.open().then([&](gateway_ports ports) {
        listening = true;
        report(ports);
        return all.serve();
      });
      served.exclusiveJoin(kj::mv(stopped)).wait(io.waitScope);
    } catch (const kj::Exception& e) {
      report(from_exception(e));
    }
    if (listening && !config.socket.empty())
      ::unlink(config.socket.c_str());
  }
};

gateway::gateway(gateway_config config, caf::actor_system& system, node_actor node, start_report started)
  : loop_(std::make_unique<loop>(std::move(config), system, std::move(node), std::move(started))) {
  loop_->thread = std::thread([loop = loop_.get()] { loop->run(); });
}

gateway::~gateway() {
  stop();
}

void gateway::stop() {
  if (!loop_->thread.joinable())
    return;
  loop_->stop_bell.ring();
  loop_->thread.join();
  loop_->bridge.stop();
}

} // namespace cuzk
