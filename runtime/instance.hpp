#pragma once
// One daemon per state folder.
#include "runtime/base/error.hpp"

#include <string>

namespace cuzk {

/// Holds <folder>/cuzkd.lock from acquisition to destruction. The kernel drops the lock when the process dies in
/// whatever way, so no stale file ever blocks a start.
class instance_lock {
public:
  /// Makes the folder where missing. Errors: conflict "already running (pid …)"; resources.
  static result<instance_lock> acquire(const std::string& folder);
  instance_lock(instance_lock&& other) noexcept;
  instance_lock& operator=(instance_lock&&) = delete;
  ~instance_lock();

private:
  explicit instance_lock(int fd) : fd_(fd) {}
  int fd_;
};

} // namespace cuzk
