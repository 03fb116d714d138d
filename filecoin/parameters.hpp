#pragma once
// Names of parameter files and the digests of the published ones.
#include "filecoin/names.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace cuzk::filecoin {

/// The string that a circuit's parameters are known by. Source: storage-proofs parameter_cache.rs, `identifier` of each
/// kind's public parameters.
std::string parameter_identifier(circuit_name circuit);
/// "v28-<prefix>-<sha256 of the identifier>", without ending. The same file name serves every API version.
std::string parameter_stem(circuit_name circuit);
/// The stem with ".params".
std::string params_file_name(circuit_name circuit);
/// The stem with ".vk".
std::string vk_file_name(circuit_name circuit);

/// Stem of an insecure key made for tests: "insecure-test-<tag>-<stem>"; the tag is the seed, or "toxic-<8 hex>".
std::string test_parameter_stem(circuit_name circuit, std::string_view tag);

/// First 16 bytes of BLAKE2b-512 of the published files, lower-case hex (v28 ceremony, parameters.json).
struct published_digests {
  std::string_view params;
  std::string_view vk;
};
/// Empty for circuits that no ceremony has published parameters for.
std::optional<published_digests> published(circuit_name circuit);
/// The circuit whose published .vk has this digest (the vk section of its .params is the same bytes).
std::optional<circuit_name> circuit_of_published_vk(std::string_view digest_hex);

} // namespace cuzk::filecoin
