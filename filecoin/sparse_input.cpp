#include "filecoin/sparse_input.hpp"

#include "filecoin/json_write.hpp"
#include "filecoin/sparse_porep.hpp"

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
  const filler free = filler(request.seed).of(to_string(request.circuit), 0);
  sparse_input out;
  if (request.circuit.kind != proof_kind::porep)
    return bad_input("kind", std::string(to_string(request.circuit.kind)) + "; expected porep");
  out = porep_file(request, free, pool);
  if (const auto checked = check_file(out, pool); !checked)
    return internal_error("a sparse input does not pass the vanilla checks: " + checked.err().message());
  return out;
}

} // namespace cuzk::filecoin
