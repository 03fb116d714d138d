#pragma once
// Prime fields in Montgomery form, one text for host and device.
// C++17 and self-contained: .cu files include it. A value is N 64-bit limbs, little endian, always below the modulus,
// holding x * 2^(64 N) mod modulus; the same bytes serve the device's 32-bit words.
#include "math/field_inverse.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#ifdef __CUDACC__
#define CUZK_HD __host__ __device__
#else
#define CUZK_HD
#endif

// Host code on x86-64 goes through field_x86.hpp, except in constant expressions, which know only the portable text,
// and in builds without optimisation, which leave too few registers to inline assembly.
#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(__CUDA_ARCH__)
#define CUZK_FIELD_X86 1
#define CUZK_ON_X86(...)                                                                                               \
  if (!__builtin_is_constant_evaluated())                                                                              \
  __VA_ARGS__
#include "math/field_x86.hpp"
#else
#define CUZK_ON_X86(...)
#endif

// Device code goes through field_device.cuh, again except in constant expressions.
#if defined(__CUDA_ARCH__)
#define CUZK_ON_DEVICE(...)                                                                                            \
  if (!__builtin_is_constant_evaluated())                                                                              \
  __VA_ARGS__
#else
#define CUZK_ON_DEVICE(...)
#endif

#ifdef __CUDACC__
namespace cuzk::device {
template <class F>
__device__ __forceinline__ F plus(const F& a, const F& b);
template <class F>
__device__ __forceinline__ F minus(const F& a, const F& b);
template <class F>
__device__ __forceinline__ F times(const F& a, const F& b);
} // namespace cuzk::device
#endif

namespace cuzk {

/// A canonical integer, N limbs, little endian; not reduced, not Montgomery.
template <int N>
struct big_int {
  std::uint64_t limb[N];
};

#ifdef CUZK_FIELD_X86
/// The modulus in memory; hidden, so that code reaches it without an address table.
template <class P>
[[gnu::visibility("hidden")]] inline constexpr big_int<P::limbs> modulus_of = P::modulus();
#endif

/// Element of the prime field of `P` (modulus, one = 2^(64N) mod q, r2 = its square, inv = -1/q mod 2^64).
template <class P>
struct alignas(P::limbs == 4 ? 32 : 16) field {
  using params = P;
  static constexpr int limbs = P::limbs;
  static constexpr std::size_t byte_size = 8 * limbs;
  std::uint64_t limb[limbs];

  CUZK_HD static constexpr field zero() { return field{}; }
  CUZK_HD static constexpr field one() { return raw(P::one()); }
  CUZK_HD static constexpr field raw(const big_int<limbs>& x) {
    field out{};
    for (int i = 0; i < limbs; ++i)
      out.limb[i] = x.limb[i];
    return out;
  }
  CUZK_HD static constexpr field from_u64(std::uint64_t x) {
    field out{};
    out.limb[0] = x;
    return out * raw(P::r2());
  }
  /// From an integer below the modulus.
  CUZK_HD static constexpr field from_int(const big_int<limbs>& x) { return raw(x) * raw(P::r2()); }
  /// The canonical integer in [0, modulus).
  CUZK_HD constexpr big_int<limbs> to_int() const {
    field unit{};
    unit.limb[0] = 1;
    const field plain = *this * unit;
    big_int<limbs> out{};
    for (int i = 0; i < limbs; ++i)
      out.limb[i] = plain.limb[i];
    return out;
  }

  CUZK_HD constexpr bool is_zero() const {
    std::uint64_t any = 0;
    for (int i = 0; i < limbs; ++i)
      any |= limb[i];
    return any == 0;
  }
  CUZK_HD friend constexpr bool operator==(const field& a, const field& b) {
    std::uint64_t diff = 0;
    for (int i = 0; i < limbs; ++i)
      diff |= a.limb[i] ^ b.limb[i];
    return diff == 0;
  }
  CUZK_HD friend constexpr bool operator!=(const field& a, const field& b) { return !(a == b); }

