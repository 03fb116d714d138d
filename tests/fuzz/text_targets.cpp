// Configuration, toxic scalars, proofs and public inputs.
#include "groth16/toxic_json.hpp"
#include "groth16/verify.hpp"
#include "runtime/config.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/support/vectors.hpp"

namespace cuzk::fuzz {
namespace {

void run_config(byte_view input) {
  const memory_file file(input);
  const auto config = load_configuration({file.path(), {}, {}, 0});
  for (const auto& m : config.mistakes)
    expect_refusal(m, {errc::bad_input});
  if (!config.mistakes.empty())
    return;
  const auto text = dump(config);
  const memory_file dumped({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  const auto again = load_configuration({dumped.path(), {}, {}, 0});
  expect(again.mistakes.empty(), "what was dumped is refused");
  expect(differences(config.options, again.options).empty(), "what was dumped says something else");
}
std::vector<bytes> config_seeds() {
  const auto text = example_file();
  return {bytes(text.begin(), text.end()), {'[', 'a', 'p', 'i', ']', '\n', 't', 'c', 'p', '=', '"', '"', '\n'}};
}

void run_toxic(byte_view input) {
  const auto read = groth16::read_toxic_json({reinterpret_cast<const char*>(input.data()), input.size()}, "toxic.json");
  if (!read)
    expect_refusal(read.err(), {errc::bad_input});
}
std::vector<bytes> toxic_seeds() {
  const auto text = test::read_vectors("groth16/cube.json")["toxic_waste"].dump();
  return {bytes(text.begin(), text.end())};
}

/// A proof of 192 bytes, then public inputs of 32 bytes each, against a real key.
void run_proof(byte_view input) {
  static const auto vk =
    *groth16::read_verifying_key(test::read_file(test::vector_path("groth16/update-2k.vk")), "update-2k.vk");
  const auto proof = groth16::decode_proof(input.first(std::min<std::size_t>(input.size(), 192)));
  if (!proof)
    return expect_refusal(proof.err(), {errc::bad_input});
  const auto encoded = groth16::encode_proof(*proof);
  expect(std::equal(encoded.begin(), encoded.end(), input.begin()), "a proof that is written otherwise");
  std::vector<bytes> inputs;
  for (std::size_t at = 192; at < input.size(); at += 32)
    inputs.emplace_back(input.begin() + static_cast<std::ptrdiff_t>(at),
                        input.begin() + static_cast<std::ptrdiff_t>(std::min(at + 32, input.size())));
  const auto values = groth16::read_inputs(inputs);
  if (!values)
    return expect_refusal(values.err(), {errc::bad_input});
  if (const auto verdict = groth16::verify(vk, *proof, *values); !verdict)
    expect_refusal(verdict.err(), {errc::bad_input, errc::self_check_failed});
}
std::vector<bytes> proof_seeds() {
  std::vector<bytes> out;
  const auto vectors = test::read_vectors("groth16/update-2k.json");
  for (const auto& v : vectors["verdicts"]) {
    auto seed = test::unhex(v["proof"].get<std::string>());
    for (const auto& x : v["public_inputs"]) {
      const auto raw = test::unhex(x.get<std::string>());
      seed.insert(seed.end(), raw.begin(), raw.end());
    }
    out.push_back(std::move(seed));
  }
  return out;
}

constexpr target targets[] = {
  {"config", run_config, config_seeds, 4 << 20, 256},
  {"toxic", run_toxic, toxic_seeds, 1 << 20, 64},
  {"proof", run_proof, proof_seeds, 1 << 20, 16},
};

} // namespace

std::span<const target> text_targets() {
  return targets;
}

} // namespace cuzk::fuzz
