#pragma once
// Who multiplies a key's generators by many scalars: the processor here, a device in cuda/.
#include "math/curve.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/thread_pool.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace cuzk::groth16 {

/// How points are written: big-endian as in .params, or in Montgomery form as in derived keys. 96 bytes in G1, 192 in
/// G2.
enum class point_form : std::uint8_t { uncompressed, montgomery };

class multiples {
public:
  virtual ~multiples() = default;
  /// Scalars of one call, at most.
  virtual std::size_t piece() const = 0;
  /// The multiples of the generator of G1, or G2, by the scalars, in order. `out` has their size.
  /// Errors: resources, gpu_fault.
  virtual status g1(std::span<const fr> scalars, point_form form, std::span<std::uint8_t> out) = 0;
  virtual status g2(std::span<const fr> scalars, point_form form, std::span<std::uint8_t> out) = 0;
};

/// The generators, and about how many multiples will be asked for.
struct generators {
  g1_affine g1;
  g2_affine g2;
  std::size_t g1_count = 0, g2_count = 0;
};

using multiples_of = std::function<result<std::unique_ptr<multiples>>(const generators&)>;

/// By the processor, with tables of windows. The pool must outlive what it returns.
multiples_of multiples_on(thread_pool& pool);

} // namespace cuzk::groth16
