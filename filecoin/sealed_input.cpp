#include "filecoin/sealed_input.hpp"

#include "filecoin/filler.hpp"
#include "filecoin/fr32.hpp"
#include "filecoin/json_write.hpp"
#include "filecoin/prove_vanilla.hpp"
#include "runtime/base/thread_pool.hpp"

namespace cuzk::filecoin {
namespace {

std::vector<digest> free_data(const filler& free, std::uint64_t nodes, thread_pool& pool) {
  std::vector<digest> out(nodes);
  pool.parallel_for(nodes, 1 << 12, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      out[i] = free.at("data", i);
  });
  return out;
}

result<std::vector<digest>> data_of(const sealed_request& request, const filler& free, thread_pool& pool) {
  const auto nodes = shape_of(request.size).nodes();
  if (!request.data)
    return free_data(free.of("sector", 0), nodes, pool);
  const auto most = nodes / 4 * 127;
  if (request.data->size() > most)
    return bad_input("data", std::to_string(request.data->size()) + " bytes, the sector holds " + std::to_string(most));
  auto padded = *request.data;
  padded.resize(most, 0);
  return fr32_pad(padded);
}

/// The registered proof, with its number on chain if it has one.
result<registered_proof> proof_of(const sealed_request& request) {
  const registered_proof wanted{proof_kind::porep, request.size, request.api, request.feature, {}};
  CUZK_TRY(named, parse_registered_proof(proof_kind::porep, to_string(wanted)));
  if (named.api != request.api || named.feature != request.feature)
    return bad_input("feature", std::string("there is no such PoRep of ") + to_string(request.api) +
                                  "; 1.0.0 and 1.1.0 are interactive, 1.2.0 is synthetic or non-interactive");
  return named;
}

/// A file that our own checks refuse is a fault of this code.
status check_file(const char* what, const std::string& text, input_options options, thread_pool& pool) {
  options.max_bytes = text.size();
  const auto job = load_job({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, options);
  const auto checked = job ? check(*job, pool) : status(job.err());
  if (!checked)
    return internal_error("the sealed sector's " + std::string(what) +
                          " file does not pass the vanilla checks: " + checked.err().message());
  return ok();
}

std::string post_file(const sealed_sector& sector, proof_kind kind, const digest& prover, const digest& randomness) {
  const auto proof = default_proof({kind, sector.order.size});
  const post_sector one[] = {make_post_sector(sector, {proof, randomness, 0, 0})};
  return write_post_job(proof, prover, randomness, one);
}

result<std::string> snap_file(const sealed_sector& sector, const filler& free, thread_pool& pool) {
  const auto shape = shape_of(sector.order.size);
  CUZK_TRY(updated, update_sector(sector, free_data(free.of("update", 0), shape.nodes(), pool), pool));
  std::vector<snap_partition> partitions;
  for (unsigned k = 0; k < shape.snap.partitions; ++k)
    partitions.push_back(make_snap_partition(sector, updated, k));
  return write_snap_job(default_proof({proof_kind::snap, sector.order.size}), partitions);
}

} // namespace

result<sealed_files> make_sealed_files(const sealed_request& request, thread_pool& pool) {
  if (request.size > largest_sealed)
    return bad_input("sector size", std::string(to_string(request.size)) + "; sealing in memory goes up to " +
                                      to_string(largest_sealed));
  const filler free = filler(request.seed).of(to_string(request.size), 1);
  CUZK_TRY(named, proof_of(request));
  const digest porep_id = default_porep_id(named).value_or(digest{});
  const sector_identity who{prover_id_of_actor(request.actor), request.sector, porep_id};
  CUZK_TRY(data, data_of(request, free, pool));
  CUZK_TRY(sector, seal({request.size, named.api, who, free.at("ticket")}, std::move(data), pool));
  sealed_files out;
  out.replica_id = sector.replica_id;
  out.comm_d = sector.comm_d();
  out.comm_r = sector.comm_r;
  out.beside.prover_id = who.prover_id;
  out.beside.sector = who.sector;
  out.beside.porep_id = porep_id;
  auto c1 = make_c1(sector, named.feature, free.at("interactive seed"));
  c1.proof = named;
  out.c1 = write_c1_json(c1);
  out.envelope = write_envelope(request.sector, out.c1, request.size);
  const digest randomness = free.at("randomness");
  out.winning = post_file(sector, proof_kind::winning, who.prover_id, randomness);
  out.window = post_file(sector, proof_kind::window, who.prover_id, randomness);
  CUZK_CHECK(check_file("C1", out.c1, out.beside, pool));
  CUZK_CHECK(check_file("envelope", out.envelope, out.beside, pool));
  CUZK_CHECK(check_file("WinningPoSt", out.winning, {}, pool));
  CUZK_CHECK(check_file("WindowPoSt", out.window, {}, pool));
  if (shape_of(request.size).snap.partitions != 0) {
    CUZK_TRY(snap, snap_file(sector, free, pool));
    CUZK_CHECK(check_file("update", snap, {}, pool));
    out.snap = std::move(snap);
  }
  return out;
}

} // namespace cuzk::filecoin
