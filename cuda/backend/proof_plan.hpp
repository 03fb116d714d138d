#pragma once
// How a proof of one circuit is laid out on a device: plans of its sums, places in the scratch of each stream, bytes in
// all. Pure arithmetic, no GPU.
#include "cuda/masked/masked.hpp"
#include "cuda/msm/plan.hpp"
#include "groth16/backend.hpp"
#include "groth16/circuit.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace cuzk::cuda {

/// What is planned for.
struct device_shape {
  int multiprocessors = 132;
  std::size_t memory_bytes = std::size_t{140} << 30; ///< of the device; larger scratch makes large sums faster
};

/// Points of an array and what they meet, in the order they lie on the device: those that meet scalars, then bits.
struct array_plan {
  curve_group group = curve_group::g1;
  std::uint32_t scalars = 0, bits = 0;
  msm_plan msm;                             ///< when scalars > 0
  masked_plan masked;                       ///< when bits > 0
  std::size_t msm_ends = 0, masked_sum = 0; ///< places in the results
  std::size_t points() const { return std::size_t{scalars} + bits; }
  std::size_t point_bytes() const { return group == curve_group::g1 ? sizeof(g1_affine) : sizeof(g2_affine); }
  std::size_t bytes() const { return points() * point_bytes(); }
  std::size_t scratch_bytes() const;
  std::size_t mask_words() const { return (std::size_t{bits} + 63) / 64 * 2 + 2; } ///< of 32 bits
};

enum class array_of : std::uint8_t { h, l, a, b_g1, b_g2 };
inline constexpr std::array<array_of, 5> all_arrays = {array_of::h, array_of::l, array_of::a, array_of::b_g1,
                                                       array_of::b_g2};

/// Scratch of a stream: mask and scalars of an array in turn, then the scratch of a sum.
struct stream_scratch {
  std::size_t mask = 0, scalars = 0, work = 0, bytes = 0;
};

struct proof_plan {
  bool derived = false;
  int lg = 0; ///< of the domain
  wire_counts wires;
  std::array<array_plan, 5> arrays; ///< by array_of. h: scalars alone. l: on the derived way the inputs' points first
  /// Main stream: three arrays of the domain, then the scratch of the sum over h.
  std::size_t first = 0, second = 0, other = 0, h_work = 0, main_bytes = 0;
  stream_scratch g1, g2;
  std::size_t witness_bits = 0, witness_bytes = 0; ///< values (inputs, fields), then bits at `witness_bits`
  std::size_t result_bytes = 0;                    ///< pinned, of one proof
  std::size_t point_bytes = 0, matrix_bytes = 0;   ///< held between proofs

  const array_plan& of(array_of which) const { return arrays[static_cast<std::size_t>(which)]; }
  /// Scratch of all streams together.
  std::size_t scratch_bytes() const { return main_bytes + g1.bytes + g2.bytes; }
};

/// Errors: bad_input (sizes outside what the kernels take).
result<proof_plan> plan_proof(const groth16::circuit& of, bool derived, const device_shape& device);

} // namespace cuzk::cuda
