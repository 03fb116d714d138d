#pragma once
// The doors that bytes of strangers come through, each as one function of bytes. libFuzzer drives them (tools/fuzz.sh),
// and replay_test runs what was found and seeds made by rule in the usual suite.
#include "runtime/base/error.hpp"
#include "runtime/base/hex.hpp"

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace cuzk::fuzz {

struct target {
  const char* name;
  /// Reads the bytes as its door does and holds what came of it against what must be true. Throws std::logic_error.
  void (*run)(byte_view input);
  /// Inputs near which it is worth looking: good files, made by rule or from tests/data.
  std::vector<bytes> (*seeds)();
  /// Memory that reading may take at most: a fixed part and a multiple of the input.
  std::size_t fixed_bytes, bytes_per_byte;
};

std::span<const target> input_targets();
std::span<const target> file_targets();
std::span<const target> text_targets();
std::span<const target> message_targets();
/// All of the above.
std::vector<target> all_targets();

/// Throws when `good` is false.
void expect(bool good, const std::string& what);
/// A refusal has one of these codes and a text that can be printed, short enough for a log line.
void expect_refusal(const error& why, std::initializer_list<errc> codes);

/// A file of the process's own memory, for doors that take a path.
class memory_file {
public:
  explicit memory_file(byte_view content);
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;
  ~memory_file();
  std::string path() const;

private:
  int fd_;
};

} // namespace cuzk::fuzz
