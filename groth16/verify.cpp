#include "groth16/verify.hpp"

#include "groth16/random.hpp"
#include "math/encoding.hpp"
#include "math/field_bytes.hpp"
#include "math/pairing.hpp"

#include <algorithm>

namespace cuzk::groth16 {

proof_bytes encode_proof(const raw_proof& proof) {
  proof_bytes out;
  write_compressed(proof.a, std::span(out).subspan<0, 48>());
  write_compressed(proof.b, std::span(out).subspan<48, 96>());
  write_compressed(proof.c, std::span(out).subspan<144, 48>());
  return out;
}

namespace {

template <class F>
result<affine<F>> read_point(byte_view data, const char* name) {
  auto p = decode_compressed<F>(data, point_check::subgroup);
  if (!p)
    return bad_input(std::string("proof, point ") + name, p.err().text);
  if (p->is_infinity())
    return bad_input(std::string("proof, point ") + name, "is the point at infinity");
  return p;
}

g1 input_sum(const verifying_key& vk, std::span<const fr> inputs) {
  g1 sum = g1::from(vk.ic[0]);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    sum += g1::from(vk.ic[i + 1]).times(inputs[i]);
  return sum;
}

status check_count(const verifying_key& vk, std::size_t count) {
  if (count + 1 == vk.ic.size())
    return ok();
  return bad_input("public inputs",
                   std::to_string(count) + " given, the key takes " + std::to_string(vk.ic.size() - 1));
}

error refused() {
  return {errc::self_check_failed, "the proof does not hold for these public inputs"};
}

} // namespace

result<raw_proof> decode_proof(byte_view data) {
  if (data.size() != proof_size)
    return bad_input("proof", "has " + std::to_string(data.size()) + " bytes, expected " + std::to_string(proof_size));
  CUZK_TRY(a, read_point<fp>(data.subspan(0, 48), "A"));
  CUZK_TRY(b, read_point<fp2>(data.subspan(48, 96), "B"));
  CUZK_TRY(c, read_point<fp>(data.subspan(144, 48), "C"));
  return raw_proof{a, b, c};
}

result<std::vector<fr>> read_inputs(std::span<const bytes> inputs) {
  std::vector<fr> out;
  for (const auto& x : inputs) {
    const std::string where = "public input " + std::to_string(out.size());
    if (x.size() != 32)
      return bad_input(where, "has " + std::to_string(x.size()) + " bytes, expected 32");
    const auto value = from_le_bytes<fr>(std::span<const std::uint8_t, 32>(x.data(), 32));
    if (!value)
      return bad_input(where, "is not below the group order");
    out.push_back(*value);
  }
  return out;
}

status verify(const verifying_key& vk, const raw_proof& proof, std::span<const fr> inputs) {
  CUZK_CHECK(check_count(vk, inputs.size()));
  const pairing_term terms[] = {{-proof.a, proof.b},
                                {vk.alpha_g1, vk.beta_g2},
                                {input_sum(vk, inputs).to_affine(), vk.gamma_g2},
                                {proof.c, vk.delta_g2}};
  if (!product_is_one(terms))
    return refused();
  return ok();
}

status verify_batch(const verifying_key& vk, std::span<const claim> claims) {
  if (claims.size() == 1)
    return verify(vk, claims[0].proof, claims[0].inputs);
  std::vector<pairing_term> terms;
  std::vector<fr> inputs(vk.ic.size() - 1, fr::zero());
  fr weights = fr::zero();
  g1 c = g1::infinity();
  for (const auto& claim : claims) {
    CUZK_CHECK(check_count(vk, claim.inputs.size()));
    std::array<std::uint8_t, 16> random;
    CUZK_CHECK(random_bytes(random));
    big_int<4> plain{};
    for (std::size_t i = 0; i < random.size(); ++i)
      plain.limb[i / 8] |= std::uint64_t{random[i]} << (8 * (i % 8));
    const fr weight = fr::from_int(plain);
    terms.push_back({(-g1::from(claim.proof.a).times(weight)).to_affine(), claim.proof.b});
    c += g1::from(claim.proof.c).times(weight);
    weights += weight;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      inputs[i] += weight * claim.inputs[i];
  }
  g1 ic = g1::from(vk.ic[0]).times(weights);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    ic += g1::from(vk.ic[i + 1]).times(inputs[i]);
  terms.push_back({g1::from(vk.alpha_g1).times(weights).to_affine(), vk.beta_g2});
  terms.push_back({ic.to_affine(), vk.gamma_g2});
  terms.push_back({c.to_affine(), vk.delta_g2});
  if (!product_is_one(terms))
    return refused();
  return ok();
}

} // namespace cuzk::groth16
