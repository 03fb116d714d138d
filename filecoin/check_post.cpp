// Vanilla checks of a PoSt: commitments of each sector, then one path a unit.
#include "filecoin/check.hpp"
#include "filecoin/merkle_check.hpp"
#include "filecoin/public_inputs.hpp"

namespace cuzk::filecoin {
namespace {

status check_sector(const post_sector& sector) {
  CUZK_TRY(comm_c, scalar_of(sector.comm_c, "comm_c"));
  CUZK_TRY(comm_r_last, scalar_of(sector.comm_r_last, "comm_r_last"));
  const digest expected = poseidon_digest(comm_c, comm_r_last);
  if (sector.comm_r != expected)
    return bad_input("comm_r", to_hex(sector.comm_r) + "; H(comm_c, comm_r_last) is " + to_hex(expected));
  return ok();
}

std::string sector_name(const post_sector& sector) {
  return "sector " + std::to_string(sector.sector);
}

status check_path(const job_input& job, std::size_t k, std::size_t position, std::size_t n) {
  const auto& partition = std::get<post_partition>(job.partitions[k]);
  const auto& about = std::get<post_statement>(job.statement);
  const auto& shape = shape_of(job.circuit.size);
  const auto& sector = partition.sectors[position];
  const auto& path = sector.paths[n];
  if (path.root != sector.comm_r_last)
    return bad_input("root", to_hex(path.root) + "; comm_r_last is " + to_hex(sector.comm_r_last));
  if (about.randomness) {
    const post_challenge_rule rule{*about.randomness, job.proof.api, shape.nodes(),
                                   about.first_partition + static_cast<std::uint32_t>(k), partition.shape};
    // Winning: path n belongs to slot n, whose only challenge it is.
    const bool winning = job.circuit.kind == proof_kind::winning;
    const auto leaf =
      winning ? rule.leaf(sector.sector, n, 0) : rule.leaf(sector.sector, position, static_cast<unsigned>(n));
    if (path.index != leaf)
      return bad_input("leaf index", std::to_string(path.index) + "; the challenge is " + std::to_string(leaf));
  }
  return check_poseidon_path(path, shape.tree);
}

} // namespace

std::size_t post_units(const post_partition& partition) {
  return partition.sectors.size() * partition.sectors.front().paths.size();
}

status check_post_head(const job_input& job, std::size_t k) {
  for (const auto& sector : std::get<post_partition>(job.partitions[k]).sectors) {
    auto done = check_sector(sector);
    if (!done) {
      done.err().where = sector_name(sector) + ", " + done.err().where;
      return done;
    }
  }
  return ok();
}

status check_post_unit(const job_input& job, std::size_t k, std::size_t unit) {
  const auto& sectors = std::get<post_partition>(job.partitions[k]).sectors;
  const std::size_t paths = sectors.front().paths.size();
  auto done = check_path(job, k, unit / paths, unit % paths);
  if (!done)
    done.err().where =
      sector_name(sectors[unit / paths]) + ", challenge " + std::to_string(unit % paths) + ", " + done.err().where;
  return done;
}

} // namespace cuzk::filecoin