  CUZK_HD friend constexpr field operator+(const field& a, const field& b) {
    CUZK_ON_X86(return add_x86(a, b));
    CUZK_ON_DEVICE(return device::plus(a, b));
    return add_portable(a, b);
  }
  CUZK_HD friend constexpr field operator-(const field& a, const field& b) {
    CUZK_ON_X86(return sub_x86(a, b));
    CUZK_ON_DEVICE(return device::minus(a, b));
    return sub_portable(a, b);
  }
  CUZK_HD friend constexpr field operator*(const field& a, const field& b) {
    CUZK_ON_X86(return mul_x86(a, b));
    CUZK_ON_DEVICE(return device::times(a, b));
    return mul_portable(a, b);
  }
  CUZK_HD constexpr field operator-() const { return zero() - *this; }
  CUZK_HD constexpr field& operator+=(const field& b) {
    CUZK_ON_X86(return x86::add(limb, limb, b.limb, modulus_of<P>.limb), *this);
    CUZK_ON_DEVICE(return * this = device::plus(*this, b));
    return *this = add_portable(*this, b);
  }
  CUZK_HD constexpr field& operator-=(const field& b) {
    CUZK_ON_X86(return x86::sub(limb, limb, b.limb, modulus_of<P>.limb), *this);
    CUZK_ON_DEVICE(return * this = device::minus(*this, b));
    return *this = sub_portable(*this, b);
  }
  CUZK_HD constexpr field& operator*=(const field& b) {
    CUZK_ON_X86(return x86::mul(limb, limb, b.limb), *this);
    CUZK_ON_DEVICE(return * this = device::times(*this, b));
    return *this = mul_portable(*this, b);
  }
  CUZK_HD constexpr field square() const { return *this * *this; }
  CUZK_HD constexpr field doubled() const { return *this + *this; }

  /// this^e, e an integer of any length, limbs little endian.
  CUZK_HD constexpr field pow(const std::uint64_t* e, int e_limbs) const {
    field out = one();
    for (int i = 64 * e_limbs - 1; i >= 0; --i) {
      out = out.square();
      if (e[i / 64] >> (i % 64) & 1)
        out *= *this;
    }
    return out;
  }
  CUZK_HD constexpr field pow(std::uint64_t e) const { return pow(&e, 1); }
  /// 1/this; zero for zero. Variable time.
  CUZK_HD constexpr field inverse() const {
#ifndef __CUDA_ARCH__
    if (!__builtin_is_constant_evaluated())
      return inverse_gcd();
#endif
    return inverse_fermat();
  }
  CUZK_HD constexpr field inverse_fermat() const {
    auto e = P::modulus();
    e.limb[0] -= 2; // both moduli are odd and above 2, no borrow
    return pow(e.limb, limbs);
  }

  /// Whether an integer is below the modulus.
  CUZK_HD static constexpr bool is_canonical(const big_int<limbs>& x) {
    std::uint64_t borrow = 0;
    const auto q = P::modulus();
    for (int i = 0; i < limbs; ++i)
      sub_borrow(x.limb[i], q.limb[i], borrow);
    return borrow != 0;
  }

