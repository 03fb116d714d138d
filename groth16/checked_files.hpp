#pragma once
// Which files were checked in full, remembered in a small text file: a restart does not read 100 GB again.
#include "groth16/mapped_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cuzk::groth16 {

/// First line "cuzk checked files 1", then a line a file: digest (BLAKE2b-512, first 16 bytes, hex), size, mtime in ns,
/// inode, device. A file that is not there is an empty memory, and lines that make no sense are forgotten: the worst
/// that a damaged memory can do is that a check is made again, unless somebody writes digests into it by hand.
class checked_files {
public:
  static checked_files read(const std::string& path);

  /// The digest of the file of this stamp, if it was seen.
  std::optional<std::string> digest_of(const file_stamp& stamp) const;
  /// Whether a file of this digest has passed.
  bool passed(const std::string& digest) const;
  /// Adds a file and writes the memory. At most 256 files are kept, the newest ones. Errors: resources.
  status remember(const file_stamp& stamp, const std::string& digest);

private:
  struct entry {
    std::string digest;
    file_stamp stamp;
  };
  std::string path_;
  std::vector<entry> entries_;
};

} // namespace cuzk::groth16
