// Inputs without a sector: whole in shape, true where they are opened, refused when one byte of that is changed.
#include "filecoin/filler.hpp"
#include "filecoin/json_write.hpp"
#include "filecoin/merkle_tree.hpp"
#include "filecoin/sparse_input.hpp"
#include "filecoin/sparse_porep.hpp"
#include "filecoin/sparse_tree.hpp"
#include "runtime/base/thread_pool.hpp"
#include "tests/filecoin/vanilla_cases.hpp"
#include "tests/support/catch.hpp"

#include <functional>

using namespace cuzk;
using namespace cuzk::filecoin;
using namespace cuzk::test;

namespace {

sparse_input make(const circuit_name& circuit, thread_pool& pool) {
  INFO(to_string(circuit));
  auto made = make_sparse_input({circuit}, pool);
  if (!made)
    FAIL(made.err().message());
  return *std::move(made);
}

job_input load(const sparse_input& made) {
  auto job = load_job(as_bytes(made.text), made.beside);
  if (!job)
    FAIL(job.err().message());
  return *std::move(job);
}

/// The file of a circuit is read back with a checked identity and passes.
job_input make_and_check(const circuit_name& circuit, thread_pool& pool) {
  INFO(to_string(circuit));
  auto job = load(make(circuit, pool));
  CHECK(job.circuit == circuit);
  CHECK(job.identity == identity_state::checked);
  CHECK(job.public_inputs.size() == job.partitions.size());
  const auto done = check(job, pool);
  CHECK((done ? "" : done.err().message()) == "");
  return job;
}

/// A change of one opened digest of the first partition.
template <class Partition>
struct change {
  const char* name;
  std::function<digest&(Partition&)> where;
};

template <class Partition>
void check_changes(const job_input& good, const std::vector<change<Partition>>& changes, thread_pool& pool) {
  for (const auto& c : changes) {
    INFO(to_string(good.circuit) << ": " << c.name);
    auto bad = good;
    c.where(std::get<Partition>(bad.partitions.back()))[7] ^= 0x20;
    const auto done = check(bad, pool);
    REQUIRE(!done);
    CHECK(done.err().code == errc::bad_input);
  }
}

const std::vector<change<porep_partition>>& porep_changes() {
  using p = porep_partition;
  static const std::vector<change<p>> all = {
    {"data node", [](p& x) -> digest& { return x.challenges.back().tree_d.leaf; }},
    {"sibling in tree D", [](p& x) -> digest& { return x.challenges.back().tree_d.siblings.back(); }},
    {"replica node", [](p& x) -> digest& { return x.challenges.front().tree_r.leaf; }},
    {"sibling in tree R", [](p& x) -> digest& { return x.challenges.front().tree_r.siblings.front(); }},
    {"label", [](p& x) -> digest& { return x.challenges.back().column.rows.front(); }},
    {"label of a DRG parent", [](p& x) -> digest& { return x.challenges.back().parents[0].rows.back(); }},
    {"label of an expander parent", [](p& x) -> digest& { return x.challenges.back().parents[13].rows[0]; }},
    {"sibling in tree C", [](p& x) -> digest& { return x.challenges.back().parents[5].path.siblings.back(); }},
    {"column hash", [](p& x) -> digest& { return x.challenges.back().column.path.leaf; }},
    {"parents of a label", [](p& x) -> digest& { return x.challenges.back().labels.back().parents[36]; }},
    {"replica id", [](p& x) -> digest& { return x.replica_id; }},
    {"comm_r", [](p& x) -> digest& { return x.comm_r; }},
  };
  return all;
}

std::vector<digest> leaves_of(std::uint64_t count) {
  std::vector<digest> out;
  for (std::uint64_t i = 0; i < count; ++i)
    out.push_back(filler(3).at("leaf", i));
  return out;
}

constexpr sector_size small_sizes[] = {sector_size::k2, sector_size::k4, sector_size::k16, sector_size::k32};

} // namespace

