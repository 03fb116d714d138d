#pragma once
// Transforms over Fr on the device, natural order in and out. No CUDA header.
#include "cuda/device/memory.hpp"
#include "cuda/ntt/plan.hpp"
#include "math/field.hpp"

#include <array>

namespace cuzk::cuda {

/// What a transform does beside changing its basis. w is the 2^lg-th root 7^((r-1)/2^lg).
enum class ntt_kind : std::uint8_t {
  forward,            ///< values at w^k from coefficients
  inverse,            ///< coefficients from values at w^k
  inverse_to_coset,   ///< the same, coefficient k times 7^k: ready for `forward` onto the coset of 7
  inverse_to_odd,     ///< coefficient k times z^k, z the 2^(lg+1)-th root: ready for the odd coset
  inverse_from_coset, ///< coefficients from values at 7 w^k
};
inline constexpr int ntt_kinds = 5;

/// Tables of one size, on the device. Made once; immutable, so that streams may share it.
class ntt_domain {
public:
  ntt_domain() = default;
  /// Queues the making of the tables for the kinds wanted; `s` must have passed before another stream uses them.
  /// Memory: 1 MiB and 8 MiB a kind at 2^27; see plan_ntt for largest_table_lg.
  /// Errors: bad_input (lg), resources, gpu_fault.
  static result<ntt_domain> create(int lg, std::initializer_list<ntt_kind> kinds, stream_handle s,
                                   int largest_table_lg = table_lg);
  const ntt_plan& plan() const noexcept { return plan_; }
  std::size_t device_bytes() const noexcept { return memory_.size(); }

  /// Queues a transform: `data` (2^lg values, lost) to `out`, which must not overlap. With `times`, every value of the
  /// result is multiplied by the one in its place.
  /// Errors: bad_input (a kind the domain was not made for), gpu_fault.
  status run(ntt_kind kind, fr* data, fr* out, stream_handle s, const fr* times = nullptr) const;

private:
  struct kind_tables {
    bool made = false;
    const fr* scale[4] = {}; ///< per pass: factor of frequency k, 2^bits of them; null for one
    const fr* table[4] = {}; ///< per pass: twiddles by k 2^stride_lg + column
  };
  ntt_plan plan_;
  device_memory memory_;
  const fr* roots_ = nullptr; ///< powers of the 2^9-th root
  const fr* low_ = nullptr;   ///< w^i, i < 2^14
  const fr* high_ = nullptr;  ///< w^(i 2^14)
  std::array<kind_tables, ntt_kinds> kinds_{};
};

} // namespace cuzk::cuda
