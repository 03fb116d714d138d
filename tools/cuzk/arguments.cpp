#include "tools/cuzk/arguments.hpp"

#include "filecoin/identity.hpp"
#include "runtime/units.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <unistd.h>

namespace cuzk::client {

namespace fs = std::filesystem;

namespace {
struct closing {
  int fd;
  ~closing() { ::close(fd); }
};
constexpr std::size_t largest_file = std::size_t{4} << 30;
std::string system_text() {
  return std::strerror(errno);
}
} // namespace

result<bytes> read_file(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    return bad_input(path, "is a folder, expected a file");
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return bad_input(path, system_text());
  closing guard{fd};
  bytes out;
  for (;;) {
    const std::size_t at = out.size();
    out.resize(at + (1 << 20));
    const auto got = ::read(fd, out.data() + at, 1 << 20);
    out.resize(at + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0)
      return bad_input(path, system_text());
    if (got == 0)
      return out;
    if (out.size() > largest_file)
      return bad_input(path, "is larger than 4 GiB: no job file is");
  }
}

namespace {

// What stands behind `path` gets the bytes: `target` is the path itself or a file that will take its place.
status write_bytes(const std::string& target, const std::string& path, byte_view data) {
  const int fd = ::open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0)
    return error{errc::resources, "cannot be written: " + system_text(), path};
  closing guard{fd};
  for (std::size_t at = 0; at < data.size();) {
    const auto put = ::write(fd, data.data() + at, data.size() - at);
    if (put < 0)
      return error{errc::resources, "cannot be written: " + system_text(), path};
    at += static_cast<std::size_t>(put);
  }
  return ok();
}

} // namespace

status write_file(const std::string& path, byte_view data) {
  std::error_code ignored;
  const auto there = fs::symlink_status(path, ignored).type();
  if (there != fs::file_type::regular && there != fs::file_type::not_found)
    return write_bytes(path, path, data); // a device, a pipe, a link: never replaced by a file
  const std::string temporary = path + ".part-" + std::to_string(::getpid());
  auto done = write_bytes(temporary, path, data);
  if (done && ::rename(temporary.c_str(), path.c_str()) != 0)
    done = error{errc::resources, "cannot be put in place: " + system_text(), path};
  if (!done)
    ::unlink(temporary.c_str());
  return done;
}

result<bytes32> parse_bytes32(const std::string& text, const std::string& what) {
  auto data = from_hex(text);
  if (!data)
    return bad_input(what, data.err().message());
  if (data->size() != 32)
    return bad_input(what, "has " + std::to_string(data->size()) + " bytes, expected 32");
  bytes32 out;
  std::copy(data->begin(), data->end(), out.begin());
  return out;
}

result<std::optional<bytes32>> parse_prover(const std::string& miner, const std::string& prover_id) {
  if (!miner.empty() && !prover_id.empty())
    return bad_input("--miner", "give --miner or --prover-id, not both");
  if (miner.empty() && prover_id.empty())
    return std::optional<bytes32>();
  if (miner.empty()) {
    CUZK_TRY(id, parse_bytes32(prover_id, "--prover-id"));
    return std::optional<bytes32>(id);
  }
  auto id = filecoin::prover_id_of_miner(miner);
  if (!id)
    return bad_input("--miner", id.err().text);
  return std::optional<bytes32>(*id);
}

result<std::vector<bytes32>> parse_scalars(const std::string& text, const std::string& what) {
  std::vector<bytes32> out;
  for (std::size_t at = 0; !text.empty() && at <= text.size();) {
    const auto comma = std::min(text.find(',', at), text.size());
    CUZK_TRY(value, parse_bytes32(text.substr(at, comma - at), what + "[" + std::to_string(out.size()) + "]"));
    out.push_back(value);
    at = comma + 1;
  }
  return out;
}

result<std::int64_t> parse_deadline(const std::string& text, std::int64_t now) {
  std::tm utc{};
  const char* rest = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  if (rest != nullptr && *rest == 0) {
    const int day = utc.tm_mday;
    const auto at = static_cast<std::int64_t>(timegm(&utc)) * 1000;
    if (utc.tm_mday != day)
      return bad_input("--deadline", "'" + text + "' is no day of the calendar");
    return at;
  }
  constexpr std::int64_t longest = std::int64_t{3650} * 24 * 3600 * 1000;
  auto span = parse_duration(text);
  if (!span)
    return bad_input("--deadline",
                     "'" + text + "' is neither a duration such as 90s nor a time such as 2026-12-01T08:00:00Z");
  if (span->count() > longest)
    return bad_input("--deadline", "'" + text + "' is more than ten years");
  return now + static_cast<std::int64_t>(span->count());
}

std::string random_request_id() {
  std::random_device device;
  bytes id(16);
  for (auto& b : id)
    b = static_cast<std::uint8_t>(device());
  return to_hex(id);
}

std::int64_t now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

} // namespace cuzk::client