TEST_CASE("a sparse tree with the nodes of a whole one has its root and its paths") {
  thread_pool pool(2);
  for (const auto size : small_sizes)
    for (const auto& shape : {shape_of(size).tree, shape_of(size).tree_d}) {
      const merkle_tree whole(shape, leaves_of(shape_of(size).nodes()), pool);
      std::vector<placed_node> opened;
      for (const std::uint64_t i : {63, 5, 7, 5, 0, 40})
        opened.push_back({i, whole.leaves()[i]});
      std::size_t asked = 0;
      const sparse_tree sparse(
        shape, opened,
        [&](unsigned level, std::uint64_t i) {
          ++asked;
          return whole.row(level)[i];
        },
        pool);
      CHECK(asked > 0);
      CHECK(sparse.root() == whole.root());
      for (const auto& leaf : opened) {
        const auto a = sparse.open(leaf.index), b = whole.open(leaf.index);
        CHECK(a.leaf == b.leaf);
        CHECK(a.root == b.root);
        CHECK(a.index == b.index);
        CHECK(a.siblings == b.siblings);
      }
    }
}

TEST_CASE("tree D over zeros ends in the known comm_d of empty sectors") {
  const std::pair<sector_size, const char*> known[] = {
    {sector_size::k2, "fc7e928296e516faade986b28f92d44a4f24b935485223376a799027bc18f833"},
    {sector_size::m8, "65f29e5d98d246c38b388cfc06db1f6b021303c5a289000bdce832a9c3ec421c"},
    {sector_size::m512, "39560e7b13a93b07a243fd2720ffa7cb3e1d2e505ab3629e79f46313512cda06"},
    {sector_size::g32, "077e5fde35c50a9303a55009e3498a4ebedff39c42b710b730d8ec7ac7afa63e"},
    {sector_size::g64, "e64005a6bfe3777953b8ad6ef93f0fca1049b2041654f2a411f7702799cece02"}};
  for (const auto& [size, comm_d] : known)
    CHECK(to_hex(zero_nodes(shape_of(size).tree_d).back()) == comm_d);
}

TEST_CASE("free values depend on seed, name and both numbers, and are below the modulus") {
  const filler free(1);
  const digest here = free.at("a", 1, 2);
  CHECK(here == filler(1).at("a", 1, 2));
  for (const auto& other : {filler(2).at("a", 1, 2), free.at("b", 1, 2), free.at("a", 2, 2), free.at("a", 1, 1),
                            free.of("a", 1).at("a", 1, 2)})
    CHECK(other != here);
  for (std::uint64_t i = 0; i < 64; ++i)
    CHECK(to_fr(free.at("x", i)));
}

TEST_CASE("sparse PoRep inputs of small sectors pass, with one changed byte they do not") {
  thread_pool pool(2);
  for (const auto size : small_sizes)
    check_changes(make_and_check({proof_kind::porep, size}, pool), porep_changes(), pool);
}

TEST_CASE("a sparse PoRep input of 32 GiB has ten partitions and passes, with one changed byte it does not", "[slow]") {
  thread_pool pool(2);
  const auto job = make_and_check({proof_kind::porep, sector_size::g32}, pool);
  REQUIRE(job.partitions.size() == 10);
  for (const auto& p : job.partitions)
    CHECK(std::get<porep_partition>(p).challenges.size() == 18);
  CHECK(job.public_inputs.back().size() == 327);
  check_changes(job, porep_changes(), pool);
}

TEST_CASE("a sparse PoRep of the first API version has the parents of that version") {
  thread_pool pool(2);
  const sealing_order order{sector_size::k2, api_version::v1_0_0, {prover_id_of_actor(7), 9, digest{}}, digest{}};
  const auto text = write_c1_json(make_sparse_c1(order, filler(1).at("seed"), filler(1), pool));
  input_options who;
  who.prover_id = prover_id_of_actor(7);
  who.sector = 9;
  const auto job = load_job(as_bytes(text), who);
  REQUIRE(job);
  CHECK(job->proof.api == api_version::v1_0_0);
  CHECK(check(*job, pool));
  auto newer = *job;
  newer.proof.api = api_version::v1_1_0;
  CHECK_FALSE(check(newer, pool));
}

TEST_CASE("equal requests give equal files, another seed gives another sector") {
  thread_pool one(1), two(2);
  const circuit_name circuit{proof_kind::porep, sector_size::k2};
  const auto text = make_sparse_input({circuit, 5}, one)->text;
  CHECK(make_sparse_input({circuit, 5}, two)->text == text);
  CHECK(make_sparse_input({circuit, 6}, two)->text != text);
}

TEST_CASE("the envelope says the sector's number itself") {
  thread_pool pool(2);
  auto made = make_sparse_input({{proof_kind::porep, sector_size::k2}, 1, true}, pool);
  REQUIRE(made);
  made->beside.sector.reset();
  CHECK(load(*made).identity == identity_state::checked);
}
