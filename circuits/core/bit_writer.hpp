#pragma once
// Appends bits to a range of a shared bit string.
#include <atomic>
#include <bit>
#include <cstdint>

namespace cuzk {

/// Writes bits [begin, end) of a string of zeros, up to 64 at a time. Writers of neighbouring ranges may run on several
/// threads: the words they share are changed by atomic or.
class bit_writer {
public:
  bit_writer(std::uint64_t* words, std::uint64_t begin, std::uint64_t end)
    : words_(words), position_(begin), end_(end), first_word_(begin / 64) {}

  /// Appends the low n bits of value, 1 <= n <= 64; the bits above must be zero. Past the end nothing is written.
  void put(std::uint64_t value, unsigned n) {
    if (end_ - position_ < n) {
      overflow_ = true;
      return;
    }
    const unsigned fill = position_ % 64;
    current_ |= value << fill;
    if (fill + n >= 64) {
      store(position_ / 64);
      current_ = fill == 0 ? 0 : value >> (64 - fill);
    }
    position_ += n;
  }

  /// Writes what is pending. True when the range was filled exactly.
  bool finish() {
    if (position_ % 64 != 0 && !finished_)
      merge(position_ / 64);
    finished_ = true;
    return !overflow_ && position_ == end_;
  }

private:
  void store(std::uint64_t word) {
    if (word == first_word_)
      merge(word);
    else
      words_[word] = current_;
  }
  void merge(std::uint64_t word) {
    std::atomic_ref<std::uint64_t>(words_[word]).fetch_or(current_, std::memory_order_relaxed);
  }

  std::uint64_t* words_;
  std::uint64_t position_;
  std::uint64_t end_;
  std::uint64_t first_word_;
  std::uint64_t current_ = 0;
  bool overflow_ = false;
  bool finished_ = false;
};

} // namespace cuzk
