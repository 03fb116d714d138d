#include "gateway/gateway.hpp"
#include "tests/gateway/fake_node.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temp_dir.hpp"
#include "tools/cuzk/session.hpp"

#include <arpa/inet.h>
#include <future>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace cuzk;
using client::session;

namespace {

/// A gateway on a socket in a folder of its own, in front of a scripted node.
struct fixture {
  test::temp_dir dir;
  caf::actor_system_config caf_config;
  std::unique_ptr<caf::actor_system> system;
  std::shared_ptr<test::fake_node_log> log = std::make_shared<test::fake_node_log>();
  node_actor node;
  gateway_config config;
  std::unique_ptr<gateway> door;
  gateway_ports ports;
  client::loop loop;

  fixture() {
    caf_config.add_message_types<caf::id_block::cuzk_messages>();
    caf_config.set("scheduler.max-threads", 2u);
    system = std::make_unique<caf::actor_system>(caf_config);
    node = system->spawn(test::fake_node, log);
    config.socket = dir.path() + "/run/cuzk.sock";
    config.version = "test";
  }
  ~fixture() {
    door.reset();
    caf::anon_send(node, stop_node{});
  }

  status start() {
    std::promise<result<gateway_ports>> told;
    door = std::make_unique<gateway>(config, *system, node,
                                     gateway_reports{[&](result<gateway_ports> r) { told.set_value(std::move(r)); }});
    auto outcome = told.get_future().get();
    if (!outcome)
      return outcome.err();
    ports = *outcome;
    return ok();
  }
  result<session> connect() { return connect_to("unix:" + config.socket); }
  result<session> connect_to(const std::string& address, const bytes& token = {}) {
    return session::connect(loop, {address, token});
  }
};

submit_job request(const std::string& id) {
  submit_job out;
  out.request_id = id;
  return out;
}

/// Connections to a port of this host that say nothing, as many as can be had; closed together.
struct idle_connections {
  std::vector<int> fds;

  void open(unsigned port, std::size_t wanted) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (std::size_t i = 0; i < wanted; ++i) {
      const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      if (fd < 0)
        return;
      fds.push_back(fd);
      if (::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0)
        return;
    }
  }
  ~idle_connections() {
    for (const int fd : fds)
      ::close(fd);
  }
};

/// Fewer file descriptors for this process while it lives.
struct few_descriptors {
  rlimit before{};
  explicit few_descriptors(rlim_t most) {
    ::getrlimit(RLIMIT_NOFILE, &before);
    const rlimit now{most, before.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &now);
  }
  ~few_descriptors() { ::setrlimit(RLIMIT_NOFILE, &before); }
};

const auto silent = [](std::uint64_t) {};

} // namespace

TEST_CASE("an input goes up in chunks and reaches the node with its digest") {
  fixture f;
  REQUIRE(f.start());
  auto c = f.connect();
  REQUIRE(c);
  CHECK(c->node_version() == "test");
  for (std::size_t size : {std::size_t{1}, std::size_t{1} << 20, (std::size_t{1} << 20) + 1, std::size_t{70} << 20}) {
    bytes input(size);
    for (std::size_t i = 0; i < size; ++i)
      input[i] = static_cast<std::uint8_t>(i * 31 + i / 251);
    auto reply = c->submit(request("r" + std::to_string(size)), input, silent);
    REQUIRE(reply);
    CHECK(number(reply->job) == 17);
    CHECK(f.log->last_input_bytes == size);
    CHECK(f.log->last_digest_right);
  }
}

TEST_CASE("refusals of the node reach the client with code, place and hint") {
  fixture f;
  REQUIRE(f.start());
  auto c = f.connect();
  REQUIRE(c);
  auto reply = c->submit(request("refuse"), bytes{1}, silent);
  REQUIRE_FALSE(reply);
  CHECK(reply.err().code == errc::resources);
  CHECK(reply.err().where == "queue");
  CHECK(reply.err().retry_after_ms == 5000);
  CHECK(c->get(job_id{99}, "").err().code == errc::not_found);
  CHECK(c->evict("porep-2k").err().code == errc::conflict);
}

TEST_CASE("an input beyond the bound is refused before it is sent, and the connection stays usable") {
  fixture f;
  f.config.max_input_bytes = 1000;
  REQUIRE(f.start());
  auto c = f.connect();
  REQUIRE(c);
  auto reply = c->submit(request("big"), bytes(1001), silent);
  REQUIRE_FALSE(reply);
  CHECK(reply.err().code == errc::bad_input);
  CHECK(c->submit(request("fits"), bytes(1000), silent));
}

TEST_CASE("uploads of all clients together have a bound") {
  fixture f;
  f.config.max_upload_bytes = 100;
  REQUIRE(f.start());
  auto c = f.connect();
  REQUIRE(c);
  auto reply = c->submit(request("a"), bytes(101), silent);
  REQUIRE_FALSE(reply);
  CHECK(reply.err().code == errc::resources);
  CHECK(reply.err().retry_after_ms > 0);
  for (int i = 0; i < 5; ++i) // room is given back every time
    CHECK(c->submit(request("b"), bytes(100), silent));
}

