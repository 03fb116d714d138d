#pragma once
// The vanilla checks of each kind, one unit of work at a time.
#include "filecoin/input.hpp"

#include <cstddef>

namespace cuzk::filecoin {

// A partition is checked in `units` independent pieces and a part that is done once.
// Errors: bad_input; `where` names the piece within the partition.

std::size_t porep_units(const porep_partition& partition);
status check_porep_head(const job_input& job, std::size_t k);
status check_porep_unit(const job_input& job, std::size_t k, std::size_t unit);

std::size_t post_units(const post_partition& partition);
status check_post_head(const job_input& job, std::size_t k);
status check_post_unit(const job_input& job, std::size_t k, std::size_t unit);

std::size_t snap_units(const snap_partition& partition);
status check_snap_head(const job_input& job, std::size_t k);
status check_snap_unit(const job_input& job, std::size_t k, std::size_t unit);

} // namespace cuzk::filecoin
