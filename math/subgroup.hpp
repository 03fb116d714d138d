#pragma once
// Membership in the subgroups of order r.
#include "math/curve.hpp"
#include "runtime/base/thread_pool.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace cuzk {

/// Whether a point of the curve lies in the subgroup of order r; infinity does.
/// The point must be on the curve (is_on_curve).
bool in_subgroup(const g1_affine& p);
bool in_subgroup(const g2_affine& p);

} // namespace cuzk
