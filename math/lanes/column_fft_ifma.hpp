#pragma once
// The AVX-512 path of column_fft, and constants in its form.
#include "math/lanes/column_fft.hpp"

namespace cuzk::lanes {

/// Appends w * 2^260 mod r as five limbs of 52 bits.
void append_limbs52(std::vector<std::uint64_t>& out, const fr& w);
/// Only where cpu().avx512ifma; elsewhere it must not be called.
void column_fft_ifma(const root_table& roots, const column_job& job, void* scratch);

} // namespace cuzk::lanes
