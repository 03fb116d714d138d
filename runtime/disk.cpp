#include "runtime/disk.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace cuzk {
namespace {

/// A descriptor that closes itself.
class descriptor {
public:
  explicit descriptor(int fd) : fd_(fd) {}
  ~descriptor() {
    if (fd_ >= 0)
      ::close(fd_);
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }

private:
  int fd_;
};

bool write_all(int fd, byte_view data) {
  while (!data.empty()) {
    const auto n = ::write(fd, data.data(), data.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    data = data.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

bool sync_folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  const descriptor fd(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return fd.valid() && ::fsync(fd.get()) == 0;
}

} // namespace

error disk_error(const char* doing, const std::string& path, int code) {
  return {code == ENOENT ? errc::not_found : errc::resources, std::string(doing) + " failed: " + std::strerror(code),
          path};
}

status make_private_folder(const std::string& given) {
  const auto path = given.substr(0, given.find_last_not_of('/') + 1);
  if (path.empty())
    return ok(); // the root
  std::error_code code;
  const auto parent = std::filesystem::path(path).parent_path();
  if (!parent.empty())
    std::filesystem::create_directories(parent, code);
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
    return error{errc::resources, std::string("making the folder failed: ") + std::strerror(errno), path};
  if (!std::filesystem::is_directory(path, code))
    return error{errc::resources, "not a folder", path};
  return ok();
}

status write_durably(const std::string& path, const std::string& suffix, byte_view data) {
  const auto temporary = path + suffix;
  int failure = 0;
  {
    const descriptor fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!fd.valid() || !write_all(fd.get(), data) || ::fsync(fd.get()) != 0)
      failure = errno;
  }
  if (failure == 0 && ::rename(temporary.c_str(), path.c_str()) != 0)
    failure = errno;
  if (failure == 0 && !sync_folder_of(path))
    failure = errno;
  if (failure == 0)
    return ok();
  ::unlink(temporary.c_str());
  return error{errc::resources, std::string("writing failed: ") + std::strerror(failure), path};
}

result<bytes> read_whole(const std::string& path) {
  const descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid())
    return disk_error("opening", path, errno);
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode))
    return error{errc::resources, "not a regular file", path};
  bytes data(static_cast<std::size_t>(info.st_size));
  std::size_t have = 0;
  while (have < data.size()) {
    const auto n = ::read(fd.get(), data.data() + have, data.size() - have);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return disk_error("reading", path, errno);
    if (n == 0)
      break;
    have += static_cast<std::size_t>(n);
  }
  data.resize(have);
  return data;
}

} // namespace cuzk
