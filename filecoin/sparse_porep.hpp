#pragma once
// PoRep inputs of any size without a sector: sealed just where the challenges look.
#include "filecoin/c1_output.hpp"
#include "filecoin/filler.hpp"
#include "filecoin/sealing.hpp"

namespace cuzk::filecoin {

/// The C1 output of an interactive PoRep over zero data. Order of the commitments: comm_d of zeros is known, with it
/// the replica id, with it and `seed` the challenges; labels of the challenged nodes are real over free labels of
/// their parents, and trees C and R lead from the opened nodes, beside free subtrees, to comm_r.
/// All vanilla checks hold, and with them the circuit. Synthetic and non-interactive challenges depend on comm_r, which
/// depends on what is opened: those need a whole sector.
/// Cost at 32 GiB: about 2,700 columns and paths, one to two seconds of a core. Any size, `order.api` too.
c1_output make_sparse_c1(const sealing_order& order, const digest& seed, const filler& free, thread_pool& pool);

} // namespace cuzk::filecoin
