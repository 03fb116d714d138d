// Inputs without a sector: whole in shape, true where they are opened, refused when one byte of that is changed.
#include "filecoin/filler.hpp"
#include "filecoin/json_write.hpp"
#include "filecoin/merkle_tree.hpp"
#include "filecoin/repeating_tree.hpp"
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

sparse_input make(const sparse_request& request, thread_pool& pool) {
  INFO(to_string(request.circuit));
  auto made = make_sparse_input(request, pool);
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
job_input make_and_check(const sparse_request& request, thread_pool& pool) {
  INFO(to_string(request.circuit));
  auto job = load(make(request, pool));
  CHECK(job.circuit == request.circuit);
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

const std::vector<change<post_partition>>& post_changes() {
  using p = post_partition;
  static const std::vector<change<p>> all = {
    {"replica node", [](p& x) -> digest& { return x.sectors.back().paths.back().leaf; }},
    {"sibling beside the leaf", [](p& x) -> digest& { return x.sectors.front().paths.front().siblings.front(); }},
    {"sibling below the root", [](p& x) -> digest& { return x.sectors.back().paths.front().siblings.back(); }},
    {"root", [](p& x) -> digest& { return x.sectors.back().paths.back().root; }},
    {"comm_c", [](p& x) -> digest& { return x.sectors.back().comm_c; }},
    {"comm_r_last", [](p& x) -> digest& { return x.sectors.back().comm_r_last; }},
    {"comm_r", [](p& x) -> digest& { return x.sectors.back().comm_r; }},
  };
  return all;
}

const std::vector<change<snap_partition>>& snap_changes() {
  using p = snap_partition;
  static const std::vector<change<p>> all = {
    {"old replica node", [](p& x) -> digest& { return x.challenges.back().tree_r_old.leaf; }},
    {"new replica node", [](p& x) -> digest& { return x.challenges.back().tree_r_new.leaf; }},
    {"new data node", [](p& x) -> digest& { return x.challenges.back().tree_d_new.leaf; }},
    {"sibling in the old tree R", [](p& x) -> digest& { return x.challenges.front().tree_r_old.siblings.front(); }},
    {"sibling in the new tree R", [](p& x) -> digest& { return x.challenges.front().tree_r_new.siblings.back(); }},
    {"sibling in tree D", [](p& x) -> digest& { return x.challenges.back().tree_d_new.siblings[1]; }},
    {"apex leaf", [](p& x) -> digest& { return x.apex_leaves.back(); }},
    {"comm_c", [](p& x) -> digest& { return x.comm_c; }},
    {"comm_d_new", [](p& x) -> digest& { return x.comm_d_new; }},
    {"comm_r_new", [](p& x) -> digest& { return x.comm_r_new; }},
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

TEST_CASE("a repeating tree has the root and the paths of the whole one over the same leaves") {
  thread_pool pool(2);
  const auto leaf = [](std::uint64_t block, std::uint64_t i) { return filler(4).at("leaf", block, i); };
  for (const auto size : small_sizes)
    for (const auto& shape : {shape_of(size).tree, shape_of(size).tree_d})
      for (const auto how :
           {repetition{0, 0}, repetition{0, 3}, repetition{1, 3}, repetition{2, 4}, repetition{6, 0}}) {
        const unsigned lg_block = shape_of(size).lg_nodes - how.lg_blocks;
        std::vector<digest> leaves;
        for (std::uint64_t i = 0; i < shape_of(size).nodes(); ++i)
          leaves.push_back(leaf(i >> lg_block, i & ((1u << how.lg_period) - 1)));
        const merkle_tree whole(shape, leaves, pool);
        const repeating_tree tree(shape, how, leaf, pool);
        for (unsigned level = 0; level <= shape.levels(); ++level)
          for (std::uint64_t i = 0; i < whole.row(level).size(); ++i)
            REQUIRE(tree.node(level, i) == whole.row(level)[i]);
        CHECK(tree.root() == whole.root());
        CHECK(tree.open(41).siblings == whole.open(41).siblings);
        CHECK(tree.open(41).leaf == leaves[41]);
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
    check_changes(make_and_check({{proof_kind::porep, size}}, pool), porep_changes(), pool);
}

TEST_CASE("a sparse PoRep input of 32 GiB has ten partitions and passes, with one changed byte it does not", "[slow]") {
  thread_pool pool(2);
  const auto job = make_and_check({{proof_kind::porep, sector_size::g32}}, pool);
  REQUIRE(job.partitions.size() == 10);
  for (const auto& p : job.partitions)
    CHECK(std::get<porep_partition>(p).challenges.size() == 18);
  CHECK(job.public_inputs.back().size() == 327);
  check_changes(job, porep_changes(), pool);
}

TEST_CASE("sparse PoSt inputs of small sectors pass, with one changed byte they do not") {
  thread_pool pool(2);
  for (const auto size : small_sizes)
    for (const auto& request : {sparse_request{{proof_kind::winning, size}}, sparse_request{{proof_kind::window, size}},
                                sparse_request{{proof_kind::window, size}, 7, 5}})
      check_changes(make_and_check(request, pool), post_changes(), pool);
}

TEST_CASE("a sparse window input has as many sectors as asked for, in partitions") {
  thread_pool pool(2);
  const auto job = make_and_check({{proof_kind::window, sector_size::k2}, 1, 5}, pool);
  REQUIRE(job.partitions.size() == 3);
  const auto& last = std::get<post_partition>(job.partitions[2]);
  REQUIRE(last.sectors.size() == 1);
  CHECK(last.sectors[0].sector == sparse_sector_number + 4);
  CHECK(last.sectors[0].comm_r != std::get<post_partition>(job.partitions[0]).sectors[0].comm_r);
}

TEST_CASE("sparse update inputs of small sectors pass, with one changed byte they do not") {
  thread_pool pool(2);
  for (const auto size : small_sizes) {
    const auto job = make_and_check({{proof_kind::snap, size}}, pool);
    CHECK(job.partitions.size() == shape_of(size).snap.partitions);
    const auto& about = std::get<snap_statement>(job.statement);
    CHECK(about.comm_r_new != about.comm_r_old);
    check_changes(job, snap_changes(), pool);
  }
}

TEST_CASE("sparse PoSt and update inputs of 32 GiB pass, with one changed byte they do not", "[slow]") {
  thread_pool pool(2);
  check_changes(make_and_check({{proof_kind::winning, sector_size::g32}}, pool), post_changes(), pool);
  const auto snap = make_and_check({{proof_kind::snap, sector_size::g32}}, pool);
  CHECK(snap.partitions.size() == 16);
  check_changes(snap, snap_changes(), pool);
  const auto window = make_and_check({{proof_kind::window, sector_size::g32}}, pool);
  REQUIRE(window.partitions.size() == 1);
  CHECK(std::get<post_partition>(window.partitions[0]).sectors.size() == 2349);
  CHECK(window.public_inputs[0].size() == 25839);
  check_changes(make_and_check({{proof_kind::window, sector_size::g32}, 1, 3}, pool), post_changes(), pool);
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
  for (const auto kind : all_proof_kinds) {
    const circuit_name circuit{kind, sector_size::k2};
    const auto text = make({circuit, 5}, one).text;
    CHECK(make({circuit, 5}, two).text == text);
    CHECK(make({circuit, 6}, two).text != text);
  }
}

TEST_CASE("the envelope says the sector's number itself") {
  thread_pool pool(2);
  auto made = make_sparse_input({{proof_kind::porep, sector_size::k2}, 1, 0, true}, pool);
  REQUIRE(made);
  made->beside.sector.reset();
  CHECK(load(*made).identity == identity_state::checked);
}

TEST_CASE("requests for inputs that do not exist are refused") {
  thread_pool pool(1);
  const std::pair<sparse_request, const char*> cases[] = {
    {{{proof_kind::snap, sector_size::g1}}, "sector size"},
    {{{proof_kind::porep, sector_size::k2}, 1, 2}, "sectors"},
    {{{proof_kind::winning, sector_size::k2}, 1, 2}, "sectors"},
    {{{proof_kind::window, sector_size::k2}, 1, max_sparse_sectors + 1}, "sectors"},
    {{{proof_kind::window, sector_size::k2}, 1, 0, true}, "envelope"}};
  for (const auto& [request, where] : cases) {
    const auto made = make_sparse_input(request, pool);
    REQUIRE(!made);
    CHECK(made.err().code == errc::bad_input);
    CHECK(made.err().where == where);
  }
}
