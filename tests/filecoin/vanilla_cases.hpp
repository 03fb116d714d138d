#pragma once
// The sealed sectors of the vectors as job files of every form.
#include "filecoin/base64.hpp"
#include "filecoin/input.hpp"
#include "tests/support/vectors.hpp"

#include <string>
#include <vector>

namespace cuzk::test {

inline digest read_digest(const nlohmann::json& hex) {
  const auto raw = unhex(hex.get<std::string>());
  digest out{};
  std::copy_n(raw.begin(), 32, out.begin());
  return out;
}

/// One folder of vectors/vanilla.
struct vanilla_case {
  std::string name;
  nlohmann::json expected;

  explicit vanilla_case(const std::string& folder)
    : name(folder), expected(read_vectors("vanilla/" + folder + "/expected.json")) {}

  bytes file(const std::string& leaf) const { return read_file(vector_path("vanilla/" + name + "/" + leaf)); }
  filecoin::sector_size size() const {
    return *filecoin::sector_size_of_bytes(expected["sector_size"].get<std::uint64_t>());
  }
  filecoin::proof_kind kind() const { return *filecoin::parse_proof_kind(expected["kind"].get<std::string>()); }
  filecoin::circuit_name circuit() const { return {kind(), size()}; }

  /// The proof type, also where the chain has no name for it.
  filecoin::registered_proof proof() const {
    auto out = filecoin::default_proof(circuit());
    if (expected.contains("api_version"))
      out.api = *filecoin::parse_api_version(expected["api_version"].get<std::string>());
    if (kind() == filecoin::proof_kind::porep && !expected["api_features"].empty())
      out.feature = expected["api_features"][0] == "synthetic-porep" ? filecoin::porep_feature::synthetic
                                                                     : filecoin::porep_feature::non_interactive;
    return *filecoin::parse_registered_proof(kind(), filecoin::to_string(out));
  }

  /// Who proves, for a C1 file.
  filecoin::input_options identity() const {
    filecoin::input_options out;
    out.prover_id = read_digest(expected["prover_id"]);
    out.sector = expected["sector_id"].get<std::uint64_t>();
    out.porep_id = read_digest(expected["porep_id"]);
    return out;
  }
  /// Of a C1 file that does not say its type.
  filecoin::input_options inner_identity() const {
    auto out = identity();
    out.proof = proof();
    return out;
  }

  /// Vanilla proofs in order: one a sector, or one a partition of a snap job.
  std::vector<bytes> proofs() const {
    std::vector<bytes> out;
    if (kind() == filecoin::proof_kind::snap)
      for (const nlohmann::json& p : expected["partitions"])
        out.push_back(file(p["file"].get<std::string>()));
    else
      for (const nlohmann::json& s : expected["sectors"])
        out.push_back(file(s["vanilla_proof"]["file"].get<std::string>()));
    return out;
  }

  /// The job document of interfaces for PoSt and snap, around the given proofs.
  nlohmann::json document(const std::vector<bytes>& vanilla) const {
    nlohmann::json out;
    out["kind"] = filecoin::to_string(kind());
    out["registered_proof"] = filecoin::to_string(proof());
    out["proofs"] = nlohmann::json::array();
    for (const auto& p : vanilla)
      out["proofs"].push_back(filecoin::to_base64(p));
    if (kind() == filecoin::proof_kind::snap) {
      for (const char* member : {"comm_r_old", "comm_r_new", "comm_d_new"})
        out[member] = expected[member];
      return out;
    }
    out["prover_id"] = expected["prover_id"];
    out["randomness"] = expected["randomness"];
    out["partition"] = nullptr;
    for (const nlohmann::json& s : expected["sectors"])
      out["sectors"].push_back({{"sector", s["sector_id"]}, {"comm_r", s["comm_r"]}});
    return out;
  }
  nlohmann::json document() const { return document(proofs()); }
};

inline bytes as_bytes(const std::string& text) {
  return bytes(text.begin(), text.end());
}
inline bytes as_bytes(const nlohmann::json& document) {
  return as_bytes(document.dump());
}

/// The envelope lotus writes around a C1 output.
inline nlohmann::json envelope(std::uint64_t sector, const bytes& c1, std::uint64_t size) {
  return {{"SectorNum", sector}, {"Phase1Out", filecoin::to_base64(c1)}, {"SectorSize", size}};
}

inline const std::vector<std::string>& porep_cases() {
  static const std::vector<std::string> names = {"porep-2k-v1_0", "porep-2k-v1_1", "porep-2k-v1_2", "porep-2k-synth",
                                                 "porep-2k-ni",   "porep-2k-cc",   "porep-4k",      "porep-16k",
                                                 "porep-32k",     "porep-8m"};
  return names;
}
inline const std::vector<std::string>& post_cases() {
  static const std::vector<std::string> names = {"winning-2k", "winning-4k",     "winning-16k",    "winning-32k",
                                                 "winning-8m", "window-2k-v1_2", "window-2k-v1_0", "window-4k",
                                                 "window-16k", "window-32k",     "window-8m"};
  return names;
}
inline const std::vector<std::string>& snap_cases() {
  static const std::vector<std::string> names = {"update-2k",  "update-2k-cc", "update-4k",
                                                 "update-16k", "update-32k",   "update-8m"};
  return names;
}

} // namespace cuzk::test
