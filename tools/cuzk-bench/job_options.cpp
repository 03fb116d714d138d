#include "tools/cuzk-bench/job_options.hpp"

#include "groth16/mapped_file.hpp"

#include <algorithm>

namespace cuzk::bench {

const std::vector<option>& job_options() {
  static const std::vector<option> all = {
    {"--kind", "KIND", "porep, winning, window or snap, where the file does not say it"},
    {"--sector-size", "SIZE", "2KiB ... 64GiB, where the file does not say it"},
    {"--api-version", "V", "1.0.0, 1.1.0 or 1.2.0; default: the usual one of the kind"},
    {"--feature", "NAME", "interactive (default), synthetic or non-interactive (porep)"},
    {"--proof", "NAME", "registered proof instead of the four above"},
    {"--miner", "ADDRESS", "who proves, such as t01000"},
    {"--prover-id", "HEX", "the same as 64 hex digits"},
    {"--sector", "N", "sector number (porep)"},
    {"--porep-id", "HEX", "64 hex digits; default: that of the registered proof"},
    {"--randomness", "HEX", "64 hex digits (winning, window)"},
    {"--comm-r-old", "HEX", "64 hex digits (snap)"},
    {"--comm-r-new", "HEX", "64 hex digits (snap)"},
    {"--comm-d-new", "HEX", "64 hex digits (snap)"},
  };
  return all;
}

std::vector<option> with_job_options(std::vector<option> more) {
  more.insert(more.end(), job_options().begin(), job_options().end());
  return more;
}

namespace {

using filecoin::porep_feature;

result<std::optional<digest>> read_digest(const arguments& args, std::string_view name) {
  const auto value = args.text(name);
  if (!value)
    return std::optional<digest>();
  auto raw = from_hex(*value);
  if (!raw || raw->size() != 32)
    return bad_input(std::string(name), "expected 64 hex digits");
  digest out;
  std::copy(raw->begin(), raw->end(), out.begin());
  return std::optional(out);
}

result<porep_feature> read_feature(const std::string& text) {
  if (text == "interactive")
    return porep_feature::interactive;
  if (text == "synthetic")
    return porep_feature::synthetic;
  if (text == "non-interactive")
    return porep_feature::non_interactive;
  return bad_input("--feature", "\"" + text + "\", expected interactive, synthetic or non-interactive");
}

/// The registered proof, said by name or in parts; nothing when neither is given.
result<std::optional<filecoin::registered_proof>> read_proof(const arguments& args,
                                                             std::optional<filecoin::proof_kind> kind) {
  using out_type = std::optional<filecoin::registered_proof>;
  if (const auto name = args.text("--proof")) {
    CUZK_TRY(proof, filecoin::parse_registered_proof(kind.value_or(filecoin::proof_kind::porep), *name));
    return out_type(proof);
  }
  const auto size_text = args.text("--sector-size");
  if (!size_text)
    return out_type();
  CUZK_TRY(size, filecoin::parse_sector_size(*size_text));
  auto proof = filecoin::default_proof({kind.value_or(filecoin::proof_kind::porep), size});
  if (const auto api = args.text("--api-version")) {
    CUZK_TRY(version, filecoin::parse_api_version(*api));
    proof.api = version;
  }
  if (const auto text = args.text("--feature")) {
    CUZK_TRY(feature, read_feature(*text));
    proof.feature = feature;
  }
  // The number on chain follows from the name.
  CUZK_TRY(numbered, filecoin::parse_registered_proof(proof.kind, to_string(proof)));
  return out_type(numbered);
}

result<filecoin::input_options> read_options(const arguments& args) {
  filecoin::input_options out;
  if (const auto kind = args.text("--kind")) {
    CUZK_TRY(parsed, filecoin::parse_proof_kind(*kind));
    out.kind = parsed;
  }
  CUZK_TRY(proof, read_proof(args, out.kind));
  out.proof = proof;
  CUZK_TRY(prover, read_digest(args, "--prover-id"));
  out.prover_id = prover;
  if (const auto miner = args.text("--miner")) {
    CUZK_TRY(id, filecoin::prover_id_of_miner(*miner));
    out.prover_id = id;
  }
  if (args.has("--sector")) {
    CUZK_TRY(sector, args.number("--sector", 0, ~std::uint64_t{0}));
    out.sector = sector;
  }
  struct named {
    std::string_view name;
    std::optional<digest>& to;
  };
  for (const auto& [name, to] :
       {named{"--porep-id", out.porep_id}, named{"--randomness", out.randomness}, named{"--comm-r-old", out.comm_r_old},
        named{"--comm-r-new", out.comm_r_new}, named{"--comm-d-new", out.comm_d_new}}) {
    CUZK_TRY(value, read_digest(args, name));
    to = value;
  }
  return out;
}

} // namespace

result<filecoin::job_input> load_job(const arguments& args) {
  CUZK_TRY(options, read_options(args));
  auto file = groth16::mapped_file::open(args.positional());
  if (!file)
    return bad_input(args.positional(), file.err().text);
  auto job = filecoin::load_job(file->bytes(), options);
  if (!job)
    job.err().where = args.positional() + (job.err().where.empty() ? "" : ": " + job.err().where);
  return job;
}

result<std::vector<std::size_t>> partitions_of(const arguments& args, const filecoin::job_input& job) {
  std::vector<std::size_t> out;
  if (args.has("--partition")) {
    CUZK_TRY(only, args.number("--partition", 0, job.partitions.size() - 1));
    out.push_back(only);
    return out;
  }
  for (std::size_t k = 0; k < job.partitions.size(); ++k)
    out.push_back(k);
  return out;
}

result<loaded_circuit> load_circuit(const filecoin::circuit_name& name) {
  CUZK_TRY(text, circuits::find_circuit(name));
  CUZK_TRY(shape, groth16::read_circuit(*text));
  return loaded_circuit{std::move(text), std::move(shape)};
}

} // namespace cuzk::bench
