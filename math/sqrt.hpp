#pragma once
// Square roots in Fr, Fp and Fp2.
#include "math/fp2.hpp"

#include <optional>

namespace cuzk {

/// One of the two roots, or nothing when there is none.
std::optional<fp> square_root(const fp& a);
std::optional<fp2> square_root(const fp2& a);
/// Tonelli and Shanks, slow (2-adicity 32); nothing hot needs it.
std::optional<fr> square_root(const fr& a);

} // namespace cuzk
