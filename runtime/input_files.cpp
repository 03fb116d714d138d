#include "runtime/input_files.hpp"

#include "math/hash/sha256.hpp"
#include "runtime/disk.hpp"

#include <cerrno>
#include <filesystem>
#include <limits>
#include <sys/stat.h>
#include <sys/statvfs.h>

namespace cuzk::store {
namespace {

constexpr const char* temporary_suffix = ".part";

std::string inputs_folder(const std::string& state_folder) {
  return state_folder + "/inputs";
}

std::string file_of(const std::string& folder, const digest& name) {
  return folder + "/" + to_hex(name);
}

} // namespace

result<input_files> input_files::open(const std::string& state_folder) {
  const auto folder = inputs_folder(state_folder);
  CUZK_CHECK(make_private_folder(folder));
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.path().extension() == temporary_suffix)
      std::filesystem::remove(entry.path(), ignored);
  return input_files(folder);
}

std::string input_files::path(const digest& name) const {
  return file_of(folder_, name);
}

bool input_files::has(const digest& name) const {
  struct stat info {};
  return ::stat(path(name).c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

status input_files::put(const digest& name, byte_view data) {
  if (has(name))
    return ok();
  return write_durably(path(name), temporary_suffix, data);
}

void input_files::remove(const digest& name) {
  std::error_code ignored;
  std::filesystem::remove(path(name), ignored);
}

std::size_t input_files::keep_only(const std::set<digest>& wanted) {
  std::set<std::string> names;
  for (const auto& d : wanted)
    names.insert(to_hex(d));
  std::size_t removed = 0;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored))
    if (!names.count(entry.path().filename().string()) && std::filesystem::remove(entry.path(), ignored))
      ++removed;
  return removed;
}

std::uint64_t input_files::free_bytes() const {
  struct statvfs info {};
  if (::statvfs(folder_.c_str(), &info) != 0)
    return std::numeric_limits<std::uint64_t>::max();
  return static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize;
}

result<bytes> read_input(const std::string& folder, const digest& name) {
  auto data = read_whole(file_of(inputs_folder(folder), name));
  if (!data && data.err().code == errc::not_found)
    return error{errc::not_found, "input " + to_hex(name) + " is not in the store"};
  if (data && sha256_of(*data) != name)
    return error{errc::internal, "stored input " + to_hex(name) + " has changed on disk", file_of(folder, name)};
  return data;
}

} // namespace cuzk::store
