#pragma once
// What a piece of work costs: wall and processor seconds, memory of the process.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace cuzk::bench {

/// Seconds since some moment: on the wall, and of all threads in user and system mode.
struct seconds {
  double wall = 0, user = 0, system = 0;
  double cpu() const noexcept { return user + system; }
  seconds operator-(const seconds& from) const noexcept {
    return {wall - from.wall, user - from.user, system - from.system};
  }
  seconds& operator+=(const seconds& more) noexcept {
    wall += more.wall, user += more.user, system += more.system;
    return *this;
  }
};
seconds now();

/// Resident bytes: the process's own (anonymous), and mapped files in the page cache.
struct memory {
  std::uint64_t anonymous = 0, mapped = 0;
};
/// Zeros where the system does not tell.
memory resident();

/// Watches resident memory from a thread of its own and keeps the largest of each kind.
class memory_watch {
public:
  memory_watch();
  ~memory_watch();
  memory_watch(const memory_watch&) = delete;
  memory_watch& operator=(const memory_watch&) = delete;
  /// The peaks since construction.
  memory peak();

private:
  void look();
  std::atomic<std::uint64_t> anonymous_{0}, mapped_{0};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

} // namespace cuzk::bench
