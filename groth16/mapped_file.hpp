#pragma once
// A file mapped read-only, and files written so that they are whole or absent.
#include "runtime/base/error.hpp"
#include "runtime/base/hex.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace cuzk::groth16 {

/// Which file it was when it was opened. Remembered checks hold while all of it is the same.
struct file_stamp {
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::uint64_t inode = 0;
  std::uint64_t device = 0;
  friend bool operator==(const file_stamp&, const file_stamp&) = default;
};

/// The bytes of a regular file. Pages come from the page cache and are not counted as the process's own memory.
class mapped_file {
public:
  /// Errors: params, one sentence each for: no such file, no permission, a directory, not a regular file, too many
  /// symbolic links, empty.
  static result<mapped_file> open(const std::string& path);

  mapped_file(mapped_file&& other) noexcept;
  mapped_file& operator=(mapped_file&& other) noexcept;
  ~mapped_file();

  byte_view bytes() const noexcept { return {data_, stamp_.size}; }
  const std::string& path() const noexcept { return path_; }
  const file_stamp& stamp() const noexcept { return stamp_; }
  /// Whether the file behind the mapping still has the size and time it was opened with. Reading one that has shrunk
  /// since would end the process.
  bool unchanged() const noexcept;
  /// Tells the kernel that [offset, offset + length) is read soon (or, with false, no more).
  void expect(std::size_t offset, std::size_t length, bool needed) const noexcept;

private:
  mapped_file() = default;
  const std::uint8_t* data_ = nullptr;
  int fd_ = -1; ///< of the very file that is mapped, whatever its path leads to by now
  file_stamp stamp_;
  std::string path_;
};

/// Writes a file under a temporary name beside it; commit() makes it durable and gives it its name. Without commit the
/// temporary file is removed. Writes are buffered by the caller's chunks, at any offset.
class file_writer {
public:
  /// Errors: resources (no space, no permission), with the path.
  static result<file_writer> create(const std::string& path);
  file_writer(file_writer&& other) noexcept;
  file_writer& operator=(file_writer&&) = delete;
  ~file_writer();

  status append(byte_view data);
  /// Appends zeros that take no room on the disk.
  status skip(std::uint64_t count);
  /// Overwrites bytes already written.
  status write_at(std::uint64_t offset, byte_view data);
  std::uint64_t size() const noexcept { return size_; }
  const std::string& temporary_path() const noexcept { return temporary_; }
  /// fsync, rename, fsync of the directory.
  status commit();

private:
  file_writer() = default;
  error failure(const char* doing) const;
  int fd_ = -1;
  std::uint64_t size_ = 0;
  std::string path_, temporary_;
};

/// Whether two files hold the same bytes; false when one cannot be read.
bool same_bytes(const std::string& a, const std::string& b);

} // namespace cuzk::groth16