TEST_CASE("await answers with the report, events reach a watcher in order") {
  fixture f;
  REQUIRE(f.start());
  auto c = f.connect();
  REQUIRE(c);
  auto report = c->await(job_id{17}, 1000);
  REQUIRE(report);
  CHECK(report->state == job_state::done);
  CHECK(report->proof.size() == 192);

  auto other = f.connect();
  REQUIRE(other);
  std::vector<std::uint64_t> seen;
  auto watched = std::async(std::launch::async, [&] {
    client::loop own;
    auto w = session::connect(own, {"unix:" + f.config.socket, {}});
    return w->watch(job_id{5}, [&](const job_event& e) {
      seen.push_back(e.number);
      return seen.size() < 3;
    });
  });
  while (watched.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready)
    REQUIRE(other->cancel(job_id{5}, "test")); // the fake tells an event for every cancel
  CHECK(watched.get());
  REQUIRE(seen.size() == 3);
  CHECK(seen[1] == seen[0] + 1);
  CHECK(seen[2] == seen[1] + 1);
}

TEST_CASE("a second gateway on the same socket is refused, a stale socket is not") {
  fixture f;
  REQUIRE(f.start());
  std::promise<errc> told;
  gateway second(f.config, *f.system, f.node,
                 gateway_reports{[&](result<gateway_ports> r) { told.set_value(r.err().code); }});
  CHECK(told.get_future().get() == errc::conflict);
  CHECK(f.connect()); // the first still answers

  f.door.reset();
  test::leave_stale_socket(f.config.socket);
  CHECK(f.start());
  CHECK(f.connect());
}

TEST_CASE("beyond loopback a token is needed") {
  fixture f;
  f.config.tcp = "0.0.0.0:0";
  auto started = f.start();
  REQUIRE_FALSE(started);
  CHECK(started.err().code == errc::bad_input);
}

TEST_CASE("TCP asks for the token where there is one") {
  fixture f;
  f.config.tcp = "127.0.0.1:0";
  f.config.token = {'s', 'e', 'c'};
  REQUIRE(f.start());
  const auto address = "127.0.0.1:" + std::to_string(f.ports.tcp);
  CHECK(f.connect_to(address).err().code == errc::unauthorized);
  CHECK(f.connect_to(address, {'s', 'e', 'd'}).err().code == errc::unauthorized);
  CHECK(f.connect_to(address, {'s', 'e', 'c'}));
  CHECK(f.connect()); // the socket's folder is its guard
}

TEST_CASE("more connections than allowed are turned away with a reason") {
  fixture f;
  f.config.max_connections = 2;
  REQUIRE(f.start());
  auto a = f.connect();
  auto b = f.connect();
  REQUIRE(a);
  REQUIRE(b);
  auto c = f.connect();
  REQUIRE_FALSE(c);
  CHECK(c.err().code == errc::resources);
  CHECK(a->node());
}

TEST_CASE("garbage on the socket harms nobody") {
  fixture f;
  REQUIRE(f.start());
  auto c = f.connect();
  REQUIRE(c);
  for (const bytes& garbage : {bytes(16, 0xff), bytes{0, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f}, bytes(100'000, 'G')})
    test::send_raw(f.config.socket, garbage);
  CHECK(c->node());
  CHECK(f.connect());
}

TEST_CASE("a stopped gateway is noticed by its clients") {
  fixture f;
  REQUIRE(f.start());
  auto c = f.connect();
  REQUIRE(c);
  f.door->stop();
  auto gone = c->node();
  REQUIRE_FALSE(gone);
  CHECK(gone.err().code == errc::unavailable);
  CHECK(f.connect().err().code == errc::unavailable);
}

TEST_CASE("HTTP serves health, metrics and status") {
  fixture f;
  f.config.http = "127.0.0.1:0";
  f.config.token = {'t'};
  REQUIRE(f.start());
  using test::http_get;
  CHECK(http_get(f.ports.http, "/healthz").find("200 OK") != std::string::npos);
  CHECK(http_get(f.ports.http, "/readyz").find("200 OK") != std::string::npos);
  CHECK(http_get(f.ports.http, "/status").find("401") != std::string::npos);
  CHECK(http_get(f.ports.http, "/status", "Authorization: Bearer t\r\n").find("\"phase\":\"serving\"") !=
        std::string::npos);
  CHECK(http_get(f.ports.http, "/metrics", "Authorization: Bearer t\r\n").find("# TYPE cuzk_test_total counter") !=
        std::string::npos);
  CHECK(http_get(f.ports.http, "/nothing").find("404") != std::string::npos);
}

TEST_CASE("HTTP connections have a bound too") {
  fixture f;
  f.config.http = "127.0.0.1:0";
  f.config.max_connections = 4;
  REQUIRE(f.start());
  idle_connections idle;
  idle.open(f.ports.http, 12);
  CHECK(idle.fds.size() == 12);
  unsigned closed = 0;
  for (const int fd : idle.fds) {
    const timeval patience{0, 200'000};
    ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    char byte;
    closed += ::recv(fd, &byte, 1, 0) == 0;
  }
  CHECK(closed == 8);
  CHECK(f.connect());
}

TEST_CASE("the gateway outlives a lack of file descriptors") {
  fixture f;
  f.config.http = "127.0.0.1:0";
  f.config.tcp = "127.0.0.1:0";
  REQUIRE(f.start());
  {
    const few_descriptors few(static_cast<rlim_t>(::dup(0)) + 40);
    idle_connections idle;
    for (int round = 0; round < 3; ++round) {
      idle.open(f.ports.http, 100);
      idle.open(f.ports.tcp, 100);
    }
    CHECK(idle.fds.size() < 40);
  }
  auto c = f.connect(); // may meet the last of the crowd on its way out
  for (int attempt = 0; attempt < 50 && !c; ++attempt)
    c = f.connect();
  REQUIRE(c);
  CHECK(c->node());
  CHECK(test::http_get(f.ports.http, "/healthz").find("200 OK") != std::string::npos);
}
