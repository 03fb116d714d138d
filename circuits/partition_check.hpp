#pragma once
// Whether a vanilla partition can fill a circuit: counts and field range, nothing that needs a hash.
#include "filecoin/shapes.hpp"
#include "filecoin/vanilla.hpp"
#include "runtime/base/error.hpp"

namespace cuzk::circuits {

/// Errors of all three: bad_input with the place inside the partition ("challenges[1].tree_d.siblings[3]").
status check_partition(const filecoin::sector_shape& shape, const filecoin::porep_partition& partition);
status check_partition(const filecoin::tree_shape& tree, const filecoin::post_shape& shape,
                       const filecoin::post_partition& partition);
status check_partition(const filecoin::sector_shape& shape, const filecoin::snap_partition& partition);

} // namespace cuzk::circuits
