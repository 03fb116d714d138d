// PoSt and snap proofs, and what they are said to be about, become a job.
#include "filecoin/bincode.hpp"
#include "filecoin/job_assembly.hpp"
#include "filecoin/public_inputs.hpp"

#include <algorithm>

namespace cuzk::filecoin {
namespace {

/// One value of two places, which must agree where both have it.
template <class T>
result<std::optional<T>> agreed(const char* name, const std::optional<T>& file, const std::optional<T>& beside) {
  if (file && beside && !(*file == *beside))
    return bad_input(std::string("/") + name, "differs from the value beside the file");
  return file ? file : beside;
}

/// Fields of the document, filled up from the options.
status complete(job_document& job, const input_options& options) {
  CUZK_TRY(kind, agreed("kind", job.kind, options.kind));
  CUZK_TRY(proof, agreed("registered_proof", job.proof, options.proof));
  CUZK_TRY(prover, agreed("prover_id", job.prover_id, options.prover_id));
  CUZK_TRY(randomness, agreed("randomness", job.randomness, options.randomness));
  CUZK_TRY(partition, agreed("partition", job.partition, options.partition));
  CUZK_TRY(comm_r_old, agreed("comm_r_old", job.comm_r_old, options.comm_r_old));
  CUZK_TRY(comm_d_new, agreed("comm_d_new", job.comm_d_new, options.comm_d_new));
  CUZK_TRY(comm_r_new, agreed("comm_r_new", job.comm_r_new, options.comm_r_new));
  job.kind = kind;
  job.proof = proof;
  job.prover_id = prover;
  job.randomness = randomness;
  job.partition = partition;
  job.comm_r_old = comm_r_old;
  job.comm_d_new = comm_d_new;
  job.comm_r_new = comm_r_new;
  if (job.sectors.empty())
    job.sectors = options.sectors;
  if (!job.kind)
    return bad_input("kind", "this form of input does not say it; expected winning, window or snap beside the file");
  if (*job.kind == proof_kind::porep)
    return bad_input("kind", "porep, but the file is a list of PoSt or snap proofs");
  if (!job.proof)
    return bad_input("registered_proof", "this form of input does not say it; expected beside the file");
  if (job.proof->kind != *job.kind)
    return bad_input("registered_proof", "\"" + to_string(*job.proof) + "\" is not of kind " + to_string(*job.kind));
  return ok();
}

status check_scalar(const std::string& where, const digest& d) {
  if (to_fr(d))
    return ok();
  return bad_input(where, to_hex(d) + " is not below the modulus of the scalar field (bytes are little endian)");
}

error in_proof(std::size_t i, error e) {
  e.where = "/proofs/" + std::to_string(i) + " " + e.where;
  return e;
}

/// Reads each proof with `read(byte_reader&)`; nothing may follow a value.
template <class T, class Read>
result<std::vector<T>> decode(const std::vector<bytes>& proofs, Read&& read) {
  std::vector<T> out;
  for (std::size_t i = 0; i < proofs.size(); ++i) {
    byte_reader in(proofs[i]);
    auto value = read(in);
    if (!value)
      return in_proof(i, std::move(value).err());
    if (in.left() > 0)
      return in_proof(i, bad_input("byte " + std::to_string(in.offset()),
                                   std::to_string(in.left()) + " bytes after the value; expected the end"));
    out.push_back(*std::move(value));
  }
  return out;
}

/// The same values one after the other.
template <class T, class Read>
result<std::vector<T>> decode_row(byte_view file, Read&& read) {
  std::vector<T> out;
  byte_reader in(file);
  while (in.left() > 0) {
    auto value = read(in);
    if (!value)
      return in_proof(out.size(), std::move(value).err());
    out.push_back(*std::move(value));
  }
  return out;
}

status check_named(const std::vector<named_sector>& named, const std::vector<post_sector>& sectors) {
  if (named.empty())
    return ok();
  if (named.size() != sectors.size())
    return bad_input("/proofs", std::to_string(sectors.size()) + " proofs; expected one for each of " +
                                  std::to_string(named.size()) + " sectors");
  for (std::size_t i = 0; i < named.size(); ++i) {
    const auto where = "/proofs/" + std::to_string(i);
    if (sectors[i].sector != named[i].sector)
      return bad_input(where, "the proof is of sector " + std::to_string(sectors[i].sector) + "; expected sector " +
                                std::to_string(named[i].sector));
    if (sectors[i].comm_r != named[i].comm_r)
      return bad_input(where, "comm_r " + to_hex(sectors[i].comm_r) + "; expected " + to_hex(named[i].comm_r));
  }
  return ok();
}

status check_sectors(const std::vector<post_sector>& sectors, const job_document& job, const post_shape& shape) {
  if (sectors.empty())
    return bad_input("/proofs", "no proofs; expected one for each sector");
  CUZK_CHECK(check_named(job.sectors, sectors));
  if (*job.kind == proof_kind::winning && sectors.size() != 1)
    return bad_input("/proofs", std::to_string(sectors.size()) + " proofs; a WinningPoSt is about one sector");
  if (*job.kind == proof_kind::winning && job.partition.value_or(0) != 0)
    return bad_input("/partition", std::to_string(*job.partition) + "; a WinningPoSt has partition 0 only");
  if (job.partition && sectors.size() > shape.slots)
    return bad_input("/proofs", std::to_string(sectors.size()) + " proofs in one partition; at most " +
                                  std::to_string(shape.slots));
  std::vector<std::uint64_t> ids;
  for (std::size_t i = 0; i < sectors.size(); ++i) {
    CUZK_CHECK(check_scalar("/proofs/" + std::to_string(i) + " comm_r", sectors[i].comm_r));
    ids.push_back(sectors[i].sector);
  }
  // A whole proof is made over sectors in ascending order, because the verifier will list them so.
  if (!job.partition && !std::is_sorted(ids.begin(), ids.end()))
    return bad_input("/sectors", "sector numbers are not in ascending order");
  std::sort(ids.begin(), ids.end());
  const auto twice = std::adjacent_find(ids.begin(), ids.end());
  if (twice != ids.end())
    return bad_input("/sectors", "sector " + std::to_string(*twice) + " is there twice");
  return ok();
}

/// Splits the sectors into partitions and fills the public inputs.
void fill_post(job_input& out, std::vector<post_sector> sectors, const post_statement& about, const post_shape& shape) {
  const std::size_t per_partition = out.circuit.kind == proof_kind::winning ? 1 : shape.slots;
  for (std::size_t first = 0; first < sectors.size(); first += per_partition) {
    post_partition partition;
    partition.shape = shape;
    const std::size_t last = std::min(first + per_partition, sectors.size());
    for (std::size_t i = first; i < last; ++i)
      partition.sectors.push_back(std::move(sectors[i]));
    const auto k = about.first_partition + static_cast<std::uint32_t>(out.partitions.size());
    out.public_inputs.push_back(about.randomness ? post_inputs(partition, {*about.randomness, out.proof.api,
                                                                           shape_of(out.proof.size).nodes(), k, shape})
                                                 : post_inputs_as_given(partition));
    out.partitions.emplace_back(std::move(partition));
  }
}

result<job_input> assemble_post(const job_document& job, std::vector<post_sector> sectors) {
  const auto& sizes = shape_of(job.proof->size);
  const auto& shape = *job.kind == proof_kind::winning ? sizes.winning : sizes.window;
  CUZK_CHECK(check_sectors(sectors, job, shape));
  if (job.prover_id)
    CUZK_CHECK(check_scalar("/prover_id", *job.prover_id));
  if (job.randomness)
    CUZK_CHECK(check_scalar("/randomness", *job.randomness));
  job_input out;
  out.circuit = {*job.kind, job.proof->size};
  out.proof = *job.proof;
  out.identity = job.randomness ? identity_state::checked : identity_state::unchecked;
  const post_statement about{job.prover_id.value_or(digest{}), job.randomness, job.partition.value_or(0)};
  fill_post(out, std::move(sectors), about, shape);
  out.statement = about;
  return out;
}

result<job_input> assemble_snap(const job_document& job, std::vector<snap_partition> partitions) {
  const auto& shape = shape_of(job.proof->size).snap;
  if (!job.comm_r_old || !job.comm_d_new || !job.comm_r_new)
    return bad_input("commitments", "comm_r_old, comm_d_new and comm_r_new are all needed");
  CUZK_CHECK(check_scalar("/comm_r_old", *job.comm_r_old));
  CUZK_CHECK(check_scalar("/comm_d_new", *job.comm_d_new));
  CUZK_CHECK(check_scalar("/comm_r_new", *job.comm_r_new));
  if (partitions.size() != shape.partitions)
    return bad_input("/proofs", std::to_string(partitions.size()) + " proofs; expected " +
                                  std::to_string(shape.partitions) + ", one for each partition");
  job_input out;
  out.circuit = {proof_kind::snap, job.proof->size};
  out.proof = *job.proof;
  out.identity = identity_state::checked; // the statement names nobody: commitments are all there is
  out.statement = snap_statement{*job.comm_r_old, *job.comm_d_new, *job.comm_r_new};
  for (auto& p : partitions) {
    p.index = static_cast<unsigned>(out.partitions.size());
    p.comm_r_old = *job.comm_r_old;
    p.comm_d_new = *job.comm_d_new;
    p.comm_r_new = *job.comm_r_new;
    out.public_inputs.push_back(snap_inputs(p, shape));
    out.partitions.emplace_back(std::move(p));
  }
  return out;
}

/// Reads the proofs of a completed document with `all` and assembles the kind's job.
template <class ReadAll>
result<job_input> assemble_kind(const job_document& job, ReadAll&& all) {
  const auto& shape = shape_of(job.proof->size);
  if (*job.kind == proof_kind::snap) {
    if (shape.snap.partitions == 0)
      return bad_input("registered_proof", "there is no snap circuit of 1 GiB");
    CUZK_TRY(partitions,
             all(std::vector<snap_partition>{}, [&](byte_reader& in) { return read_snap_partition(in, shape); }));
    return assemble_snap(job, std::move(partitions));
  }
  CUZK_TRY(sectors,
           all(std::vector<post_sector>{}, [&](byte_reader& in) { return read_post_sector(in, shape, *job.kind); }));
  return assemble_post(job, std::move(sectors));
}

} // namespace

result<job_input> assemble_job(job_document job, const input_options& options) {
  CUZK_CHECK(complete(job, options));
  return assemble_kind(job, [&]<class T>(std::vector<T>, auto&& read) { return decode<T>(job.proofs, read); });
}

result<job_input> assemble_concatenated(byte_view file, const registered_proof& proof, const input_options& options) {
  job_document job;
  job.proof = proof;
  CUZK_CHECK(complete(job, options));
  return assemble_kind(job, [&]<class T>(std::vector<T>, auto&& read) { return decode_row<T>(file, read); });
}

} // namespace cuzk::filecoin
