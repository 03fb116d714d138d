// Montgomery products on x86-64. One pass per limb of b: t += a b_i, then t = (t + m q) / 2^64 with m chosen to
// clear the lowest limb. Both moduli leave the top bit free, so t never needs a limb more than a (plus `top`).
// Low halves ride the OF chain (ADOX), high halves the CF chain (ADCX), so neither waits for the other.
#include "math/cpu_features.hpp"
#include "math/field.hpp"

#ifdef CUZK_FIELD_X86

namespace cuzk::x86 {
namespace {

// Read by the assembly relative to the instruction pointer: they take no register.
constexpr auto q4 = fr_params::modulus();
constexpr auto q6 = fp_params::modulus();
constexpr std::uint64_t inv4 = fr_params::inv, inv6 = fp_params::inv;

const bool has_adx = cpu().adx; // false until initialised: the portable path, which is right too

// clang-format off
// t_j += low(a_j b_i) + high(a_(j-1) b_i)
#define ROW_STEP(j, at)                                                                                                \
  "adcx %[top], %[t" #j "]\n\t mulx " #at "(%[a]), %[lo], %[top]\n\t adox %[lo], %[t" #j "]\n\t"
#define ROW_BEGIN(at)                                                                                                  \
  "mov " #at "(%[b]), %%rdx\n\t xor %k[lo], %k[lo]\n\t mulx (%[a]), %[lo], %[top]\n\t adox %[lo], %[t0]\n\t"
#define ROW_END "mov $0, %k[lo]\n\t adcx %[lo], %[top]\n\t adox %[lo], %[top]\n\t"
// The first row: nothing to add to.
#define FIRST_BEGIN "mov (%[b]), %%rdx\n\t mulx (%[a]), %[t0], %[t1]\n\t"
#define FIRST_STEP(add, j, next, at) "mulx " #at "(%[a]), %[lo], %[" #next "]\n\t " #add " %[lo], %[t" #j "]\n\t"
#define FIRST_END "adc $0, %[top]\n\t"
// t = (t + m q) / 2^64
#define FOLD_BEGIN                                                                                                     \
  "mov %[inv], %%rdx\n\t imul %[t0], %%rdx\n\t xor %k[lo], %k[lo]\n\t"                                                 \
  "mulx %[q0], %[lo], %[hi]\n\t adcx %[t0], %[lo]\n\t mov %[hi], %[t0]\n\t"
#define FOLD_STEP(j, prev)                                                                                             \
  "adcx %[t" #j "], %[t" #prev "]\n\t mulx %[q" #j "], %[lo], %[t" #j "]\n\t adox %[lo], %[t" #prev "]\n\t"
#define FOLD_END(last) "mov $0, %k[lo]\n\t adcx %[lo], %[t" #last "]\n\t adox %[top], %[t" #last "]\n\t"

#define FOLD4 FOLD_BEGIN FOLD_STEP(1, 0) FOLD_STEP(2, 1) FOLD_STEP(3, 2) FOLD_END(3)
#define ROW4(at) ROW_BEGIN(at) ROW_STEP(1, 8) ROW_STEP(2, 16) ROW_STEP(3, 24) ROW_END FOLD4
#define FIRST4                                                                                                         \
  FIRST_BEGIN FIRST_STEP(add, 1, t2, 8) FIRST_STEP(adc, 2, t3, 16) FIRST_STEP(adc, 3, top, 24) FIRST_END FOLD4
#define FOLD6                                                                                                          \
  FOLD_BEGIN FOLD_STEP(1, 0) FOLD_STEP(2, 1) FOLD_STEP(3, 2) FOLD_STEP(4, 3) FOLD_STEP(5, 4) FOLD_END(5)
#define ROW6(at)                                                                                                       \
  ROW_BEGIN(at) ROW_STEP(1, 8) ROW_STEP(2, 16) ROW_STEP(3, 24) ROW_STEP(4, 32) ROW_STEP(5, 40) ROW_END FOLD6
#define FIRST6                                                                                                         \
  FIRST_BEGIN FIRST_STEP(add, 1, t2, 8) FIRST_STEP(adc, 2, t3, 16) FIRST_STEP(adc, 3, t4, 24)                          \
  FIRST_STEP(adc, 4, t5, 32) FIRST_STEP(adc, 5, top, 40) FIRST_END FOLD6

void mul_adx(limbs4& out, const limbs4& a, const limbs4& b) noexcept {
  const std::uint64_t* pb = b;
  std::uint64_t t0, t1, t2, t3, top, lo, hi;
  asm volatile(FIRST4 ROW4(8) ROW4(16) ROW4(24)
      "mov %[t0], %[top]\n\t    mov %[t1], %[lo]\n\t     mov %[t2], %[hi]\n\t    mov %[t3], %[b]\n\t"
      "sub %[q0], %[top]\n\t    sbb %[q1], %[lo]\n\t     sbb %[q2], %[hi]\n\t    sbb %[q3], %[b]\n\t"
      "cmovnc %[top], %[t0]\n\t cmovnc %[lo], %[t1]\n\t  cmovnc %[hi], %[t2]\n\t cmovnc %[b], %[t3]\n\t"
      "mov %[t0], (%[o])\n\t    mov %[t1], 8(%[o])\n\t   mov %[t2], 16(%[o])\n\t mov %[t3], 24(%[o])"
      : [t0] "=&r"(t0), [t1] "=&r"(t1), [t2] "=&r"(t2), [t3] "=&r"(t3), [top] "=&r"(top), [lo] "=&r"(lo),
        [hi] "=&r"(hi), [b] "+&r"(pb)
      : [a] "r"(a), [o] "r"(out), [inv] "m"(inv4), [q0] "m"(q4.limb[0]), [q1] "m"(q4.limb[1]), [q2] "m"(q4.limb[2]),
        [q3] "m"(q4.limb[3])
      : "rdx", "cc", "memory");
}

void mul_adx(limbs6& out, const limbs6& a, const limbs6& b) noexcept {
  const std::uint64_t* pb = b;
  std::uint64_t t0, t1, t2, t3, t4, t5, top, lo, hi, s;
  asm volatile(FIRST6 ROW6(8) ROW6(16) ROW6(24) ROW6(32) ROW6(40)
      "mov %[t0], %[top]\n\t    mov %[t1], %[lo]\n\t     mov %[t2], %[hi]\n\t"
      "mov %[t3], %%rdx\n\t     mov %[t4], %[s]\n\t      mov %[t5], %[b]\n\t"
      "sub %[q0], %[top]\n\t    sbb %[q1], %[lo]\n\t     sbb %[q2], %[hi]\n\t"
      "sbb %[q3], %%rdx\n\t     sbb %[q4], %[s]\n\t      sbb %[q5], %[b]\n\t"
      "cmovnc %[top], %[t0]\n\t cmovnc %[lo], %[t1]\n\t  cmovnc %[hi], %[t2]\n\t"
      "cmovnc %%rdx, %[t3]\n\t  cmovnc %[s], %[t4]\n\t   cmovnc %[b], %[t5]\n\t"
      "mov %[t0], (%[o])\n\t    mov %[t1], 8(%[o])\n\t   mov %[t2], 16(%[o])\n\t"
      "mov %[t3], 24(%[o])\n\t  mov %[t4], 32(%[o])\n\t  mov %[t5], 40(%[o])"
      : [t0] "=&r"(t0), [t1] "=&r"(t1), [t2] "=&r"(t2), [t3] "=&r"(t3), [t4] "=&r"(t4), [t5] "=&r"(t5),
        [top] "=&r"(top), [lo] "=&r"(lo), [hi] "=&r"(hi), [s] "=&r"(s), [b] "+&r"(pb)
      : [a] "r"(a), [o] "r"(out), [inv] "m"(inv6), [q0] "m"(q6.limb[0]), [q1] "m"(q6.limb[1]), [q2] "m"(q6.limb[2]),
        [q3] "m"(q6.limb[3]), [q4] "m"(q6.limb[4]), [q5] "m"(q6.limb[5])
      : "rdx", "cc", "memory");
}
// clang-format on

// The portable text of field.hpp, out of line.
template <class F, class Limbs>
[[gnu::noinline]] void mul_portable(Limbs& out, const Limbs& a, const Limbs& b) noexcept {
  F x, y;
  for (int i = 0; i < F::limbs; ++i) {
    x.limb[i] = a[i];
    y.limb[i] = b[i];
  }
  const F product = F::mul_portable(x, y);
  for (int i = 0; i < F::limbs; ++i)
    out[i] = product.limb[i];
}

} // namespace

void mul(limbs4& out, const limbs4& a, const limbs4& b) noexcept {
  if (__builtin_expect(has_adx, true))
    mul_adx(out, a, b);
  else
    mul_portable<fr>(out, a, b);
}

void mul(limbs6& out, const limbs6& a, const limbs6& b) noexcept {
  if (__builtin_expect(has_adx, true))
    mul_adx(out, a, b);
  else
    mul_portable<fp>(out, a, b);
}

} // namespace cuzk::x86
#endif
