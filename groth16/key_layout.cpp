#include "groth16/key_layout.hpp"

namespace cuzk::groth16 {

namespace {

std::uint32_t read_be32(byte_view file, std::uint64_t at) {
  return std::uint32_t(file[at]) << 24 | std::uint32_t(file[at + 1]) << 16 | std::uint32_t(file[at + 2]) << 8 |
         file[at + 3];
}

std::string bytes_text(std::uint64_t n) {
  return std::to_string(n) + (n == 1 ? " byte" : " bytes");
}

// What a failed download leaves behind.
bool looks_like_error_page(byte_view file) {
  if (file.size() > 1 << 20)
    return false;
  const std::string_view head(reinterpret_cast<const char*>(file.data()), std::min<std::size_t>(file.size(), 64));
  return head.starts_with("<!") || head.starts_with("<html") || head.starts_with("<HTML") ||
         head.starts_with("<?xml") || head.starts_with("HTTP/") || head.starts_with("{\"");
}

error damaged(const std::string& path, std::string text) {
  return {errc::params, std::move(text), path};
}

// Reads one count and checks that its points lie inside the file.
status read_count(byte_view file, const std::string& path, section s, std::uint64_t& at, std::uint64_t& count) {
  const std::string where = "section " + std::string(to_string(s)) + ": ";
  if (file.size() < at + 4)
    return damaged(path, where + "short by " + bytes_text(at + 4 - file.size()) + " before its count");
  count = read_be32(file, at);
  const std::uint64_t end = at + 4 + count * point_bytes(s);
  if (end > file.size())
    return damaged(path, where + "count " + std::to_string(count) + " does not fit the file: short by " +
                           bytes_text(end - file.size()));
  at = end;
  return ok();
}

status check_begin(byte_view file, const std::string& path) {
  if (file.empty())
    return damaged(path, "file is empty");
  if (looks_like_error_page(file))
    return damaged(path, "looks like an HTTP error page (" + bytes_text(file.size()) + ")");
  return ok();
}

} // namespace

std::string_view to_string(section s) noexcept {
  switch (s) {
  case section::vk: return "vk";
  case section::h: return "h";
  case section::l: return "l";
  case section::a: return "a";
  case section::b_g1: return "b_g1";
  case section::b_g2: return "b_g2";
  }
  return "";
}

std::uint64_t key_counts::of(section s) const noexcept {
  switch (s) {
  case section::vk: return ic;
  case section::h: return h;
  case section::l: return l;
  case section::a: return a;
  case section::b_g1: return b_g1;
  case section::b_g2: return b_g2;
  }
  return 0;
}

std::size_t point_bytes(section s) noexcept {
  return s == section::b_g2 ? g2_bytes : g1_bytes;
}

key_layout::key_layout(const key_counts& counts) : counts_(counts) {
  std::uint64_t at = 0;
  for (const auto s : all_sections) {
    auto& range = ranges_[static_cast<std::size_t>(s)];
    range.offset = at;
    range.count = counts.of(s);
    range.points = at + (s == section::vk ? vk_fixed_bytes : 0) + 4;
    at = range.points + range.count * point_bytes(s);
    range.bytes = at - range.offset;
  }
}

std::uint64_t key_layout::file_bytes() const noexcept {
  const auto& last = ranges_.back();
  return last.offset + last.bytes;
}

result<std::uint64_t> read_vk_count(byte_view file, const std::string& path) {
  CUZK_CHECK(check_begin(file, path));
  std::uint64_t at = vk_fixed_bytes, count = 0;
  CUZK_CHECK(read_count(file, path, section::vk, at, count));
  if (at != file.size())
    return damaged(path, bytes_text(file.size() - at) + " too many after the last point");
  return count;
}

result<key_layout> read_key_layout(byte_view file, const std::string& path) {
  CUZK_CHECK(check_begin(file, path));
  key_counts counts;
  std::uint64_t at = vk_fixed_bytes;
  CUZK_CHECK(read_count(file, path, section::vk, at, counts.ic));
  CUZK_CHECK(read_count(file, path, section::h, at, counts.h));
  CUZK_CHECK(read_count(file, path, section::l, at, counts.l));
  CUZK_CHECK(read_count(file, path, section::a, at, counts.a));
  CUZK_CHECK(read_count(file, path, section::b_g1, at, counts.b_g1));
  CUZK_CHECK(read_count(file, path, section::b_g2, at, counts.b_g2));
  if (at != file.size())
    return damaged(path, bytes_text(file.size() - at) + " too many after the last point");
  return key_layout(counts);
}

status check_counts(const key_counts& found, const key_counts& expected, const std::string& path) {
  for (const auto s : all_sections)
    if (found.of(s) != expected.of(s))
      return damaged(path, "section " + std::string(to_string(s)) + " has " + std::to_string(found.of(s)) +
                             " points, the circuit needs " + std::to_string(expected.of(s)) + " (file of " +
                             std::to_string(key_layout(found).file_bytes()) + " bytes, expected " +
                             std::to_string(key_layout(expected).file_bytes()) + ")");
  return ok();
}

} // namespace cuzk::groth16
