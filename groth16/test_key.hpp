#pragma once
// Test keys of Filecoin's circuits as files: names, what is kept, what is refused.
#include "filecoin/names.hpp"
#include "groth16/setup.hpp"

#include <string>

namespace cuzk::groth16 {

struct test_key_request {
  filecoin::circuit_name circuit;
  toxic_waste toxic;
  std::string tag; ///< the seed, or "toxic-<8 hex>": part of the file names
  std::string dir;
  bool force = false; ///< replace files that hold another key
};

struct test_key_files {
  key_paths paths;
  bool kept = false; ///< the files were there and hold this key
};

/// "toxic-" and the first 8 hex digits of the SHA-256 of the scalars and generators.
std::string tag_of(const toxic_waste& toxic);

/// Makes insecure-test-<tag>-<published name>.params, .vk and .params.derived in `dir`.
/// Errors: conflict (files of another key, without force); bad_input; resources.
result<test_key_files> generate_test_key(const test_key_request& request, const key_work& work);

} // namespace cuzk::groth16
