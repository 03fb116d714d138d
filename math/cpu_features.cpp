#include "math/cpu_features.hpp"

#include <cstdlib>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace cuzk {
namespace {

#if defined(__x86_64__)
constexpr unsigned ebx_bmi2 = 1u << 8, ebx_adx = 1u << 19, ebx_sha = 1u << 29; // CPUID leaf 7

cpu_features detect() {
  cpu_features found;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0)
    return found;
  __builtin_cpu_init();
  found.adx = (ebx & ebx_bmi2) && (ebx & ebx_adx);
  found.sha = (ebx & ebx_sha) && __builtin_cpu_supports("sse4.1");
  found.avx512ifma = found.adx && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                     __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                     __builtin_cpu_supports("avx512ifma");
  return found;
}
#else
cpu_features detect() {
  return {};
}
#endif

} // namespace

cpu_features lowered(cpu_features found, const char* name) noexcept {
  if (name == nullptr)
    return found;
  if (std::strcmp(name, "portable") == 0)
    return {};
  if (std::strcmp(name, "adx") == 0)
    found.avx512ifma = false;
  return found;
}

const cpu_features& cpu() noexcept {
  static const cpu_features found = lowered(detect(), std::getenv("CUZK_CPU"));
  return found;
}

const char* cpu_level() noexcept {
  return cpu().avx512ifma ? "ifma" : cpu().adx ? "adx" : "portable";
}

} // namespace cuzk
