#pragma once
// Reads the reference vectors of tests/data (see the README there).
#include "runtime/base/hex.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace cuzk::test {

inline std::string vector_path(const std::string& name) {
  return std::string(CUZK_TEST_DATA "/vectors/") + name;
}

inline bytes read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw std::runtime_error("cannot open " + path);
  return bytes(std::istreambuf_iterator<char>(in), {});
}

/// tests/data/vectors/<name> as JSON.
inline nlohmann::json read_vectors(const std::string& name) {
  const auto text = read_file(vector_path(name));
  return nlohmann::json::parse(text.begin(), text.end());
}

/// Hex known to be good.
inline bytes unhex(const std::string& text) {
  auto out = from_hex(text);
  if (!out)
    throw std::runtime_error(out.err().message());
  return *std::move(out);
}

} // namespace cuzk::test
