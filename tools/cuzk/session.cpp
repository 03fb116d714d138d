#include "tools/cuzk/session.hpp"

#include "gateway/wire.hpp"
#include "math/hash/sha256.hpp"
#include "tools/version.hpp"

#include <capnp/rpc-twoparty.h>
#include <kj/async-io.h>

#include <algorithm>

namespace cuzk::client {

namespace {

constexpr std::size_t chunk_bytes = 1 << 20;
constexpr std::uint64_t answer_words = 1ull << 27; // a trace of a busy node is tens of megabytes

error from_exception(const kj::Exception& e) {
  const std::string text = e.getDescription().cStr();
  switch (e.getType()) {
  case kj::Exception::Type::DISCONNECTED: return {errc::unavailable, "connection lost: " + text};
  case kj::Exception::Type::OVERLOADED: return {errc::resources, "the node is overloaded: " + text};
  case kj::Exception::Type::UNIMPLEMENTED:
    return {errc::conflict, "the node is older than this client and does not know the call: " + text};
  case kj::Exception::Type::FAILED: break;
  }
  return internal_error("the node failed: " + text);
}

// Runs a call against the connection; what kj throws becomes a value here and nowhere else.
template <class F>
auto guarded(F&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const kj::Exception& e) {
    return from_exception(e);
  } catch (const std::exception& e) {
    return internal_error(e.what());
  }
}

template <class Done>
status to_status(Done reader) {
  if (reader.isRefused())
    return wire::read(reader.getRefused());
  return ok();
}

class event_sink final : public rpc::EventSink::Server {
public:
  event_sink(const std::function<bool(const job_event&)>& event, kj::Own<kj::PromiseFulfiller<void>> enough)
    : event_(event), enough_(kj::mv(enough)) {}

protected:
  kj::Promise<void> event(EventContext context) override {
    if (!event_(wire::read(context.getParams().getEvent())))
      enough_->fulfill();
    return kj::READY_NOW;
  }

private:
  const std::function<bool(const job_event&)>& event_;
  kj::Own<kj::PromiseFulfiller<void>> enough_;
};

capnp::ReaderOptions reader_options() {
  capnp::ReaderOptions options;
  options.traversalLimitInWords = answer_words;
  return options;
}

} // namespace

struct loop::state {
  kj::AsyncIoContext io = kj::setupAsyncIo();
};
loop::loop() : state_(std::make_unique<state>()) {}
loop::~loop() = default;

struct session::connection {
  explicit connection(kj::AsyncIoContext& context) : io(context) {}

  kj::AsyncIoContext& io;
  kj::Own<kj::AsyncIoStream> stream;
  kj::Own<capnp::TwoPartyVatNetwork> network;
  kj::Own<capnp::RpcSystem<capnp::rpc::twoparty::VatId>> rpc;
  rpc::Node::Client node = nullptr;
  std::string version;

  void open(const endpoint& where) {
    auto address = io.provider->getNetwork().parseAddress(where.address.c_str()).wait(io.waitScope);
    stream = address->connect().wait(io.waitScope);
    network = kj::heap<capnp::TwoPartyVatNetwork>(*stream, capnp::rpc::twoparty::Side::CLIENT, reader_options());
    rpc = kj::heap<capnp::RpcSystem<capnp::rpc::twoparty::VatId>>(capnp::makeRpcClient(*network));
  }

  status greet(const endpoint& where) {
    capnp::MallocMessageBuilder scratch(16);
    auto id = scratch.initRoot<capnp::rpc::twoparty::VatId>();
    id.setSide(capnp::rpc::twoparty::Side::SERVER);
    auto hello = rpc->bootstrap(id).castAs<rpc::Gate>().helloRequest();
    hello.setApiVersion(rpc::API_VERSION);
    hello.setClient("cuzk " + std::string(version_text()));
    hello.setToken(wire::to_data(where.token));
    auto answer = hello.send().wait(io.waitScope);
    if (answer.isRefused())
      return wire::read(answer.getRefused());
    node = answer.getNode();
    version = wire::text(answer.getVersion());
    return ok();
  }

  result<rpc::Input::Client> upload(byte_view input, const std::function<void(std::uint64_t)>& sent) {
    auto begin = node.uploadRequest();
    begin.setBytes(input.size());
    begin.setSha256(wire::to_data(sha256_of(input)));
    auto started = begin.send().wait(io.waitScope);
    if (started.isRefused())
      return wire::read(started.getRefused());
    auto target = started.getUpload();
    for (std::size_t at = 0; at < input.size(); at += chunk_bytes) {
      const auto piece = input.subspan(at, std::min(chunk_bytes, input.size() - at));
      auto write = target.writeRequest(capnp::MessageSize{piece.size() / 8 + 64, 0});
      write.setChunk(wire::to_data(piece));
      write.send().wait(io.waitScope); // returns early while the flow-control window has room
      sent(at + piece.size());
    }
    auto done = target.finishRequest().send().wait(io.waitScope);
    if (done.isRefused())
      return wire::read(done.getRefused());
    return rpc::Input::Client(done.getInput());
  }
};

session::session(std::unique_ptr<connection> c) : connection_(std::move(c)) {}
session::session(session&&) noexcept = default;
session& session::operator=(session&&) noexcept = default;
session::~session() = default;

result<session> session::connect(loop& on, const endpoint& where) {
  auto c = std::make_unique<connection>(on.state_->io);
  auto opened = guarded([&]() -> status {
    c->open(where);
    return ok();
  });
  if (!opened)
    return error{errc::unavailable, "no node answers there (is cuzkd running?): " + opened.err().text, where.address};
  CUZK_CHECK(guarded([&] { return c->greet(where); }));
  return session(std::move(c));
}

