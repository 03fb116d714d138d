#pragma once
// What the processor can do, found at run time. Nothing is compiled for one machine: the fast paths look here.
// The environment variable CUZK_CPU = portable | adx | ifma lowers the choice (never raises it): for tests.

namespace cuzk {

/// Instruction sets that some code here has a path for. All false elsewhere than on x86-64.
struct cpu_features {
  bool adx = false;        ///< BMI2 and ADX: MULX, ADCX, ADOX
  bool sha = false;        ///< SHA-NI with SSE 4.1
  bool avx512ifma = false; ///< AVX-512 F, DQ, BW, VL and IFMA, saved by the operating system
};

/// Asks the processor, then CUZK_CPU. `portable` leaves nothing, `adx` everything but AVX-512.
/// Cheap after the first call; the answer never changes while the process lives.
const cpu_features& cpu() noexcept;

/// The features of `found` that the level `name` allows; an unknown or empty name allows all.
cpu_features lowered(cpu_features found, const char* name) noexcept;

/// The level in use, for status and benchmarks: "portable", "adx" or "ifma".
const char* cpu_level() noexcept;

} // namespace cuzk
