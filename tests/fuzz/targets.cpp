#include "tests/fuzz/targets.hpp"

#include <algorithm>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>

namespace cuzk::fuzz {

std::vector<target> all_targets() {
  std::vector<target> out;
  for (const auto& list : {input_targets(), file_targets(), text_targets(), message_targets()})
    out.insert(out.end(), list.begin(), list.end());
  return out;
}

void expect(bool good, const std::string& what) {
  if (!good)
    throw std::logic_error(what);
}

void expect_refusal(const error& why, std::initializer_list<errc> codes) {
  const auto text = why.message();
  expect(std::find(codes.begin(), codes.end(), why.code) != codes.end(), "refused with another code: " + text);
  expect(!why.text.empty(), "a refusal without a reason");
  expect(text.size() < 4096, "a refusal of " + std::to_string(text.size()) + " bytes");
  for (const char c : text)
    expect(static_cast<unsigned char>(c) >= 0x20,
           "a refusal with control characters: " +
             to_hex({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
}

memory_file::memory_file(byte_view content) : fd_(::memfd_create("fuzz", MFD_CLOEXEC)) {
  expect(fd_ >= 0, "no memory file");
  for (std::size_t at = 0; at < content.size();) {
    const auto n = ::write(fd_, content.data() + at, content.size() - at);
    expect(n > 0, "a memory file takes no more");
    at += static_cast<std::size_t>(n);
  }
}
memory_file::~memory_file() {
  ::close(fd_);
}
std::string memory_file::path() const {
  return "/proc/self/fd/" + std::to_string(fd_);
}

} // namespace cuzk::fuzz
