#pragma once
// Field arithmetic on x86-64 hosts: carry chains the compiler does not find. Included by field.hpp only.
// Sums and differences are baseline instructions, inlined. Products are calls (field_x86.cpp), since inlined they
// would overflow the instruction cache; the choice between MULX/ADX and portable is one predicted branch there.
// Results are stored limb by limb by the assembly itself: the compiler would gather them in vector registers through
// the stack, and a wide load right after narrow stores misses store forwarding (measured: 8 ns a product).
#include <cstdint>

namespace cuzk::x86 {

using limbs4 = std::uint64_t[4];
using limbs6 = std::uint64_t[6];

/// out = a * b / 2^(64 N) mod q in the field of that many limbs (4: Fr, 6: Fp). out may be a or b.
void mul(limbs4& out, const limbs4& a, const limbs4& b) noexcept;
void mul(limbs6& out, const limbs6& a, const limbs6& b) noexcept;

// clang-format off
// Lists of operands: every limb is a memory operand of its own, so that the compiler picks the addresses.
#define CUZK_IN4(name, x) [name##0] "m"(x[0]), [name##1] "m"(x[1]), [name##2] "m"(x[2]), [name##3] "m"(x[3])
#define CUZK_IN6(name, x) CUZK_IN4(name, x), [name##4] "m"(x[4]), [name##5] "m"(x[5])
#define CUZK_OUT4(x) [o0] "=m"(x[0]), [o1] "=m"(x[1]), [o2] "=m"(x[2]), [o3] "=m"(x[3])
#define CUZK_OUT6(x) CUZK_OUT4(x), [o4] "=m"(x[4]), [o5] "=m"(x[5])
#define CUZK_REG4(mode, name) [name##0] mode(name##0), [name##1] mode(name##1), [name##2] mode(name##2), [name##3] mode(name##3)
#define CUZK_REG6(mode, name) CUZK_REG4(mode, name), [name##4] mode(name##4), [name##5] mode(name##5)

/// out = a + b mod q: the sum, less q unless that borrows. out may be a or b.
[[gnu::always_inline]] inline void add(limbs4& out, const limbs4& a, const limbs4& b, const limbs4& q) noexcept {
  std::uint64_t t0, t1, t2, t3, s0, s1, s2, s3;
  asm("mov %[a0], %[t0]\n\t mov %[a1], %[t1]\n\t mov %[a2], %[t2]\n\t mov %[a3], %[t3]\n\t"
      "add %[b0], %[t0]\n\t adc %[b1], %[t1]\n\t adc %[b2], %[t2]\n\t adc %[b3], %[t3]"
      : CUZK_REG4("=&r", t) : CUZK_IN4(a, a), CUZK_IN4(b, b) : "cc");
  asm("mov %[t0], %[s0]\n\t mov %[t1], %[s1]\n\t mov %[t2], %[s2]\n\t mov %[t3], %[s3]\n\t"
      "sub %[q0], %[s0]\n\t sbb %[q1], %[s1]\n\t sbb %[q2], %[s2]\n\t sbb %[q3], %[s3]\n\t"
      "cmovc %[t0], %[s0]\n\t cmovc %[t1], %[s1]\n\t cmovc %[t2], %[s2]\n\t cmovc %[t3], %[s3]\n\t"
      "mov %[s0], %[o0]\n\t mov %[s1], %[o1]\n\t mov %[s2], %[o2]\n\t mov %[s3], %[o3]"
      : CUZK_REG4("=&r", s), CUZK_OUT4(out) : CUZK_REG4("r", t), CUZK_IN4(q, q) : "cc");
}

[[gnu::always_inline]] inline void add(limbs6& out, const limbs6& a, const limbs6& b, const limbs6& q) noexcept {
  std::uint64_t t0, t1, t2, t3, t4, t5, s0, s1, s2, s3, s4, s5;
  asm("mov %[a0], %[t0]\n\t mov %[a1], %[t1]\n\t mov %[a2], %[t2]\n\t"
      "mov %[a3], %[t3]\n\t mov %[a4], %[t4]\n\t mov %[a5], %[t5]\n\t"
      "add %[b0], %[t0]\n\t adc %[b1], %[t1]\n\t adc %[b2], %[t2]\n\t"
      "adc %[b3], %[t3]\n\t adc %[b4], %[t4]\n\t adc %[b5], %[t5]"
      : CUZK_REG6("=&r", t) : CUZK_IN6(a, a), CUZK_IN6(b, b) : "cc");
  asm("mov %[t0], %[s0]\n\t mov %[t1], %[s1]\n\t mov %[t2], %[s2]\n\t"
      "mov %[t3], %[s3]\n\t mov %[t4], %[s4]\n\t mov %[t5], %[s5]\n\t"
      "sub %[q0], %[s0]\n\t sbb %[q1], %[s1]\n\t sbb %[q2], %[s2]\n\t"
      "sbb %[q3], %[s3]\n\t sbb %[q4], %[s4]\n\t sbb %[q5], %[s5]\n\t"
      "cmovc %[t0], %[s0]\n\t cmovc %[t1], %[s1]\n\t cmovc %[t2], %[s2]\n\t"
      "cmovc %[t3], %[s3]\n\t cmovc %[t4], %[s4]\n\t cmovc %[t5], %[s5]\n\t"
      "mov %[s0], %[o0]\n\t mov %[s1], %[o1]\n\t mov %[s2], %[o2]\n\t"
      "mov %[s3], %[o3]\n\t mov %[s4], %[o4]\n\t mov %[s5], %[o5]"
      : CUZK_REG6("=&r", s), CUZK_OUT6(out) : CUZK_REG6("r", t), CUZK_IN6(q, q) : "cc");
}

/// out = a - b mod q: the difference, and q masked by the borrow added. out may be a or b.
[[gnu::always_inline]] inline void sub(limbs4& out, const limbs4& a, const limbs4& b, const limbs4& q) noexcept {
  std::uint64_t t0, t1, t2, t3, s0, s1, s2, s3;
  asm("mov %[a0], %[t0]\n\t mov %[a1], %[t1]\n\t mov %[a2], %[t2]\n\t mov %[a3], %[t3]\n\t"
      "sub %[b0], %[t0]\n\t sbb %[b1], %[t1]\n\t sbb %[b2], %[t2]\n\t sbb %[b3], %[t3]\n\t sbb %[s3], %[s3]"
      : CUZK_REG4("=&r", t), [s3] "=&r"(s3) : CUZK_IN4(a, a), CUZK_IN4(b, b) : "cc");
  asm("mov %[q0], %[s0]\n\t mov %[q1], %[s1]\n\t mov %[q2], %[s2]\n\t"
      "and %[s3], %[s0]\n\t and %[s3], %[s1]\n\t and %[s3], %[s2]\n\t and %[q3], %[s3]"
      : [s0] "=&r"(s0), [s1] "=&r"(s1), [s2] "=&r"(s2), [s3] "+&r"(s3) : CUZK_IN4(q, q) : "cc");
  asm("add %[t0], %[s0]\n\t adc %[t1], %[s1]\n\t adc %[t2], %[s2]\n\t adc %[t3], %[s3]\n\t"
      "mov %[s0], %[o0]\n\t mov %[s1], %[o1]\n\t mov %[s2], %[o2]\n\t mov %[s3], %[o3]"
      : CUZK_REG4("+&r", s), CUZK_OUT4(out) : CUZK_REG4("r", t) : "cc");
}

[[gnu::always_inline]] inline void sub(limbs6& out, const limbs6& a, const limbs6& b, const limbs6& q) noexcept {
  std::uint64_t t0, t1, t2, t3, t4, t5, s0, s1, s2, s3, s4, s5;
  asm("mov %[a0], %[t0]\n\t mov %[a1], %[t1]\n\t mov %[a2], %[t2]\n\t"
      "mov %[a3], %[t3]\n\t mov %[a4], %[t4]\n\t mov %[a5], %[t5]\n\t"
      "sub %[b0], %[t0]\n\t sbb %[b1], %[t1]\n\t sbb %[b2], %[t2]\n\t"
      "sbb %[b3], %[t3]\n\t sbb %[b4], %[t4]\n\t sbb %[b5], %[t5]\n\t sbb %[s5], %[s5]"
      : CUZK_REG6("=&r", t), [s5] "=&r"(s5) : CUZK_IN6(a, a), CUZK_IN6(b, b) : "cc");
  asm("mov %[q0], %[s0]\n\t mov %[q1], %[s1]\n\t mov %[q2], %[s2]\n\t mov %[q3], %[s3]\n\t mov %[q4], %[s4]\n\t"
      "and %[s5], %[s0]\n\t and %[s5], %[s1]\n\t and %[s5], %[s2]\n\t"
      "and %[s5], %[s3]\n\t and %[s5], %[s4]\n\t and %[q5], %[s5]"
      : CUZK_REG4("=&r", s), [s4] "=&r"(s4), [s5] "+&r"(s5) : CUZK_IN6(q, q) : "cc");
  asm("add %[t0], %[s0]\n\t adc %[t1], %[s1]\n\t adc %[t2], %[s2]\n\t"
      "adc %[t3], %[s3]\n\t adc %[t4], %[s4]\n\t adc %[t5], %[s5]\n\t"
      "mov %[s0], %[o0]\n\t mov %[s1], %[o1]\n\t mov %[s2], %[o2]\n\t"
      "mov %[s3], %[o3]\n\t mov %[s4], %[o4]\n\t mov %[s5], %[o5]"
      : CUZK_REG6("+&r", s), CUZK_OUT6(out) : CUZK_REG6("r", t) : "cc");
}

#undef CUZK_IN4
#undef CUZK_IN6
#undef CUZK_OUT4
#undef CUZK_OUT6
#undef CUZK_REG4
#undef CUZK_REG6
// clang-format on

} // namespace cuzk::x86
