// The door of libFuzzer: target and seeds are chosen by name at build time.
#include "tests/fuzz/targets.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace {

const cuzk::fuzz::target& chosen() {
  static const auto all = cuzk::fuzz::all_targets();
  for (const auto& t : all)
    if (std::strcmp(t.name, CUZK_FUZZ_TARGET) == 0)
      return t;
  std::abort();
}

} // namespace

/// CUZK_FUZZ_SEEDS names a folder: the seeds are written there and the program ends.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* folder = std::getenv("CUZK_FUZZ_SEEDS");
  if (folder == nullptr)
    return 0;
  int number = 0;
  for (const auto& seed : chosen().seeds())
    std::ofstream(std::string(folder) + "/seed-" + std::to_string(number++), std::ios::binary)
      .write(reinterpret_cast<const char*>(seed.data()), static_cast<std::streamsize>(seed.size()));
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen().run({data, size});
  return 0;
}
