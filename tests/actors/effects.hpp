#pragma once
// Looking for effects of a kind.
#include <variant>
#include <vector>

namespace cuzk::test {

template <class Effect, class Effects>
std::vector<Effect> of_kind(const Effects& effects) {
  std::vector<Effect> out;
  for (const auto& e : effects)
    if (const auto* x = std::get_if<Effect>(&e))
      out.push_back(*x);
  return out;
}

} // namespace cuzk::test