  // The text for every machine.
  CUZK_HD static constexpr field add_portable(const field& a, const field& b) {
    field out{};
    std::uint64_t carry = 0;
    for (int i = 0; i < limbs; ++i) {
      const std::uint64_t s = a.limb[i] + carry;
      carry = s < carry;
      out.limb[i] = s + b.limb[i];
      carry += out.limb[i] < s;
    }
    return out.reduce_once(); // both moduli leave the top bit free: no carry leaves the last limb
  }
  CUZK_HD static constexpr field sub_portable(const field& a, const field& b) {
    field out{};
    std::uint64_t borrow = 0;
    for (int i = 0; i < limbs; ++i)
      out.limb[i] = sub_borrow(a.limb[i], b.limb[i], borrow);
    const std::uint64_t mask = 0 - borrow;
    const auto q = P::modulus();
    std::uint64_t carry = 0;
    for (int i = 0; i < limbs; ++i) {
      const std::uint64_t s = out.limb[i] + carry;
      carry = s < carry;
      out.limb[i] = s + (q.limb[i] & mask);
      carry += out.limb[i] < s;
    }
    return out;
  }
  /// Montgomery product, operand scanning.
  CUZK_HD static constexpr field mul_portable(const field& a, const field& b) {
    using u128 = unsigned __int128;
    std::uint64_t t[limbs + 1] = {};
    const auto q = P::modulus();
    for (int i = 0; i < limbs; ++i) {
      u128 c = 0;
      for (int j = 0; j < limbs; ++j) {
        c += u128(a.limb[i]) * b.limb[j] + t[j];
        t[j] = std::uint64_t(c);
        c >>= 64;
      }
      t[limbs] += std::uint64_t(c);
      const std::uint64_t m = t[0] * P::inv;
      c = (u128(m) * q.limb[0] + t[0]) >> 64;
      for (int j = 1; j < limbs; ++j) {
        c += u128(m) * q.limb[j] + t[j];
        t[j - 1] = std::uint64_t(c);
        c >>= 64;
      }
      c += t[limbs];
      t[limbs - 1] = std::uint64_t(c);
      t[limbs] = std::uint64_t(c >> 64);
    }
    field out{};
    for (int i = 0; i < limbs; ++i)
      out.limb[i] = t[i];
    return out.reduce_once();
  }

private:
  // The inverse of the stored integer x 2^(64 N) lacks two such factors.
  field inverse_gcd() const {
    field out{};
    gcd::invert(out.limb, limb);
    return out * raw(P::r2()) * raw(P::r2());
  }
  CUZK_HD static constexpr std::uint64_t sub_borrow(std::uint64_t a, std::uint64_t b, std::uint64_t& borrow) {
    const std::uint64_t t = a - b;
    const std::uint64_t out = t - borrow;
    borrow = (a < b) | (t < borrow);
    return out;
  }
  CUZK_HD constexpr field reduce_once() const {
    const auto q = P::modulus();
    field out{};
    std::uint64_t borrow = 0;
    for (int i = 0; i < limbs; ++i)
      out.limb[i] = sub_borrow(limb[i], q.limb[i], borrow);
    return borrow ? *this : out;
  }
#ifdef CUZK_FIELD_X86
  [[gnu::always_inline]] static field add_x86(const field& a, const field& b) {
    field out;
    x86::add(out.limb, a.limb, b.limb, modulus_of<P>.limb);
    return out;
  }
  [[gnu::always_inline]] static field sub_x86(const field& a, const field& b) {
    field out;
    x86::sub(out.limb, a.limb, b.limb, modulus_of<P>.limb);
    return out;
  }
  [[gnu::always_inline]] static field mul_x86(const field& a, const field& b) {
    field out;
    x86::mul(out.limb, a.limb, b.limb);
    return out;
  }
#endif
};

/// r = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001, the order of G1 and G2.
struct fr_params {
  static constexpr int limbs = 4;
  static constexpr std::uint64_t inv = 0xfffffffeffffffff;
  CUZK_HD static constexpr big_int<4> modulus() {
    return {{0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48}};
  }
  /// 2^256 mod r
  CUZK_HD static constexpr big_int<4> one() {
    return {{0x00000001fffffffe, 0x5884b7fa00034802, 0x998c4fefecbc4ff5, 0x1824b159acc5056f}};
  }
  /// 2^512 mod r
  CUZK_HD static constexpr big_int<4> r2() {
    return {{0xc999e990f3f29c6d, 0x2b6cedcb87925c23, 0x05d314967254398f, 0x0748d9d99f59ff11}};
  }
};

/// p = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab
struct fp_params {
  static constexpr int limbs = 6;
  static constexpr std::uint64_t inv = 0x89f3fffcfffcfffd;
  CUZK_HD static constexpr big_int<6> modulus() {
    return {{0xb9feffffffffaaab, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624, 0x64774b84f38512bf, 0x4b1ba7b6434bacd7,
             0x1a0111ea397fe69a}};
  }
  /// 2^384 mod p
  CUZK_HD static constexpr big_int<6> one() {
    return {{0x760900000002fffd, 0xebf4000bc40c0002, 0x5f48985753c758ba, 0x77ce585370525745, 0x5c071a97a256ec6d,
             0x15f65ec3fa80e493}};
  }
  /// 2^768 mod p
  CUZK_HD static constexpr big_int<6> r2() {
    return {{0xf4df1f341c341746, 0x0a76e6a609d104f1, 0x8de5476c4c95b6d5, 0x67eb88a9939d83c0, 0x9a793e85b519952d,
             0x11988fe592cae3aa}};
  }
};

using fr = field<fr_params>;
using fp = field<fp_params>;

} // namespace cuzk

#ifdef __CUDACC__
#include "math/field_device.cuh"
#endif
