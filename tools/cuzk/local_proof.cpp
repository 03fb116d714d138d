// verify, export snarkjs: proofs judged and handed out without a node.
#include "filecoin/input.hpp"
#include "groth16/mapped_file.hpp"
#include "groth16/snarkjs.hpp"
#include "groth16/verify.hpp"
#include "tools/cuzk/arguments.hpp"
#include "tools/cuzk/commands.hpp"

#include <filesystem>
#include <memory>

namespace cuzk::client {

namespace {

struct proof_flags {
  std::string input, proof, vk, miner, prover_id, dir;
  std::uint64_t sector = 0;
  CLI::Option* sector_given = nullptr;
  int partition = -1;
};

void declare(CLI::App& cmd, proof_flags& f) {
  cmd.add_option("INPUT", f.input, "The job file the proof belongs to")->required();
  cmd.add_option("PROOF", f.proof, "Raw proof bytes, 192 a partition")->required();
  cmd.add_option("--vk", f.vk, "Verifying key file")->required();
  cmd.add_option("--miner", f.miner, "Miner of a PoRep, such as t01000");
  cmd.add_option("--prover-id", f.prover_id, "The same as 64 hex digits");
  f.sector_given =
    cmd.add_option("--sector", f.sector, "Sector number; default: that of the input")->check(whole_number());
  cmd.add_option("--partition", f.partition, "The proof is of this partition alone")->check(whole_number(65535));
}

/// What a proof file claims, with the key that judges it.
struct case_at_hand {
  groth16::verifying_key vk;
  std::vector<groth16::claim> claims;
  std::string circuit, identity;
  bool test_key = false;
};

result<filecoin::job_input> load_input(const proof_flags& f) {
  filecoin::input_options options;
  CUZK_TRY(prover, parse_prover(f.miner, f.prover_id));
  options.prover_id = prover;
  if (f.sector_given->count() != 0)
    options.sector = f.sector;
  CUZK_TRY(file, read_file(f.input));
  return filecoin::load_job(file, options);
}

result<std::vector<groth16::claim>> read_claims(const filecoin::job_input& job, byte_view proof, int only) {
  const std::size_t first = only < 0 ? 0 : static_cast<std::size_t>(only);
  const std::size_t count = only < 0 ? job.public_inputs.size() : 1;
  if (first + count > job.public_inputs.size())
    return bad_input("--partition", std::to_string(only) + " of " + std::to_string(job.public_inputs.size()));
  if (proof.size() != count * groth16::proof_size)
    return bad_input("PROOF", "has " + std::to_string(proof.size()) + " bytes, expected " +
                                std::to_string(count * groth16::proof_size) + " for " + std::to_string(count) +
                                (count == 1 ? " partition" : " partitions"));
  std::vector<groth16::claim> out;
  for (std::size_t k = 0; k < count; ++k) {
    auto decoded = groth16::decode_proof(proof.subspan(k * groth16::proof_size, groth16::proof_size));
    if (!decoded)
      return bad_input("partition " + std::to_string(first + k) + ", " + decoded.err().where, decoded.err().text);
    out.push_back({*decoded, job.public_inputs[first + k]});
  }
  return out;
}

result<case_at_hand> load_case(const proof_flags& f) {
  CUZK_TRY(job, load_input(f));
  CUZK_TRY(proof, read_file(f.proof));
  CUZK_TRY(file, groth16::mapped_file::open(f.vk));
  CUZK_TRY(vk, groth16::read_verifying_key(file.bytes(), f.vk));
  CUZK_TRY(claims, read_claims(job, proof, f.partition));
  return case_at_hand{std::move(vk), std::move(claims), to_string(job.circuit), to_string(job.identity),
                      !groth16::is_published_vk(file.bytes())};
}

int verify(context& ctx, const proof_flags& f) {
  auto at_hand = load_case(f);
  if (!at_hand)
    return ctx.out.fail(at_hand.err());
  auto verdict = groth16::verify_batch(at_hand->vk, at_hand->claims);
  if (!verdict)
    return ctx.out.fail(verdict.err());
  const std::string note = at_hand->test_key ? " (insecure test key: proves nothing)" : "";
  ctx.out.show({{"valid", true},
                {"circuit", at_hand->circuit},
                {"partitions", at_hand->claims.size()},
                {"identity", at_hand->identity},
                {"test_key", at_hand->test_key}},
               "valid: " + at_hand->circuit + ", " + std::to_string(at_hand->claims.size()) +
                 " partition(s), identity " + at_hand->identity + note);
  return 0;
}

status write_text(const std::string& path, const std::string& text) {
  return write_file(path, byte_view(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

std::string listed(const std::vector<std::string>& items) {
  if (items.size() == 1)
    return items[0];
  std::string out = "[";
  for (std::size_t i = 0; i < items.size(); ++i)
    out += (i == 0 ? "" : ",") + items[i];
  return out + "]";
}

int export_snarkjs(context& ctx, const proof_flags& f) {
  auto at_hand = load_case(f);
  if (!at_hand)
    return ctx.out.fail(at_hand.err());
  std::error_code failed;
  std::filesystem::create_directories(f.dir, failed);
  std::vector<std::string> proofs, inputs;
  for (const auto& claim : at_hand->claims) {
    proofs.push_back(groth16::snarkjs_proof(claim.proof));
    inputs.push_back(groth16::snarkjs_inputs(claim.inputs));
  }
  for (const auto& [name, text] : {std::pair{"verification_key.json", groth16::snarkjs_key(at_hand->vk)},
                                   std::pair{"proof.json", listed(proofs)}, std::pair{"public.json", listed(inputs)}}) {
    auto written = write_text(f.dir + "/" + name, text + "\n");
    if (!written)
      return ctx.out.fail(written.err());
  }
  ctx.out.show({{"dir", f.dir}, {"proofs", proofs.size()}},
               "written to " + f.dir + ": verification_key.json, proof.json, public.json");
  return 0;
}

} // namespace

void add_proof_commands(CLI::App& app, context& ctx) {
  auto f = std::make_shared<proof_flags>();
  auto* judge = app.add_subcommand("verify", "Verify a proof; the public inputs are recomputed from the job file");
  declare(*judge, *f);
  judge->callback([&ctx, f] { ctx.run = [&ctx, f] { return verify(ctx, *f); }; });

  auto* give = app.add_subcommand("export", "Hand proof, key and public inputs to other verifiers");
  give->require_subcommand(1);
  auto e = std::make_shared<proof_flags>();
  auto* snarkjs =
    give->add_subcommand("snarkjs", "JSON of snarkjs (curve bls12381); lists when there are several partitions");
  declare(*snarkjs, *e);
  snarkjs->add_option("--dir", e->dir, "Folder for verification_key.json, proof.json, public.json")->required();
  snarkjs->callback([&ctx, e] { ctx.run = [&ctx, e] { return export_snarkjs(ctx, *e); }; });
}

} // namespace cuzk::client
