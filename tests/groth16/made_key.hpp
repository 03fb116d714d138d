#pragma once
// Keys made from the vectors' toxic scalars, each in a folder of its own.
#include "groth16/prove.hpp"
#include "groth16/proving_key.hpp"
#include "math/hash/sha256.hpp"
#include "tests/groth16/toy_circuits.hpp"
#include "tests/support/temp_dir.hpp"

namespace cuzk::test {

inline const auto no_stages = [](groth16::stage, double) {};

inline std::string sha256_hex(byte_view data) {
  return to_hex(sha256_of(data));
}

/// The digest of scalars as the vectors take it.
inline std::string sha256_hex(std::span<const fr> scalars) {
  sha256 hash;
  for (const auto& x : scalars)
    hash.update(to_le_bytes(x));
  return to_hex(hash.finish());
}

inline void write_file(const std::string& path, byte_view data) {
  auto file = groth16::file_writer::create(path);
  if (!file || !file->append(data) || !file->commit())
    throw std::runtime_error("cannot write " + path);
}

struct made_key {
  temp_dir dir;
  std::string path = dir.path() + "/key.params";
  std::string vk_path = dir.path() + "/key.vk";
  nlohmann::json vectors;
  ready_circuit circuit;
  thread_pool pool{2};

  explicit made_key(const std::string& name)
    : vectors(read_vectors("groth16/" + name + ".json")), circuit(circuit_of_vectors(name)) {
    auto made = groth16::generate_key(*circuit.shape, read_toxic(vectors["toxic_waste"]),
                                      {path, vk_path, path + ".derived"}, {pool});
    if (!made)
      throw std::runtime_error(made.err().message());
  }

  std::shared_ptr<const groth16::proving_key> open(const groth16::key_options& options = {}) const {
    auto key = groth16::proving_key::open(path, *circuit.shape, options);
    if (!key)
      throw std::runtime_error(key.err().message());
    return *key;
  }
  /// A request for case `i` of the vectors with the r and s of its proof `j`.
  groth16::prove_request request(std::size_t i, std::size_t j, std::shared_ptr<const groth16::proving_key> key) {
    const auto& c = vectors["cases"][i];
    auto witness = std::make_shared<const compact_witness>(circuit.witness(c, pool));
    const auto& p = c["proofs"][j];
    return {std::move(key),
            circuit.shape,
            std::move(witness),
            read_scalar(p["r"]),
            read_scalar(p["s"]),
            groth16::derived_use::automatic,
            {}};
  }
};

} // namespace cuzk::test
