#pragma once
// Inverses in Fr and Fp on the host. Included by field.hpp only.
#include <cstdint>

namespace cuzk::gcd {

/// out = 1 / x mod q for plain integers x below q of the field of that many limbs (4: Fr, 6: Fp); zero for zero.
/// Variable time: nothing inverted here is a secret from whoever runs the node.
void invert(std::uint64_t (&out)[4], const std::uint64_t (&x)[4]) noexcept;
void invert(std::uint64_t (&out)[6], const std::uint64_t (&x)[6]) noexcept;

} // namespace cuzk::gcd
