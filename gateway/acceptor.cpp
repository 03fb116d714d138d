#include "gateway/acceptor.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace cuzk {

kj::Promise<void> accept_for_ever(kj::ConnectionReceiver& listener, kj::Timer& timer,
                                  std::function<void(kj::Own<kj::AsyncIoStream>&&)> serve) {
  constexpr auto pause = 100 * kj::MILLISECONDS;
  return kj::evalNow([&] { return listener.accept(); })
    .then([serve](kj::Own<kj::AsyncIoStream>&& stream) { serve(kj::mv(stream)); })
    .catch_([&timer, pause](kj::Exception&&) { return timer.afterDelay(pause); })
    .then([&listener, &timer, serve] { return accept_for_ever(listener, timer, serve); });
}

struct acceptor::connection {
  connection(acceptor& owner, kj::Own<kj::AsyncIoStream> s, capnp::ReaderOptions options, rpc::Gate::Client gate)
    : owner_(owner), stream(kj::mv(s)), network(*stream, capnp::rpc::twoparty::Side::SERVER, options),
      rpc(capnp::makeRpcServer(network, kj::mv(gate))) {
    ++owner_.open_;
  }
  ~connection() { --owner_.open_; }

  acceptor& owner_;
  kj::Own<kj::AsyncIoStream> stream;
  capnp::TwoPartyVatNetwork network;
  capnp::RpcSystem<capnp::rpc::twoparty::VatId> rpc;
};

kj::Promise<void> acceptor::accept(kj::ConnectionReceiver& listener, bool ask_token) {
  return accept_for_ever(listener, services_.timer,
                         [this, ask_token](kj::Own<kj::AsyncIoStream>&& stream) { serve(kj::mv(stream), ask_token); });
}

void acceptor::serve(kj::Own<kj::AsyncIoStream> stream, bool ask_token) {
  if (open_ >= 2 * limits_.max_connections)
    return; // not even a word: the stream closes
  auto gate = open_ < limits_.max_connections
                ? make_gate(services_, ask_token)
                : make_closed_gate(services_, {errc::resources,
                                               std::to_string(open_) + " connections are open (api.max_connections)",
                                               "connection", 1000});
  capnp::ReaderOptions options;
  options.traversalLimitInWords = limits_.max_message_bytes / sizeof(capnp::word);
  auto served = kj::heap<connection>(*this, kj::mv(stream), options, kj::mv(gate));
  auto gone = served->network.onDisconnect();
  connections_.add(gone.attach(kj::mv(served)));
}

void acceptor::taskFailed(kj::Exception&&) {
  // A broken connection is its client's matter; its capabilities are dropped with it.
}

namespace {

bool somebody_listens(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0)
    return false;
  const bool yes = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(fd);
  return yes;
}

} // namespace

status prepare_unix_socket(const std::string& path) {
  namespace fs = std::filesystem;
  if (path.size() >= sizeof(sockaddr_un::sun_path))
    return bad_input(path, "a socket path has at most " + std::to_string(sizeof(sockaddr_un::sun_path) - 1) +
                             " bytes (api.socket)");
  std::error_code failed;
  const auto folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::exists(folder, failed)) {
    fs::create_directories(folder, failed);
    if (failed)
      return error{errc::resources, "the socket's folder cannot be made: " + failed.message(), folder.string()};
    ::chmod(folder.c_str(), 0700);
  }
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0)
    return ok();
  if (!S_ISSOCK(info.st_mode))
    return error{errc::conflict, "is there and is no socket", path};
  if (somebody_listens(path))
    return error{errc::conflict, "another process listens on this socket", path};
  ::unlink(path.c_str());
  return ok();
}

bool is_loopback(const std::string& address) {
  const auto host = address.substr(0, address.rfind(':'));
  return host == "localhost" || host == "[::1]" || host == "::1" || host.rfind("127.", 0) == 0;
}

} // namespace cuzk
