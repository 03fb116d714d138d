#pragma once
// A key and its circuit on the device: points in the order their sums want, matrices, tables of the transforms.
#include "cuda/backend/kernels.hpp"
#include "cuda/backend/proof_plan.hpp"
#include "cuda/backend/strand.hpp"
#include "cuda/evaluate/evaluate.hpp"
#include "cuda/ntt/ntt.hpp"
#include "groth16/proving_key.hpp"

#include <functional>
#include <memory>

namespace cuzk::cuda {

/// Immutable once loaded; proofs share it.
struct device_key {
  proof_plan plan;
  std::shared_ptr<const groth16::proving_key> key; ///< its vk finishes proofs
  device_memory memory;                     ///< points, matrices, tables: all of what follows but the transforms'
  std::array<const std::byte*, 5> points{}; ///< by array_of
  device_matrix a, b, c;                    ///< c on the way of seven transforms alone
  const std::uint32_t *a_wires = nullptr, *b_wires = nullptr; ///< wires of the scalars
  bit_choice a_bits, b_bits;                                  ///< `bits` is the proof's
  ntt_domain domain;

  const std::byte* of(array_of which) const { return points[static_cast<std::size_t>(which)]; }
};

/// Brings a key to a device in pieces of 8 MiB through pinned memory, on a stream and a strand of its own: proofs under
/// way go on. `done` is called once, on the loader's strand. Points in .params form are held against range and curve.
/// Errors told: params (damaged point, with file, section and number; a file that was written to); resources (memory of
/// the device: what is needed, what is free); gpu_fault.
void load_device_key(thread_pool& pool, int device, proof_plan plan, std::shared_ptr<const groth16::proving_key> key,
                     std::shared_ptr<const groth16::circuit> of,
                     std::function<void(result<std::shared_ptr<const device_key>>)> done);

} // namespace cuzk::cuda
