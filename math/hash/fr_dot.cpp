#include "math/hash/fr_dot.hpp"

#include "math/cpu_features.hpp"

namespace cuzk {
namespace {

using u64 = std::uint64_t;
using u128 = unsigned __int128;
constexpr auto q = fr_params::modulus();

/// x < 64 r of five limbs -> x mod r.
fr below_modulus(const u64* x) {
  // k = floor(x / 2^198) / (floor(r / 2^198) + 1) is the quotient or one less: both parts keep 57 bits or more.
  constexpr u64 divisor = (fr_params::modulus().limb[3] >> 6) + 1;
  const u64 k = (x[4] << 58 | x[3] >> 6) / divisor;
  u64 borrow = 0, carry = 0;
  fr out{};
  for (int i = 0; i < 4; ++i) {
    const u128 p = u128(k) * q.limb[i] + carry;
    carry = u64(p >> 64);
    const u128 d = u128(x[i]) - u64(p) - borrow;
    out.limb[i] = u64(d);
    borrow = u64(d >> 64) & 1;
  }
  return out + fr::zero(); // below 2 r by now; the addition reduces once
}

/// t += x * b
void add_row(u64* t, u64 x, const u64* b) {
  u128 c = 0;
  for (int j = 0; j < 4; ++j) {
    c += u128(x) * b[j] + t[j];
    t[j] = u64(c);
    c >>= 64;
  }
  c += t[4];
  t[4] = u64(c);
  t[5] += u64(c >> 64);
}

#if defined(__x86_64__)
const bool has_adx = cpu().adx; // false until initialised: the portable path, which is right too

// The six limbs live in registers. Low halves ride the CF chain (ADCX), high halves the OF chain (ADOX).
#define CUZK_ROW_STEP(at, j, next)                                                                                     \
  "mulx " #at "(%[b]), %[lo], %[hi]\n\t adcx %[lo], %[t" #j "]\n\t adox %[hi], %[t" #next "]\n\t"
#define CUZK_ADD_ROW(x, row)                                                                                           \
  asm("xor %k[lo], %k[lo]\n\t" CUZK_ROW_STEP(0, 0, 1) CUZK_ROW_STEP(8, 1, 2) CUZK_ROW_STEP(16, 2, 3)                   \
        CUZK_ROW_STEP(24, 3, 4) "mov $0, %k[lo]\n\t adcx %[lo], %[t4]\n\t adox %[lo], %[t5]\n\t adcx %[lo], %[t5]"     \
      : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3), [t4] "+&r"(t4), [t5] "+&r"(t5),                \
        [lo] "=&r"(lo), [hi] "=&r"(hi)                                                                                 \
      : "d"(x), [b] "r"(row), "m"(*reinterpret_cast<const u64(*)[4]>(row))                                             \
      : "cc")

fr dot_adx(const fr* a, const fr* b, unsigned n) {
  u64 t0 = 0, t1 = 0, t2 = 0, t3 = 0, t4 = 0, t5 = 0, lo, hi;
  for (unsigned limb = 0; limb < 4; ++limb) {
    for (unsigned i = 0; i < n; ++i)
      CUZK_ADD_ROW(a[i].limb[limb], b[i].limb);
    const u64 m = t0 * fr_params::inv;
    CUZK_ADD_ROW(m, q.limb);
    t0 = t1, t1 = t2, t2 = t3, t3 = t4, t4 = t5, t5 = 0;
  }
  const u64 x[5] = {t0, t1, t2, t3, t4};
  return below_modulus(x);
}
#undef CUZK_ADD_ROW
#undef CUZK_ROW_STEP
#endif

} // namespace

fr fr_dot_portable(const fr* a, const fr* b, unsigned n) noexcept {
  u64 t[6] = {};
  for (unsigned limb = 0; limb < 4; ++limb) {
    for (unsigned i = 0; i < n; ++i)
      add_row(t, a[i].limb[limb], b[i].limb);
    add_row(t, t[0] * fr_params::inv, q.limb);
    for (int j = 0; j < 5; ++j)
      t[j] = t[j + 1];
    t[5] = 0;
  }
  return below_modulus(t);
}

fr fr_dot(const fr* a, const fr* b, unsigned n) noexcept {
#if defined(__x86_64__)
  if (has_adx)
    return dot_adx(a, b, n);
#endif
  return fr_dot_portable(a, b, n);
}

} // namespace cuzk
