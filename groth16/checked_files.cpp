#include "groth16/checked_files.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace cuzk::groth16 {

namespace {

constexpr const char* title = "cuzk checked files 1";
constexpr std::size_t most = 256;

} // namespace

checked_files checked_files::read(const std::string& path) {
  checked_files out;
  out.path_ = path;
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line) || line != title)
    return out;
  while (std::getline(in, line) && out.entries_.size() < most) {
    std::istringstream words(line);
    entry e;
    if (words >> e.digest >> e.stamp.size >> e.stamp.mtime_ns >> e.stamp.inode >> e.stamp.device &&
        e.digest.size() == 32)
      out.entries_.push_back(std::move(e));
  }
  return out;
}

std::optional<std::string> checked_files::digest_of(const file_stamp& stamp) const {
  for (const auto& e : entries_)
    if (e.stamp == stamp)
      return e.digest;
  return std::nullopt;
}

bool checked_files::passed(const std::string& digest) const {
  return std::any_of(entries_.begin(), entries_.end(), [&digest](const entry& e) { return e.digest == digest; });
}

status checked_files::remember(const file_stamp& stamp, const std::string& digest) {
  std::erase_if(entries_, [&stamp](const entry& e) {
    return e.stamp == stamp || (e.stamp.inode == stamp.inode && e.stamp.device == stamp.device);
  });
  entries_.push_back({digest, stamp});
  if (entries_.size() > most)
    entries_.erase(entries_.begin(), entries_.end() - most);
  std::string text = std::string(title) + "\n";
  for (const auto& e : entries_)
    text += e.digest + " " + std::to_string(e.stamp.size) + " " + std::to_string(e.stamp.mtime_ns) + " " +
            std::to_string(e.stamp.inode) + " " + std::to_string(e.stamp.device) + "\n";
  CUZK_TRY(file, file_writer::create(path_));
  CUZK_CHECK(file.append(byte_view(reinterpret_cast<const std::uint8_t*>(text.data()), text.size())));
  return file.commit();
}

} // namespace cuzk::groth16
