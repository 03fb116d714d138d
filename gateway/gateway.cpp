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
class doors final : private kj::TaskSet::ErrorHandler {
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
      http_(io.provider->getTimer(), *pages_.table, *pages_.service), page_connections_(*this) {}

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
      all =
        all.exclusiveJoin(accept_for_ever(**receiver, io_.provider->getTimer(),
                                          [this](kj::Own<kj::AsyncIoStream>&& stream) { serve_page(kj::mv(stream)); }));
    return all;
  }

private:
  // Connections beyond the limit are closed without a word.
  void serve_page(kj::Own<kj::AsyncIoStream> stream) {
    if (pages_open_ >= config_.max_connections)
      return;
    ++pages_open_;
    page_connections_.add(http_.listenHttp(kj::mv(stream)).attach(kj::defer([this] { --pages_open_; })));
  }
  // A broken connection is its client's matter.
  void taskFailed(kj::Exception&&) override {}

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
  std::uint64_t pages_open_ = 0;
  kj::TaskSet page_connections_;
};

/// What KJ would print of a client's bytes is no line of ours.
class silence final : public kj::ExceptionCallback {
public:
  void logMessage(kj::LogSeverity, const char*, int, int, kj::String&&) override {}
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
  std::function<void(error)> ended;
  doorbell stop_bell;
  std::thread thread;

  loop(gateway_config c, caf::actor_system& system, node_actor node, gateway_reports reports)
    : config(std::move(c)), bridge(system, std::move(node), inbox), started(std::move(reports.started)),
      ended(std::move(reports.ended)) {}

  void report(result<gateway_ports> what) {
    if (started)
      std::exchange(started, nullptr)(std::move(what));
  }

  void run() {
    auto checked = check(config);
    if (!checked)
      return report(std::move(checked).err());
    bool listening = false;
    const silence nothing_printed;
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
      if (listening && ended)
        ended(from_exception(e));
    }
    if (listening && !config.socket.empty())
      ::unlink(config.socket.c_str());
  }
};

gateway::gateway(gateway_config config, caf::actor_system& system, node_actor node, gateway_reports reports)
  : loop_(std::make_unique<loop>(std::move(config), system, std::move(node), std::move(reports))) {
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
