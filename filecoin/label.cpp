#include "filecoin/label.hpp"

#include <algorithm>
#include <array>

namespace cuzk::filecoin {

digest label_of(const digest& replica_id, std::uint32_t layer, std::uint64_t node, std::span<const digest> parents) {
  std::array<std::uint8_t, 64> head{};
  std::copy(replica_id.begin(), replica_id.end(), head.begin());
  for (int i = 0; i < 4; ++i)
    head[32 + i] = static_cast<std::uint8_t>(layer >> (24 - 8 * i));
  for (int i = 0; i < 8; ++i)
    head[36 + i] = static_cast<std::uint8_t>(node >> (56 - 8 * i));
  sha256 hash;
  hash.update(head);
  static_assert(sizeof(digest) == 32);
  if (!parents.empty())
    hash.update({parents.front().data(), 32 * parents.size()});
  return trimmed(hash.finish());
}

} // namespace cuzk::filecoin
