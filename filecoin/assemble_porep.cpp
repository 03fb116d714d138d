// A C1 output and who made it become a job.
#include "filecoin/c1_json.hpp"
#include "filecoin/job_assembly.hpp"
#include "filecoin/public_inputs.hpp"

namespace cuzk::filecoin {
namespace {

status check_digest(const char* where, const digest& d, bool may_be_zero) {
  if (!to_fr(d))
    return bad_input(where, to_hex(d) + " is not below the modulus of the scalar field (bytes are little endian)");
  if (!may_be_zero && d == digest{})
    return bad_input(where, "all zero; expected a commitment");
  return ok();
}

status check_head(const c1_output& c1) {
  if (c1.seed == digest{})
    return bad_input("/seed", "all zero; expected interactive randomness");
  CUZK_CHECK(check_digest("/comm_d", c1.comm_d, false));
  CUZK_CHECK(check_digest("/comm_r", c1.comm_r, false));
  return check_digest("/replica_id", c1.replica_id, true);
}

/// The proof type: of the file where it says one, else of the options. An option may refine the API version.
result<registered_proof> proof_of(const c1_output& c1, const input_options& options) {
  if (options.kind && *options.kind != proof_kind::porep)
    return bad_input("kind",
                     std::string("given as ") + to_string(*options.kind) + ", but the file is a C1 output (porep)");
  if (!c1.proof)
    return stated_proof(options, proof_kind::porep);
  if (options.proof && *options.proof != *c1.proof)
    return bad_input("/registered_proof",
                     "\"" + to_string(*c1.proof) + "\"; beside the file stands \"" + to_string(*options.proof) + "\"");
  return *c1.proof;
}

status check_partition_count(const c1_output& c1, const registered_proof& proof) {
  const auto& porep = shape_of(c1.size).porep;
  const unsigned expected = proof.feature == porep_feature::non_interactive ? porep.ni_partitions : porep.partitions;
  if (c1.partitions.size() != expected)
    return bad_input("/vanilla_proofs", std::to_string(c1.partitions.size()) + " partitions; expected " +
                                          std::to_string(expected) + " of " + to_string(proof));
  return ok();
}

/// Who proves, as far as it is told. Empty: nothing is told.
result<std::optional<sector_identity>> identity_of(const registered_proof& proof, const input_options& options) {
  std::optional<sector_identity> none;
  if (!options.prover_id)
    return none;
  if (!options.sector)
    return bad_input("sector", "not given; the identity needs the sector number beside the prover id");
  const auto porep_id = options.porep_id ? options.porep_id : default_porep_id(proof);
  if (!porep_id)
    return bad_input("porep_id", "not given, and " + to_string(proof) + " has no number to make it from");
  return std::optional(sector_identity{*options.prover_id, *options.sector, *porep_id});
}

status check_replica_id(const c1_output& c1, const sector_identity& who) {
  const digest expected = replica_id_of(who, c1.ticket, c1.comm_d);
  if (expected != c1.replica_id)
    return bad_input("/replica_id",
                     to_hex(c1.replica_id) + "; prover, sector, ticket and comm_d give " + to_hex(expected));
  return ok();
}

void fill_public_inputs(job_input& job, const porep_statement& about) {
  const auto& shape = shape_of(job.proof.size);
  for (std::size_t k = 0; k < job.partitions.size(); ++k) {
    const auto& partition = std::get<porep_partition>(job.partitions[k]);
    if (!about.who) {
      job.public_inputs.push_back(porep_inputs_as_given(partition));
      continue;
    }
    const sdr_graph graph(shape.nodes(), about.who->porep_id, job.proof.api);
    const auto challenges = porep_challenges({job.proof.feature, about.replica_id, about.comm_r, about.seed},
                                             shape.nodes(), shape.porep.challenges, static_cast<unsigned>(k));
    job.public_inputs.push_back(porep_inputs(partition, challenges, graph));
  }
}

} // namespace

result<registered_proof> stated_proof(const input_options& options, proof_kind kind) {
  if (!options.proof)
    return bad_input("registered_proof", "this form of input does not say it; expected beside the file");
  if (options.proof->kind != kind)
    return bad_input("registered_proof", "\"" + to_string(*options.proof) + "\" is not of kind " + to_string(kind));
  return *options.proof;
}

result<job_input> assemble_porep(c1_output c1, const input_options& options) {
  CUZK_TRY(proof, proof_of(c1, options));
  CUZK_CHECK(check_head(c1));
  CUZK_CHECK(check_partition_count(c1, proof));
  CUZK_TRY(who, identity_of(proof, options));
  if (who)
    CUZK_CHECK(check_replica_id(c1, *who));

  job_input job;
  job.circuit = {proof_kind::porep, proof.size};
  job.proof = proof;
  job.identity = who ? identity_state::checked : identity_state::unchecked;
  for (auto& challenges : c1.partitions)
    job.partitions.emplace_back(porep_partition{c1.replica_id, c1.comm_d, c1.comm_r, std::move(challenges)});
  const porep_statement about{c1.replica_id, c1.comm_d, c1.comm_r, c1.seed, c1.ticket, who};
  fill_public_inputs(job, about);
  job.statement = about;
  return job;
}

result<job_input> assemble_envelope(const c1_envelope& envelope, const input_options& options) {
  const auto inside = [](error e) {
    e.where = "/Phase1Out: " + e.where;
    return e;
  };
  auto c1 = read_c1_json({reinterpret_cast<const char*>(envelope.c1.data()), envelope.c1.size()});
  if (!c1)
    return inside(std::move(c1).err());
  if (c1->size != envelope.size)
    return bad_input("/SectorSize", std::to_string(bytes_of(envelope.size)) +
                                      "; the proofs inside are of a sector of " + std::to_string(bytes_of(c1->size)) +
                                      " bytes");
  auto with_sector = options;
  if (options.sector && *options.sector != envelope.sector)
    return bad_input("/SectorNum",
                     std::to_string(envelope.sector) + "; beside the file stands " + std::to_string(*options.sector));
  with_sector.sector = envelope.sector;
  return assemble_porep(*std::move(c1), with_sector);
}

} // namespace cuzk::filecoin
