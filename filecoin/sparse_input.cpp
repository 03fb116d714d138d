#include "filecoin/sparse_input.hpp"

#include "filecoin/json_write.hpp"
#include "filecoin/sparse_porep.hpp"
#include "filecoin/sparse_post.hpp"
#include "filecoin/sparse_snap.hpp"
#include "runtime/base/thread_pool.hpp"

namespace cuzk::filecoin {
namespace {

sparse_input porep_file(const sparse_request& request, const filler& free, thread_pool& pool) {
  const auto proof = default_proof(request.circuit);
  // Sizes without a number on chain have no porep id of their own: zeros, said beside the file.
  const digest porep_id = default_porep_id(proof).value_or(digest{});
  const sector_identity who{prover_id_of_actor(sparse_actor), sparse_sector_number, porep_id};
  const sealing_order order{proof.size, proof.api, who, free.at("ticket")};
  sparse_input out;
  out.text = write_c1_json(make_sparse_c1(order, free.at("interactive seed"), free, pool));
  if (request.envelope)
    out.text = write_envelope(who.sector, out.text, proof.size);
  out.beside.prover_id = who.prover_id;
  out.beside.sector = who.sector;
  out.beside.porep_id = who.porep_id;
  return out;
}

/// Sectors of a PoSt: numbered upwards, partition by partition.
sparse_input post_file(const sparse_request& request, const filler& free, thread_pool& pool) {
  const auto proof = default_proof(request.circuit);
  const bool winning = proof.kind == proof_kind::winning;
  const std::size_t slots = winning ? 1 : shape_of(proof.size).window.slots;
  const digest randomness = free.at("randomness");
  std::vector<post_sector> sectors(request.sectors == 0 ? slots : request.sectors);
  pool.parallel_for(sectors.size(), 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t number = sparse_sector_number + i;
      const post_place place{proof, randomness, static_cast<std::uint32_t>(i / slots), i % slots};
      sectors[i] = make_sparse_post_sector(number, place, free.of("sector", number), pool);
    }
  });
  return {write_post_job(proof, prover_id_of_actor(sparse_actor), randomness, sectors), {}};
}

sparse_input snap_file(const sparse_request& request, const filler& free, thread_pool& pool) {
  return {write_snap_job(default_proof(request.circuit), make_sparse_snap(request.circuit.size, free, pool)), {}};
}

sparse_input make_file(const sparse_request& request, thread_pool& pool) {
  const filler free = filler(request.seed).of(to_string(request.circuit), 0);
  switch (request.circuit.kind) {
  case proof_kind::porep: return porep_file(request, free, pool);
  case proof_kind::snap: return snap_file(request, free, pool);
  default: return post_file(request, free, pool);
  }
}

status check_request(const sparse_request& request) {
  const auto [kind, size] = request.circuit;
  if (kind == proof_kind::snap && shape_of(size).snap.partitions == 0)
    return bad_input("sector size", std::string(to_string(size)) + "; there is no snap circuit of that size");
  if (kind != proof_kind::window && request.sectors > 1)
    return bad_input("sectors", std::to_string(request.sectors) + "; an input of kind " + to_string(kind) +
                                  " is about one sector");
  if (request.sectors > max_sparse_sectors)
    return bad_input("sectors", std::to_string(request.sectors) + "; at most " + std::to_string(max_sparse_sectors));
  if (request.envelope && kind != proof_kind::porep)
    return bad_input("envelope", std::string("an input of kind ") + to_string(kind) + " has none; porep has");
  return ok();
}

/// A file that our own checks refuse is a fault of this code.
status check_file(const sparse_input& made, thread_pool& pool) {
  auto options = made.beside;
  options.max_bytes = made.text.size();
  const byte_view file(reinterpret_cast<const std::uint8_t*>(made.text.data()), made.text.size());
  CUZK_TRY(job, load_job(file, options));
  return check(job, pool);
}

} // namespace

result<sparse_input> make_sparse_input(const sparse_request& request, thread_pool& pool) {
  CUZK_CHECK(check_request(request));
  auto out = make_file(request, pool);
  if (const auto checked = check_file(out, pool); !checked)
    return internal_error("a sparse input does not pass the vanilla checks: " + checked.err().message());
  return out;
}

} // namespace cuzk::filecoin
