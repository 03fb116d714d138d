#include "tools/cuzkd/signals.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace cuzk::daemon {
namespace {

volatile std::sig_atomic_t status_at_end = 0;

void end_now(int) {
  ::_exit(status_at_end);
}

} // namespace

result<signal_inbox> signal_inbox::open() {
  sigset_t set;
  sigemptyset(&set);
  for (const int s : {SIGTERM, SIGINT, SIGHUP})
    sigaddset(&set, s);
  ::signal(SIGPIPE, SIG_IGN); // a client that went away is an error of its write, not our end
  if (::pthread_sigmask(SIG_BLOCK, &set, nullptr) != 0)
    return internal_error("signals cannot be blocked");
  signal_inbox inbox(::signalfd(-1, &set, SFD_CLOEXEC), ::eventfd(0, EFD_CLOEXEC));
  if (inbox.signals_ < 0 || inbox.events_ < 0)
    return error{errc::resources, std::string("no descriptor for signals: ") + std::strerror(errno)};
  return inbox;
}

signal_inbox::signal_inbox(signal_inbox&& other) noexcept : signals_(other.signals_), events_(other.events_) {
  other.signals_ = other.events_ = -1;
}

signal_inbox::~signal_inbox() {
  if (signals_ >= 0)
    ::close(signals_);
  if (events_ >= 0)
    ::close(events_);
}

wake signal_inbox::next() {
  for (;;) {
    pollfd ready[2] = {{signals_, POLLIN, 0}, {events_, POLLIN, 0}};
    if (::poll(ready, 2, -1) <= 0)
      continue;
    signalfd_siginfo info{};
    if ((ready[0].revents & POLLIN) && ::read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
      return info.ssi_signo == SIGHUP ? wake::reload : wake::terminate;
    std::uint64_t count = 0;
    if ((ready[1].revents & POLLIN) && ::read(events_, &count, sizeof count) == static_cast<ssize_t>(sizeof count))
      return wake::event;
  }
}

void signal_inbox::ring() const {
  const std::uint64_t one = 1;
  // The counter is full only when nobody read 2^64 - 2 rings; then next() wakes anyway.
  [[maybe_unused]] const auto written = ::write(events_, &one, sizeof one);
}

void end_process_after(unsigned seconds, int status) {
  status_at_end = status;
  ::signal(SIGALRM, end_now);
  ::alarm(seconds);
}

} // namespace cuzk::daemon
