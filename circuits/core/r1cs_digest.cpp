#include "circuits/core/r1cs_digest.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

namespace cuzk {
namespace {

constexpr std::size_t flush_at = 1 << 14; // bytes gathered before they are hashed
constexpr std::size_t term_bytes = 41;

std::uint8_t* put_u64(std::uint8_t* out, std::uint64_t x) {
  for (int shift = 56; shift >= 0; shift -= 8)
    *out++ = static_cast<std::uint8_t>(x >> shift);
  return out;
}

std::uint8_t* put_side(std::uint8_t* out, std::span<const term> side, const coefficient_pool& pool) {
  out = put_u64(out, side.size());
  for (const auto& t : side) {
    *out++ = is_aux(t.var) ? 'A' : 'I';
    out = put_u64(out, index_of(t.var));
    std::memcpy(out, pool.big_endian(t.coefficient).data(), 32);
    out += 32;
  }
  return out;
}

void append_row(std::vector<std::uint8_t>& buffer, const r1cs_row& row, const coefficient_pool& pool) {
  const auto begin = buffer.size();
  buffer.resize(begin + 24 + term_bytes * (row.a.size() + row.b.size() + row.c.size()));
  auto* out = put_side(buffer.data() + begin, row.a, pool);
  out = put_side(out, row.b, pool);
  put_side(out, row.c, pool);
}

digest finished(blake2s hash) {
  digest out;
  hash.finish(out);
  return out;
}

std::string text_of(const r1cs_size& s) {
  return std::to_string(s.inputs) + " inputs, " + std::to_string(s.aux) + " aux, " + std::to_string(s.rows) + " rows";
}

} // namespace

r1cs_digest::r1cs_digest(const r1cs_size& promised) : promised_(promised) {
  std::uint8_t header[24];
  put_u64(put_u64(put_u64(header, promised.inputs), promised.aux), promised.rows);
  hash_.update(header);
}

void r1cs_digest::row(const r1cs_row& row, const coefficient_pool& pool) {
  append_row(buffer_, row, pool);
  if (buffer_.size() >= flush_at) {
    hash_.update(buffer_);
    buffer_.clear();
  }
}

result<digest> r1cs_digest::finish(const r1cs_size& actual) {
  if (actual != promised_)
    return internal_error("circuit has " + text_of(actual) + ", announced were " + text_of(promised_));
  hash_.update(buffer_);
  return finished(hash_);
}

r1cs_prefix_digests::r1cs_prefix_digests(std::span<const std::uint64_t> rows) : wanted_(rows.begin(), rows.end()) {
  std::sort(wanted_.begin(), wanted_.end(), std::greater<>());
  wanted_.erase(std::unique(wanted_.begin(), wanted_.end()), wanted_.end());
}

void r1cs_prefix_digests::row(const r1cs_row& row, const coefficient_pool& pool) {
  if (wanted_.empty())
    return;
  append_row(buffer_, row, pool);
  const bool wanted = ++rows_ == wanted_.back();
  if (wanted || buffer_.size() >= flush_at) {
    hash_.update(buffer_);
    buffer_.clear();
  }
  if (wanted) {
    digests_[rows_] = finished(hash_);
    wanted_.pop_back();
  }
}

} // namespace cuzk
