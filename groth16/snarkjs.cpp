#include "groth16/snarkjs.hpp"

#include <algorithm>

namespace cuzk::groth16 {

namespace {

// A canonical integer in decimal, quoted.
template <class F>
std::string number(const F& x) {
  auto value = x.to_int();
  std::string digits;
  for (;;) {
    unsigned __int128 rest = 0;
    bool zero = true;
    for (int i = F::limbs - 1; i >= 0; --i) {
      rest = rest << 64 | value.limb[i];
      value.limb[i] = static_cast<std::uint64_t>(rest / 10);
      rest %= 10;
      zero = zero && value.limb[i] == 0;
    }
    digits += static_cast<char>('0' + static_cast<int>(rest));
    if (zero)
      break;
  }
  std::reverse(digits.begin(), digits.end());
  return "\"" + digits + "\"";
}

std::string number(const fp2& x) {
  return "[" + number(x.c0) + "," + number(x.c1) + "]";
}

std::string point(const g1_affine& p) {
  return "[" + number(p.x) + "," + number(p.y) + ",\"1\"]";
}

std::string point(const g2_affine& p) {
  return "[" + number(p.x) + "," + number(p.y) + ",[\"1\",\"0\"]]";
}

constexpr const char* head = R"("protocol":"groth16","curve":"bls12381")";

} // namespace

std::string snarkjs_key(const verifying_key& vk) {
  std::string out = std::string("{") + head + ",\"nPublic\":" + std::to_string(vk.ic.size() - 1);
  out += ",\"vk_alpha_1\":" + point(vk.alpha_g1) + ",\"vk_beta_2\":" + point(vk.beta_g2) +
         ",\"vk_gamma_2\":" + point(vk.gamma_g2) + ",\"vk_delta_2\":" + point(vk.delta_g2) + ",\"IC\":[";
  for (std::size_t i = 0; i < vk.ic.size(); ++i)
    out += (i == 0 ? "" : ",") + point(vk.ic[i]);
  return out + "]}";
}

std::string snarkjs_proof(const raw_proof& proof) {
  return std::string("{") + head + ",\"pi_a\":" + point(proof.a) + ",\"pi_b\":" + point(proof.b) +
         ",\"pi_c\":" + point(proof.c) + "}";
}

std::string snarkjs_inputs(std::span<const fr> inputs) {
  std::string out = "[";
  for (std::size_t i = 0; i < inputs.size(); ++i)
    out += (i == 0 ? "" : ",") + number(inputs[i]);
  return out + "]";
}

} // namespace cuzk::groth16
