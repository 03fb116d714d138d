#include "filecoin/fr32.hpp"

#include "filecoin/snap.hpp"
#include "math/hash/sha256.hpp"

#include <bit>

namespace cuzk::filecoin {
namespace {

/// Root over zero nodes of that many bytes.
digest zero_root(std::uint64_t padded_size) {
  digest node{};
  for (std::uint64_t size = 32; size < padded_size; size *= 2)
    node = sha256_node(node, node);
  return node;
}

/// Joins equal neighbours from the end of the list.
void merge(std::vector<piece>& stack) {
  while (stack.size() > 1 && stack[stack.size() - 2].padded_size == stack.back().padded_size) {
    const piece right = stack.back();
    stack.pop_back();
    stack.back() = {sha256_node(stack.back().comm_p, right.comm_p), 2 * right.padded_size};
  }
}

void add_zeros(std::vector<piece>& stack, std::uint64_t size) {
  stack.push_back({zero_root(size), size});
  merge(stack);
}

} // namespace

result<std::vector<digest>> fr32_pad(byte_view data) {
  if (data.size() % 127 != 0)
    return bad_input("data", std::to_string(data.size()) + " bytes; expected a multiple of 127");
  std::vector<digest> out(data.size() / 127 * 4, digest{});
  for (std::size_t n = 0; n < out.size(); ++n) {
    const std::size_t first = 254 * n; // bit; a node takes 32 bytes from there, the last six bits of which are cut
    for (std::size_t i = 0; i < 32; ++i) {
      const std::size_t at = (first + 8 * i) / 8, shift = first % 8;
      const std::uint32_t next = shift != 0 && at + 1 < data.size() ? data[at + 1] : 0u;
      out[n][i] = static_cast<std::uint8_t>((data[at] | next << 8) >> shift);
    }
    out[n] = trimmed(out[n]);
  }
  return out;
}

result<bytes> fr32_unpad(std::span<const digest> nodes) {
  if (nodes.size() % 4 != 0)
    return bad_input("nodes", std::to_string(nodes.size()) + " nodes; expected a multiple of 4");
  bytes out(nodes.size() / 4 * 127, 0);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n] != trimmed(nodes[n]))
      return bad_input("node " + std::to_string(n), "its two top bits are not clear");
    const std::size_t first = 254 * n, shift = first % 8;
    for (std::size_t i = 0; i < 32; ++i) {
      const std::size_t at = (first + 8 * i) / 8;
      const std::uint32_t word = std::uint32_t(nodes[n][i]) << shift;
      if (at < out.size())
        out[at] = static_cast<std::uint8_t>(out[at] | word);
      if (at + 1 < out.size())
        out[at + 1] = static_cast<std::uint8_t>(out[at + 1] | word >> 8);
    }
  }
  return out;
}

piece piece_of(std::vector<digest> nodes) {
  const std::uint64_t size = 32 * nodes.size();
  return {sha256_root(std::move(nodes)), size};
}

result<digest> comm_d_of(std::span<const piece> pieces, std::uint64_t sector_bytes) {
  std::vector<piece> stack;
  std::uint64_t filled = 0;
  for (const auto& p : pieces) {
    if (p.padded_size < 128 || !std::has_single_bit(p.padded_size))
      return bad_input("piece", std::to_string(p.padded_size) + " bytes; expected a power of two of at least 128");
    while (filled % p.padded_size != 0) { // a piece begins at a multiple of its size
      const std::uint64_t gap = filled & (0 - filled);
      add_zeros(stack, gap);
      filled += gap;
    }
    stack.push_back(p);
    merge(stack);
    filled += p.padded_size;
  }
  if (filled > sector_bytes)
    return bad_input("pieces", std::to_string(filled) + " bytes with alignment; the sector holds " +
                                 std::to_string(sector_bytes));
  if (filled == 0)
    return zero_root(sector_bytes);
  while (filled < sector_bytes) {
    const std::uint64_t gap = filled & (0 - filled);
    add_zeros(stack, gap);
    filled += gap;
  }
  return stack.front().comm_p;
}

} // namespace cuzk::filecoin
