#pragma once
// A node that answers from a script, and raw sockets to be rude with.
#include "actors/node.hpp"
#include "math/hash/sha256.hpp"

#include <caf/all.hpp>

#include <arpa/inet.h>
#include <atomic>
#include <memory>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace cuzk::test {

struct fake_node_log {
  std::atomic<std::uint64_t> last_input_bytes{0};
  std::atomic<bool> last_digest_right{false};
};

inline job_report done_report(job_id job) {
  job_report out;
  out.job = job;
  out.state = job_state::done;
  out.proof = bytes(192, 7);
  return out;
}

inline job_report no_such_job() {
  job_report out;
  out.found = refused({errc::not_found, "no such job"});
  return out;
}

/// Every job is 17 and done; 99 is unknown; request id "refuse" is refused; a cancel tells the watchers an event.
inline node_actor::behavior_type fake_node(node_actor::pointer self, const std::shared_ptr<fake_node_log>& log) {
  auto watcher = std::make_shared<caf::strong_actor_ptr>();
  auto events = std::make_shared<std::uint64_t>(0);
  const admin_reply fine{};
  return {
    [log](const submit_job& job, const input_handle& input) {
      log->last_input_bytes = input.data->size();
      log->last_digest_right = job.input_digest == sha256_of(*input.data) && job.input_bytes == input.data->size();
      submit_reply out;
      out.job = job_id{17};
      if (job.request_id == "refuse")
        out.result = refused({errc::resources, "1000 jobs wait", "queue", 5000});
      return out;
    },
    [](const await_job& q) { return done_report(q.job); },
    [](const get_job& q) { return q.job == job_id{99} ? no_such_job() : done_report(q.job); },
    [self, watcher, events](const cancel_job& order) {
      job_event event;
      event.number = ++*events;
      event.job = order.job;
      event.what = "cancelled";
      if (*watcher)
        caf::anon_send(caf::actor_cast<caf::actor>(*watcher), event);
      return cancel_reply{};
    },
    [](const list_jobs&) {
      return job_list{{done_report(job_id{17})}, false};
    },
    [self, watcher](const subscribe_events&) { *watcher = self->current_sender(); },
    [watcher](const unsubscribe_events&) { *watcher = nullptr; },
    [](const preload_params&) {
      return params_reply{{}, 5, 6};
    },
    [](const evict_params&) {
      return params_reply{refused({errc::conflict, "in use by 2 jobs"}), 0, 0};
    },
    [](const node_query&) {
      node_status out;
      out.phase = node_phase::serving;
      out.ready = true;
      return out;
    },
    [](const metrics_query&) {
      return metrics_page{{{"cuzk_test_total", "help", metric_type::counter, {{"cuzk_test_total", "", 3}}}}};
    },
    [](const trace_query&) { return trace_page{}; },
    [fine](const pause_node&) { return fine; },
    [fine](const resume_node&) { return fine; },
    [fine](const release_lane&) { return fine; },
    [fine](const drain_node&) { return fine; },
    [self](const stop_node&) { self->quit(); },
  };
}

inline int connect_unix(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("cannot connect to " + path);
  return fd;
}

/// Sends bytes and reads until the other side closes or has nothing to say to them.
inline void send_raw(const std::string& path, const bytes& data) {
  const int fd = connect_unix(path);
  (void)!::send(fd, data.data(), data.size(), MSG_NOSIGNAL);
  ::shutdown(fd, SHUT_WR);
  char sink[256];
  while (::read(fd, sink, sizeof sink) > 0) {
  }
  ::close(fd);
}

/// A socket file nobody listens on.
inline void leave_stale_socket(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("cannot bind " + path);
  ::close(fd);
}

/// The whole answer of one GET.
inline std::string http_get(unsigned port, const std::string& path, const std::string& headers = "") {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("cannot connect");
  const std::string request = "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + headers + "\r\n";
  (void)!::send(fd, request.data(), request.size(), MSG_NOSIGNAL);
  std::string out;
  char buffer[4096];
  for (ssize_t got; (got = ::read(fd, buffer, sizeof buffer)) > 0;)
    out.append(buffer, static_cast<std::size_t>(got));
  ::close(fd);
  return out;
}

} // namespace cuzk::test