const std::string& session::node_version() const {
  return connection_->version;
}

result<submit_reply> session::submit(const submit_job& request, byte_view input,
                                     const std::function<void(std::uint64_t)>& sent) {
  return guarded([&]() -> result<submit_reply> {
    CUZK_TRY(uploaded, connection_->upload(input, sent));
    auto call = connection_->node.submitRequest();
    wire::write(request, call.initRequest());
    call.setInput(uploaded);
    auto answer = call.send().wait(connection_->io.waitScope);
    if (answer.isRefused())
      return wire::read(answer.getRefused());
    submit_reply out;
    out.job = job_id{answer.getJob()};
    out.attached = answer.getAttached();
    out.state = wire::from_wire(answer.getState());
    return out;
  });
}

namespace {

result<job_report> to_report(rpc::Found::Reader found) {
  if (found.isRefused())
    return wire::read(found.getRefused());
  return wire::read(found.getJob());
}

result<loaded_params> to_loaded(rpc::KeyDone::Reader done) {
  if (done.isRefused())
    return wire::read(done.getRefused());
  return loaded_params{done.getLoaded().getBytes(), done.getLoaded().getTookMs()};
}

} // namespace

result<job_report> session::await(job_id job, std::uint32_t timeout_ms) {
  return guarded([&]() -> result<job_report> {
    auto call = connection_->node.awaitRequest();
    call.setJob(number(job));
    call.setTimeoutMs(timeout_ms);
    return to_report(call.send().wait(connection_->io.waitScope));
  });
}

result<job_report> session::get(job_id job, const std::string& request_id) {
  return guarded([&]() -> result<job_report> {
    auto call = connection_->node.getRequest();
    call.setJob(number(job));
    call.setRequestId(request_id);
    return to_report(call.send().wait(connection_->io.waitScope));
  });
}

result<job_state> session::cancel(job_id job, const std::string& by) {
  return guarded([&]() -> result<job_state> {
    auto call = connection_->node.cancelRequest();
    call.setJob(number(job));
    call.setBy(by);
    auto answer = call.send().wait(connection_->io.waitScope);
    if (answer.isRefused())
      return wire::read(answer.getRefused());
    return wire::from_wire(answer.getState());
  });
}

result<job_list> session::list(const list_jobs& what) {
  return guarded([&]() -> result<job_list> {
    auto call = connection_->node.listRequest();
    call.setLimit(what.limit);
    call.setBefore(number(what.before));
    call.setUnfinishedOnly(what.unfinished_only);
    auto answer = call.send().wait(connection_->io.waitScope);
    job_list out;
    out.more = answer.getMore();
    for (auto job : answer.getJobs())
      out.jobs.push_back(wire::read(job));
    return out;
  });
}

status session::watch(job_id job, const std::function<bool(const job_event&)>& event) {
  return guarded([&]() -> status {
    auto enough = kj::newPromiseAndFulfiller<void>();
    auto call = connection_->node.watchRequest();
    call.setSink(kj::heap<event_sink>(event, kj::mv(enough.fulfiller)));
    call.setJob(number(job));
    auto subscribed = call.send().wait(connection_->io.waitScope);
    auto gone = connection_->network->onDisconnect().then(
      []() -> kj::Promise<void> { return KJ_EXCEPTION(DISCONNECTED, "the node went away"); });
    enough.promise.exclusiveJoin(kj::mv(gone)).wait(connection_->io.waitScope);
    return ok();
  });
}

result<node_status> session::node() {
  return guarded([&]() -> result<node_status> {
    return wire::read(
      rpc::NodeStatus::Reader(connection_->node.statusRequest().send().wait(connection_->io.waitScope)));
  });
}

result<loaded_params> session::preload(const std::string& circuit) {
  return guarded([&]() -> result<loaded_params> {
    auto call = connection_->node.preloadRequest();
    call.setCircuit(circuit);
    return to_loaded(call.send().wait(connection_->io.waitScope));
  });
}

result<loaded_params> session::evict(const std::string& circuit) {
  return guarded([&]() -> result<loaded_params> {
    auto call = connection_->node.evictRequest();
    call.setCircuit(circuit);
    return to_loaded(call.send().wait(connection_->io.waitScope));
  });
}

status session::pause() {
  return guarded(
    [&]() -> status { return to_status(connection_->node.pauseRequest().send().wait(connection_->io.waitScope)); });
}

status session::resume() {
  return guarded(
    [&]() -> status { return to_status(connection_->node.resumeRequest().send().wait(connection_->io.waitScope)); });
}

status session::drain(std::uint32_t limit_ms) {
  return guarded([&]() -> status {
    auto call = connection_->node.drainRequest();
    call.setLimitMs(limit_ms);
    return to_status(call.send().wait(connection_->io.waitScope));
  });
}

status session::release_lane(lane_id lane) {
  return guarded([&]() -> status {
    auto call = connection_->node.releaseLaneRequest();
    call.setLane(number(lane));
    return to_status(call.send().wait(connection_->io.waitScope));
  });
}

result<std::string> session::trace(std::uint32_t last_seconds) {
  return guarded([&]() -> result<std::string> {
    auto call = connection_->node.traceRequest();
    call.setLastSeconds(last_seconds);
    return wire::text(call.send().wait(connection_->io.waitScope).getChrome());
  });
}

result<std::string> session::metrics() {
  return guarded([&]() -> result<std::string> {
    return wire::text(connection_->node.metricsRequest().send().wait(connection_->io.waitScope).getPrometheus());
  });
}

} // namespace cuzk::client
