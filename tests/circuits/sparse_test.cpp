// Inputs without a sector fill the circuits, and every row holds.
#include "circuits/catalog.hpp"
#include "circuits/core/evaluate.hpp"
#include "filecoin/sparse_input.hpp"
#include "runtime/base/thread_pool.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;
using namespace cuzk::circuits;
using filecoin::proof_kind;
using filecoin::sector_size;

namespace {

filecoin::job_input make_job(const filecoin::sparse_request& request, thread_pool& pool) {
  const auto made = filecoin::make_sparse_input(request, pool);
  if (!made)
    FAIL(made.err().message());
  const byte_view file(reinterpret_cast<const std::uint8_t*>(made->text.data()), made->text.size());
  auto job = filecoin::load_job(file, made->beside);
  REQUIRE(job);
  return *std::move(job);
}

/// All partitions satisfy the circuit, with the public inputs that a verifier computes.
void all_rows_hold(const filecoin::sparse_request& request) {
  INFO(to_string(request.circuit));
  thread_pool pool(2);
  const auto job = make_job(request, pool);
  const auto text = find_circuit(request.circuit);
  REQUIRE(text);
  const auto rows = build_matrices(**text, with_digest::no);
  REQUIRE(rows);
  for (std::size_t k = 0; k < job.partitions.size(); ++k) {
    INFO("partition " << k);
    const auto w = (*text)->witness(job.partitions[k], pool);
    REQUIRE(w);
    const auto broken = first_broken_row(rows->matrices, *w, pool);
    REQUIRE(broken);
    CHECK(*broken == rows->matrices.circuit_rows);
    REQUIRE(w->inputs().size() == job.public_inputs[k].size() + 1);
    for (std::size_t i = 0; i < job.public_inputs[k].size(); ++i)
      CHECK(w->inputs()[i + 1] == job.public_inputs[k][i]);
  }
}

} // namespace

TEST_CASE("sparse inputs of 2 KiB satisfy every row of their circuits") {
  all_rows_hold({{proof_kind::porep, sector_size::k2}});
  all_rows_hold({{proof_kind::winning, sector_size::k2}});
  all_rows_hold({{proof_kind::window, sector_size::k2}, 1, 3});
  all_rows_hold({{proof_kind::snap, sector_size::k2}});
}
