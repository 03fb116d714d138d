#include "runtime/instance.hpp"

#include "runtime/disk.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace cuzk {
namespace {

/// What the holder wrote: its pid; "?" while it has not yet.
std::string holder_of(int fd) {
  std::array<char, 32> text{};
  const auto n = ::pread(fd, text.data(), text.size() - 1, 0);
  std::string pid(text.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
  while (!pid.empty() && (pid.back() < '0' || pid.back() > '9'))
    pid.pop_back();
  return pid.empty() ? "?" : pid;
}

} // namespace

result<instance_lock> instance_lock::acquire(const std::string& folder) {
  CUZK_CHECK(make_private_folder(folder));
  const auto path = folder + "/cuzkd.lock";
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0)
    return disk_error("opening", path, errno);
  instance_lock lock(fd);
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK)
      return disk_error("locking", path, errno);
    return error{errc::conflict, "already running (pid " + holder_of(fd) + ")", folder};
  }
  const auto pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(fd, 0) != 0 || ::pwrite(fd, pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size()))
    return disk_error("writing", path, errno);
  return lock;
}

instance_lock::instance_lock(instance_lock&& other) noexcept : fd_(other.fd_) {
  other.fd_ = -1;
}

instance_lock::~instance_lock() {
  if (fd_ >= 0)
    ::close(fd_);
}

} // namespace cuzk
