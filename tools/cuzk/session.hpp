#pragma once
// A connection to a node, as plain blocking calls. The only file of the client that knows kj.
#include "messages/job.hpp"
#include "messages/status.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/hex.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace cuzk::client {

/// Where a node is.
struct endpoint {
  std::string address; ///< "unix:/path" or "host:port"
  bytes token{};       ///< for TCP beyond loopback; empty otherwise
};

struct loaded_params {
  std::uint64_t bytes = 0;
  std::int64_t took_ms = 0;
};

/// The event loop of the calling thread. One per thread; it outlives its sessions.
class loop {
public:
  loop();
  ~loop();

private:
  friend class session;
  struct state;
  std::unique_ptr<state> state_;
};

/// Every call waits for its answer. Errors: what the node refuses with; unavailable when there is no node or the
/// connection breaks (connect again); internal for a fault of the node.
class session {
public:
  static result<session> connect(loop& on, const endpoint& where);
  session(session&&) noexcept;
  session& operator=(session&&) noexcept;
  ~session();

  /// Of the node: "0.1.0 (commit)".
  const std::string& node_version() const;

  /// Sends the input in chunks and submits. `sent` is told how many bytes have gone.
  result<submit_reply> submit(const submit_job& request, byte_view input,
                              const std::function<void(std::uint64_t)>& sent);
  /// The report when the job is final or the time is over.
  result<job_report> await(job_id job, std::uint32_t timeout_ms);
  result<job_report> get(job_id job, const std::string& request_id);
  result<job_state> cancel(job_id job, const std::string& by);
  result<job_list> list(const list_jobs& what);
  /// Calls `event` for every event of the job (0 = all) until it returns false or the connection breaks.
  status watch(job_id job, const std::function<bool(const job_event&)>& event);
  result<node_status> node();
  result<loaded_params> preload(const std::string& circuit);
  result<loaded_params> evict(const std::string& circuit);
  status pause();
  status resume();
  status drain(std::uint32_t limit_ms);
  status release_lane(lane_id lane);
  /// Chrome trace JSON.
  result<std::string> trace(std::uint32_t last_seconds);
  /// Prometheus text.
  result<std::string> metrics();

private:
  struct connection;
  explicit session(std::unique_ptr<connection> c);
  std::unique_ptr<connection> connection_;
};

} // namespace cuzk::client
