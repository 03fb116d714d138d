#include "groth16/select_bits.hpp"

#include "math/cpu_features.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cuzk::groth16 {

namespace {

std::uint64_t gather_plain(std::uint64_t from, std::uint64_t chosen) {
  std::uint64_t out = 0;
  for (unsigned at = 0; chosen != 0; chosen &= chosen - 1, ++at)
    out |= std::uint64_t{(from & chosen & (~chosen + 1)) != 0} << at;
  return out;
}

#if defined(__x86_64__)
__attribute__((target("bmi2"))) std::uint64_t gather_bmi2(std::uint64_t from, std::uint64_t chosen) {
  return _pext_u64(from, chosen);
}
#endif

} // namespace

std::uint64_t gather_bits(std::uint64_t from, std::uint64_t chosen) noexcept {
#if defined(__x86_64__)
  if (cpu().adx)
    return gather_bmi2(from, chosen);
#endif
  return gather_plain(from, chosen);
}

} // namespace cuzk::groth16
