// What the fuzzers found, and seeds with damage by rule, in the usual suite: every target, every file of
// tests/data/fuzz/<target>, with its memory counted.
#include "tests/fuzz/targets.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <malloc.h>
#include <new>

namespace {

std::atomic<std::size_t> in_use{0}, most{0};

void* counted(void* p) {
  if (p == nullptr)
    throw std::bad_alloc();
  const auto now = in_use.fetch_add(malloc_usable_size(p)) + malloc_usable_size(p);
  for (auto seen = most.load(); now > seen && !most.compare_exchange_weak(seen, now);) {
  }
  return p;
}
void uncounted(void* p) {
  if (p != nullptr)
    in_use.fetch_sub(malloc_usable_size(p));
  std::free(p);
}

} // namespace

// Of this program alone.
void* operator new(std::size_t size) {
  return counted(std::malloc(size == 0 ? 1 : size));
}
void operator delete(void* p) noexcept {
  uncounted(p);
}
void operator delete(void* p, std::size_t) noexcept {
  uncounted(p);
}

using namespace cuzk;
using namespace cuzk::fuzz;

namespace {

/// Runs one input; says what was wrong.
std::string fault_of(const target& t, byte_view input) {
  const auto before = in_use.load();
  most = before;
  try {
    t.run(input);
  } catch (const std::logic_error& e) {
    return e.what();
  }
  const auto taken = most.load() - before, allowed = t.fixed_bytes + t.bytes_per_byte * input.size();
  if (taken > allowed)
    return std::to_string(taken) + " bytes of memory for an input of " + std::to_string(input.size());
  return "";
}

void replay(const target& t, byte_view input, const std::string& what) {
  const auto fault = fault_of(t, input);
  if (!fault.empty())
    FAIL(t.name << ", " << what << ": " << fault);
}

/// Cut off, a bit turned, a length of all ones, a piece twice: at places spread over the file.
void replay_damaged(const target& t, const bytes& seed, const std::string& what) {
  constexpr std::size_t places = 24;
  for (std::size_t k = 0; k < places && !seed.empty(); ++k) {
    const std::size_t at = k < 8 ? std::min(k * 4, seed.size() - 1) : (seed.size() - 1) * (k - 7) / (places - 7);
    const auto place = what + " damaged at " + std::to_string(at);
    replay(t, byte_view(seed).first(at), place + " (cut)");
    auto copy = seed;
    copy[at] ^= static_cast<std::uint8_t>(1u << (k % 8));
    replay(t, copy, place + " (bit)");
    copy = seed;
    for (std::size_t i = at; i < std::min(at + 8, copy.size()); ++i)
      copy[i] = 0xff;
    replay(t, copy, place + " (ones)");
    copy = seed;
    copy.insert(copy.begin() + static_cast<std::ptrdiff_t>(at), seed.begin(),
                seed.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(at, 64)));
    replay(t, copy, place + " (twice)");
  }
}

} // namespace

TEST_CASE("seeds pass their door, damaged ones are refused in order") {
  for (const auto& t : all_targets()) {
    const auto seeds = t.seeds();
    t.run(seeds[0]); // what is made once is no cost of an input
    std::size_t number = 0;
    for (const auto& seed : seeds) {
      const auto what = "seed " + std::to_string(number++);
      replay(t, seed, what);
      if (number <= 6)
        replay_damaged(t, seed, what);
    }
  }
}

TEST_CASE("what the fuzzers kept passes") {
  namespace fs = std::filesystem;
  std::size_t files = 0;
  for (const auto& t : all_targets()) {
    t.run(t.seeds()[0]);
    const fs::path folder = std::string(CUZK_TEST_DATA "/fuzz/") + t.name;
    if (!fs::exists(folder))
      continue;
    for (const auto& entry : fs::directory_iterator(folder)) {
      replay(t, test::read_file(entry.path().string()), entry.path().filename().string());
      ++files;
    }
  }
  CHECK(files > 0);
}

TEST_CASE("broken framing is refused at once") {
  for (const auto& t : all_targets()) {
    const auto seeds = t.seeds();
    t.run(seeds[0]);
    auto input = seeds[0];
    input.resize(input.size() / 2);
    auto best = std::chrono::steady_clock::duration::max();
    for (int i = 0; i < 5; ++i) { // the machine may be busy
      const auto start = std::chrono::steady_clock::now();
      t.run(input);
      best = std::min(best, std::chrono::steady_clock::now() - start);
    }
    INFO(t.name);
    CHECK(best < std::chrono::milliseconds(10));
  }
}
