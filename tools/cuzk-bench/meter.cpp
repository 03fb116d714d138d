#include "tools/cuzk-bench/meter.hpp"

#include <fstream>
#include <string>
#include <sys/resource.h>

namespace cuzk::bench {

namespace {

double to_seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
}

void raise(std::atomic<std::uint64_t>& peak, std::uint64_t value) {
  if (value > peak.load(std::memory_order_relaxed))
    peak.store(value, std::memory_order_relaxed);
}

} // namespace

seconds now() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto wall = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch());
  return {wall.count(), to_seconds(usage.ru_utime), to_seconds(usage.ru_stime)};
}

memory resident() {
  memory out;
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    std::uint64_t kib = 0;
    if (word == "RssAnon:" && status >> kib)
      out.anonymous = kib << 10;
    else if (word == "RssFile:" && status >> kib)
      out.mapped = kib << 10;
  }
  return out;
}

memory_watch::memory_watch() {
  look();
  thread_ = std::thread([this] {
    while (!stop_.load(std::memory_order_relaxed)) {
      look();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  });
}

memory_watch::~memory_watch() {
  stop_.store(true, std::memory_order_relaxed);
  thread_.join();
}

memory memory_watch::peak() {
  look();
  return {anonymous_.load(std::memory_order_relaxed), mapped_.load(std::memory_order_relaxed)};
}

void memory_watch::look() {
  const auto seen = resident();
  raise(anonymous_, seen.anonymous);
  raise(mapped_, seen.mapped);
}

} // namespace cuzk::bench
