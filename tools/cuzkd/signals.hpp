#pragma once
// What main waits for: signals, and events of other threads, through one poll.
#include "runtime/base/error.hpp"

#include <cstdint>
#include <memory>

namespace cuzk::daemon {

enum class wake : std::uint8_t {
  terminate, ///< SIGTERM or SIGINT
  reload,    ///< SIGHUP
  event,     ///< ring() was called
};

/// Takes over SIGTERM, SIGINT and SIGHUP. Made before any other thread starts, so that all of them have these signals
/// blocked.
class signal_inbox {
public:
  static result<signal_inbox> open();
  signal_inbox(signal_inbox&& other) noexcept;
  signal_inbox& operator=(signal_inbox&&) = delete;
  ~signal_inbox();

  /// Blocks until there is something. Several rings before a wait are one.
  wake next();
  /// Wakes next() from any thread.
  void ring() const;

private:
  signal_inbox(int signals, int events) : signals_(signals), events_(events) {}
  int signals_, events_;
};

/// From now on the process ends with this status after so many seconds, whatever hangs. Called once, when stopping.
void end_process_after(unsigned seconds, int status);

} // namespace cuzk::daemon
