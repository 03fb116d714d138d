#include "groth16/test_key.hpp"

#include "circuits/catalog.hpp"
#include "filecoin/parameters.hpp"
#include "groth16/proving_key.hpp"
#include "math/encoding.hpp"
#include "math/field_bytes.hpp"
#include "math/hash/sha256.hpp"

#include <filesystem>

namespace cuzk::groth16 {

namespace fs = std::filesystem;

std::string tag_of(const toxic_waste& toxic) {
  sha256 hash;
  for (const auto& x : {toxic.alpha, toxic.beta, toxic.gamma, toxic.delta, toxic.tau})
    hash.update(to_le_bytes(x));
  hash.update(encode_uncompressed(toxic.g1));
  hash.update(encode_uncompressed(toxic.g2));
  return "toxic-" + to_hex(byte_view(hash.finish()).first(4));
}

namespace {

result<std::shared_ptr<const circuit>> load_circuit(const filecoin::circuit_name& name) {
  CUZK_TRY(text, circuits::find_circuit(name));
  return read_circuit(*text);
}

// Whether the files at these paths hold this very key: the verifying key is made and compared, the sizes are looked at.
bool holds(const key_paths& paths, const circuit& of, const verifying_key& vk) {
  auto key = proving_key::open(paths.params, of, {paths.derived, true});
  auto file = mapped_file::open(paths.vk);
  const auto expected = write_verifying_key(vk);
  return key && (*key)->vk() == vk && file &&
         std::equal(expected.begin(), expected.end(), file->bytes().begin(), file->bytes().end());
}

} // namespace

result<test_key_files> generate_test_key(const test_key_request& request, const key_work& work) {
  const std::string stem = request.dir + "/" + filecoin::test_parameter_stem(request.circuit, request.tag);
  test_key_files out{{stem + ".params", stem + ".vk", stem + ".params.derived"}, false};
  std::error_code failed;
  fs::create_directories(request.dir, failed);
  if (failed)
    return error{errc::resources, "the folder cannot be made: " + failed.message(), request.dir};
  work.told("rows of the circuit", 0);
  CUZK_TRY(of, load_circuit(request.circuit));
  const bool there = fs::exists(out.paths.params) || fs::exists(out.paths.vk) || fs::exists(out.paths.derived);
  if (there && !request.force) {
    CUZK_TRY(vk, generate_key(*of, request.toxic, {}, {work.pool}));
    if (!holds(out.paths, *of, vk))
      return error{errc::conflict, "there are files of another key, or damaged ones; --force replaces them",
                   out.paths.params};
    out.kept = true;
    return out;
  }
  CUZK_TRY(made, generate_key(*of, request.toxic, out.paths, work));
  return out;
}

} // namespace cuzk::groth16
