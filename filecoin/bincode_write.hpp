#pragma once
// Vanilla proofs written in bincode, as the readers of bincode.hpp take them.
#include "filecoin/c1_output.hpp"
#include "runtime/base/hex.hpp"

#include <string>

namespace cuzk::filecoin {

bytes write_c1_bincode(const c1_output& c1);
bytes write_post_sector(const post_sector& sector, const sector_shape& shape);
bytes write_snap_partition(const snap_partition& partition, const sector_shape& shape);

} // namespace cuzk::filecoin
