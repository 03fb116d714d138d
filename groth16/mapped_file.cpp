#include "groth16/mapped_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace cuzk::groth16 {

namespace {

error cannot_open(const std::string& path, int code) {
  switch (code) {
  case ENOENT: return {errc::params, "no such file", path};
  case EACCES: return {errc::params, "no permission to read", path};
  case ELOOP: return {errc::params, "too many symbolic links", path};
  default: return {errc::params, std::string("cannot open: ") + std::strerror(code), path};
  }
}

class descriptor {
public:
  explicit descriptor(int fd) : fd_(fd) {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() {
    if (fd_ >= 0)
      ::close(fd_);
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

private:
  int fd_;
};

file_stamp stamp_of(const struct stat& info) {
  return {static_cast<std::uint64_t>(info.st_size), info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec,
          info.st_ino, info.st_dev};
}

} // namespace

result<mapped_file> mapped_file::open(const std::string& path) {
  descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0)
    return cannot_open(path, errno);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0)
    return cannot_open(path, errno);
  if (S_ISDIR(info.st_mode))
    return error{errc::params, "is a directory, expected a file", path};
  if (!S_ISREG(info.st_mode))
    return error{errc::params, "not a regular file", path};
  if (info.st_size == 0)
    return error{errc::params, "file is empty", path};
  void* data = ::mmap(nullptr, static_cast<std::size_t>(info.st_size), PROT_READ, MAP_SHARED, file.get(), 0);
  if (data == MAP_FAILED)
    return error{errc::resources, std::string("cannot map: ") + std::strerror(errno), path};
  mapped_file out;
  out.data_ = static_cast<const std::uint8_t*>(data);
  out.path_ = path;
  out.stamp_ = stamp_of(info);
  out.fd_ = file.release();
  return out;
}

bool mapped_file::unchanged() const noexcept {
  struct stat info {};
  return ::fstat(fd_, &info) == 0 && stamp_of(info) == stamp_;
}

mapped_file::mapped_file(mapped_file&& other) noexcept
  : data_(std::exchange(other.data_, nullptr)), fd_(std::exchange(other.fd_, -1)),
    stamp_(std::exchange(other.stamp_, {})), path_(std::move(other.path_)) {}

mapped_file& mapped_file::operator=(mapped_file&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(fd_, other.fd_);
  std::swap(stamp_, other.stamp_);
  std::swap(path_, other.path_);
  return *this;
}

mapped_file::~mapped_file() {
  if (data_ != nullptr)
    ::munmap(const_cast<std::uint8_t*>(data_), stamp_.size);
  if (fd_ >= 0)
    ::close(fd_);
}

void mapped_file::expect(std::size_t offset, std::size_t length, bool needed) const noexcept {
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t begin = offset / page * page;
  ::madvise(const_cast<std::uint8_t*>(data_) + begin, offset + length - begin, needed ? MADV_WILLNEED : MADV_DONTNEED);
}

result<file_writer> file_writer::create(const std::string& path) {
  file_writer out;
  out.path_ = path;
  out.temporary_ = path + ".part-" + std::to_string(::getpid());
  out.fd_ = ::open(out.temporary_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (out.fd_ < 0)
    return out.failure("create");
  return out;
}

file_writer::file_writer(file_writer&& other) noexcept
  : fd_(std::exchange(other.fd_, -1)), size_(other.size_), path_(std::move(other.path_)),
    temporary_(std::exchange(other.temporary_, {})) {}

file_writer::~file_writer() {
  if (fd_ >= 0)
    ::close(fd_);
  if (!temporary_.empty())
    ::unlink(temporary_.c_str());
}

error file_writer::failure(const char* doing) const {
  return {errc::resources, std::string("cannot ") + doing + ": " + std::strerror(errno), temporary_};
}

status file_writer::append(byte_view data) {
  CUZK_CHECK(write_at(size_, data));
  size_ += data.size();
  return ok();
}

status file_writer::skip(std::uint64_t count) {
  size_ += count;
  return ::ftruncate(fd_, static_cast<off_t>(size_)) == 0 ? ok() : status(failure("extend"));
}

status file_writer::write_at(std::uint64_t offset, byte_view data) {
  while (!data.empty()) {
    const auto n = ::pwrite(fd_, data.data(), data.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return failure("write");
    data = data.subspan(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
  return ok();
}

status file_writer::commit() {
  if (::fsync(fd_) != 0)
    return failure("sync");
  if (::rename(temporary_.c_str(), path_.c_str()) != 0)
    return failure("rename");
  temporary_.clear();
  const auto parent = std::filesystem::path(path_).parent_path();
  const descriptor directory(::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() >= 0 && ::fsync(directory.get()) != 0 && errno != EINVAL)
    return failure("sync the directory");
  return ok();
}

bool same_bytes(const std::string& a, const std::string& b) {
  auto x = mapped_file::open(a), y = mapped_file::open(b);
  return x && y && x->bytes().size() == y->bytes().size() &&
         std::memcmp(x->bytes().data(), y->bytes().data(), x->bytes().size()) == 0;
}

} // namespace cuzk::groth16
