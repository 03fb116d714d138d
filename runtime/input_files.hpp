#pragma once
// Accepted inputs as files named by their digest: whole or absent.
#include "runtime/store.hpp"

#include <set>
#include <string>

namespace cuzk::store {

/// The folder <state>/inputs. Blocking; one writer.
class input_files {
public:
  /// Makes the folder (0700) where missing and removes temporary files of a run that was killed. Errors: resources.
  static result<input_files> open(const std::string& state_folder);

  /// Temporary file, fsync, rename, fsync of the folder. A file already there is kept. Errors: resources.
  status put(const digest& name, byte_view data);
  bool has(const digest& name) const;
  /// Missing files are no error.
  void remove(const digest& name);
  /// Removes every file that is not in `wanted`; returns how many.
  std::size_t keep_only(const std::set<digest>& wanted);
  /// Free bytes of the disk; the largest number when it cannot be told.
  std::uint64_t free_bytes() const;

private:
  explicit input_files(std::string folder) : folder_(std::move(folder)) {}
  std::string path(const digest& name) const;
  std::string folder_;
};

} // namespace cuzk::store
