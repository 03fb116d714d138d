#pragma once
// Bit strings taken apart: those bits of one string that another one selects.
#include <cstdint>
#include <span>
#include <vector>

namespace cuzk::groth16 {

/// Sixty-four bits of `words` from bit `at` on; bits past the end are zero.
inline std::uint64_t bits_at(std::span<const std::uint64_t> words, std::uint64_t at) {
  const std::uint64_t word = at / 64, shift = at % 64;
  std::uint64_t out = word < words.size() ? words[word] >> shift : 0;
  if (shift != 0 && word + 1 < words.size())
    out |= words[word + 1] << (64 - shift);
  return out;
}

/// The bits of `from` where `chosen` has a one, moved together at the low end.
std::uint64_t gather_bits(std::uint64_t from, std::uint64_t chosen) noexcept;

/// A bit string that grows at its end. The size is known before.
class bit_string {
public:
  explicit bit_string(std::uint64_t count) : words_((count + 63) / 64, 0) {}
  /// Appends the low `count` bits, 0 to 64; the others must be zero.
  void append(std::uint64_t bits, unsigned count) {
    const std::uint64_t word = size_ / 64, shift = size_ % 64;
    if (count == 0)
      return;
    words_[word] |= bits << shift;
    if (shift + count > 64)
      words_[word + 1] |= bits >> (64 - shift);
    size_ += count;
  }
  /// Appends zeros.
  void skip(std::uint64_t count) { size_ += count; }
  std::vector<std::uint64_t> finish() && { return std::move(words_); }

private:
  std::vector<std::uint64_t> words_;
  std::uint64_t size_ = 0;
};

} // namespace cuzk::groth16
