// Witnesses of the reference's sealed sectors: every value and every row value.
#include "circuits/catalog.hpp"
#include "circuits/core/evaluate.hpp"
#include "tests/filecoin/vanilla_cases.hpp"
#include "tests/support/catch.hpp"
#include "witness_digests.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

using namespace cuzk;
using namespace cuzk::circuits;
using namespace cuzk::test;
using filecoin::proof_kind;
using filecoin::sector_size;

namespace {

/// A circuit with its matrices, made once for all cases of one test.
struct ready_circuit {
  std::shared_ptr<const circuit> text;
  matrices rows;
};

class circuit_shelf {
public:
  const ready_circuit& get(const filecoin::circuit_name& name) {
    auto& slot = shelf_[to_string(name)];
    if (!slot.text) {
      auto text = find_circuit(name);
      REQUIRE(text);
      auto rows = build_matrices(**text, with_digest::no);
      REQUIRE(rows);
      slot = {*text, rows->matrices};
    }
    return slot;
  }

private:
  std::map<std::string, ready_circuit> shelf_;
};

filecoin::job_input load(const vanilla_case& vanilla) {
  auto job = vanilla.kind() == proof_kind::porep
               ? filecoin::load_job(vanilla.file("c1-inner.bin"), vanilla.inner_identity())
               : filecoin::load_job(as_bytes(vanilla.document()));
  REQUIRE(job);
  return *std::move(job);
}

/// SHA-256 of all values and of every 65,536 of them.
class chunked_digest {
public:
  void add(const digest& value) {
    whole_.update(value);
    chunk_.update(value);
    if (++count_ % 65536 == 0)
      close();
  }
  void finish() {
    if (count_ % 65536 != 0)
      close();
    whole = to_hex(whole_.finish());
  }
  std::string whole;
  std::vector<std::string> chunks;

private:
  void close() {
    chunks.push_back(to_hex(chunk_.finish()));
    chunk_ = {};
  }
  sha256 whole_, chunk_;
  std::size_t count_ = 0;
};

void check_row_values(const ready_circuit& ready, const compact_witness& w, const nlohmann::json& expected,
                      thread_pool& pool) {
  std::vector<fr> values(std::size_t(1) << ready.rows.lg_domain());
  const std::pair<const char*, which_matrix> sides[] = {
    {"rows_a", which_matrix::a}, {"rows_b", which_matrix::b}, {"rows_c", which_matrix::c}};
  for (const auto& [name, which] : sides) {
    INFO(name);
    REQUIRE(evaluate(ready.rows, which, w, values, pool));
    chunked_digest got;
    for (std::size_t i = 0; i < ready.rows.circuit_rows; ++i)
      got.add(to_digest(values[i]));
    got.finish();
    CHECK(got.chunks == expected.at(name).at("chunk_sha256").get<std::vector<std::string>>());
    CHECK(got.whole == expected.at(name).at("sha256"));
    for (std::size_t i = 0; i < w.inputs().size(); ++i) // the input rows
      REQUIRE(values[ready.rows.circuit_rows + i] == (which == which_matrix::a ? w.inputs()[i] : fr::zero()));
    CHECK(values[ready.rows.rows()] == fr::zero());
  }
}

void check_partition(const ready_circuit& ready, const filecoin::vanilla_partition& partition,
                     const nlohmann::json& expected, thread_pool& pool) {
  const auto w = ready.text->witness(partition, pool);
  REQUIRE(w);
  const auto& facts = expected.at("witness");
  CHECK(sha256_of_values(w->inputs()) == facts.at("inputs_sha256"));
  chunked_digest aux;
  for_each_aux(*w, ready.text->wires(), [&](const digest& value) { aux.add(value); });
  aux.finish();
  CHECK(aux.chunks == facts.at("aux_chunk_sha256").get<std::vector<std::string>>());
  CHECK(aux.whole == facts.at("aux_sha256"));
  check_row_values(ready, *w, facts, pool);
  const auto broken = first_broken_row(ready.rows, *w, pool);
  REQUIRE(broken);
  CHECK(*broken == ready.rows.circuit_rows);
}

/// @param most how many partitions of the case are looked at.
void check_case(circuit_shelf& shelf, const std::string& folder, std::size_t most = 3) {
  INFO(folder);
  const vanilla_case vanilla(folder);
  const auto job = load(vanilla);
  const auto& ready = shelf.get(vanilla.circuit());
  thread_pool pool(2);
  for (std::size_t k = 0; k < std::min(most, job.partitions.size()); ++k) {
    INFO("partition " << k);
    check_partition(ready, job.partitions[k], vanilla.expected.at("partitions").at(k), pool);
  }
}

} // namespace

TEST_CASE("PoRep witnesses of 2 KiB sectors equal the reference's, value by value and row by row") {
  circuit_shelf shelf;
  for (const char* name : {"porep-2k-v1_0", "porep-2k-v1_1", "porep-2k-v1_2", "porep-2k-synth", "porep-2k-cc"})
    check_case(shelf, name);
  check_case(shelf, "porep-2k-ni", 1);
}

TEST_CASE("PoRep witnesses of every tree shape equal the reference's") {
  circuit_shelf shelf;
  for (const char* name : {"porep-4k", "porep-16k", "porep-32k"})
    check_case(shelf, name);
}

TEST_CASE("PoRep witnesses of 8 MiB and of all thirteen partitions equal the reference's", "[slow]") {
  circuit_shelf shelf;
  check_case(shelf, "porep-8m");
  check_case(shelf, "porep-2k-ni", 13);
}

TEST_CASE("WinningPoSt and WindowPoSt witnesses equal the reference's, padded partitions too") {
  circuit_shelf shelf;
  for (const auto& name : post_cases())
    check_case(shelf, name);
}

TEST_CASE("update witnesses of small sectors equal the reference's") {
  circuit_shelf shelf;
  for (const char* name : {"update-2k", "update-2k-cc", "update-4k"})
    check_case(shelf, name);
}

TEST_CASE("update witnesses of several partitions equal the reference's", "[slow]") {
  for (const char* name : {"update-16k", "update-32k", "update-8m"}) {
    circuit_shelf shelf;
    check_case(shelf, name, 4);
  }
}

TEST_CASE("a witness is the same on one thread and on several") {
  const vanilla_case vanilla("window-2k-v1_2");
  const auto job = load(vanilla);
  const auto text = find_circuit(vanilla.circuit());
  REQUIRE(text);
  thread_pool lone(1), four(4);
  const auto a = (*text)->witness(job.partitions[0], lone), b = (*text)->witness(job.partitions[0], four);
  REQUIRE(a);
  REQUIRE(b);
  CHECK(aux_sha256(*a, (*text)->wires()) == aux_sha256(*b, (*text)->wires()));
}

TEST_CASE("a witness of a wrong path breaks a row") {
  const vanilla_case vanilla("winning-2k");
  auto job = load(vanilla);
  circuit_shelf shelf;
  const auto& ready = shelf.get(vanilla.circuit());
  auto& partition = std::get<filecoin::post_partition>(job.partitions[0]);
  partition.sectors[0].paths[3].siblings[2][0] ^= 1;
  thread_pool pool(2);
  const auto w = ready.text->witness(partition, pool);
  REQUIRE(w);
  const auto broken = first_broken_row(ready.rows, *w, pool);
  REQUIRE(broken);
  // the last row of slot 3: the top of its path is not comm_r_last
  CHECK(*broken == 4 * (ready.rows.circuit_rows / 66) - 1);
}

namespace {

template <class Partition>
struct bad_partition {
  const char* where;
  std::function<void(Partition&)> damage;
};

/// Every damage to the case's first partition is refused at its place.
template <class Partition>
void check_refused(const std::string& folder, const std::vector<bad_partition<Partition>>& cases) {
  const vanilla_case vanilla(folder);
  const auto good = std::get<Partition>(load(vanilla).partitions[0]);
  const auto text = *find_circuit(vanilla.circuit());
  REQUIRE(text->check(good));
  thread_pool pool(1);
  for (const auto& bad : cases) {
    INFO(folder << ": " << bad.where);
    auto partition = good;
    bad.damage(partition);
    const auto w = text->witness(partition, pool);
    REQUIRE(!w);
    CHECK(w.err().code == errc::bad_input);
    CHECK(w.err().where == bad.where);
  }
}

} // namespace

TEST_CASE("a PoRep partition that cannot fill the circuit is refused with its place") {
  check_refused<filecoin::porep_partition>(
    "porep-2k-v1_1",
    {
      {"challenges", [](auto& p) { p.challenges.pop_back(); }},
      {"comm_d", [](auto& p) { p.comm_d.fill(0xff); }},
      {"challenges[1].tree_d.siblings", [](auto& p) { p.challenges[1].tree_d.siblings.pop_back(); }},
      {"challenges[1].tree_d.siblings[3]", [](auto& p) { p.challenges[1].tree_d.siblings[3].fill(0xff); }},
      {"challenges[0].tree_r.index", [](auto& p) { p.challenges[0].tree_r.index = 64; }},
      {"challenges[0].parents[13].rows", [](auto& p) { p.challenges[0].parents[13].rows.push_back({}); }},
      {"challenges[0].parents[2].rows[1]", [](auto& p) { p.challenges[0].parents[2].rows[1][31] = 0x74; }},
      {"challenges[0].column.path.leaf", [](auto& p) { p.challenges[0].column.path.leaf[31] = 0xff; }},
    });
}

TEST_CASE("a PoSt partition that cannot fill the circuit is refused with its place") {
  check_refused<filecoin::post_partition>(
    "window-2k-v1_2",
    {
      {"sectors", [](auto& p) { p.sectors.clear(); }},
      {"sectors", [](auto& p) { p.sectors.resize(3, p.sectors[0]); }},
      {"slots", [](auto& p) { p.shape.slots = 3; }},
      {"challenges", [](auto& p) { p.shape.challenges = 1; }},
      {"sectors[1].paths", [](auto& p) { p.sectors[1].paths.pop_back(); }},
      {"sectors[1].comm_c", [](auto& p) { p.sectors[1].comm_c.fill(0xff); }},
      {"sectors[0].paths[9].siblings[13]", [](auto& p) { p.sectors[0].paths[9].siblings[13].fill(0xff); }},
    });
  check_refused<filecoin::post_partition>("winning-2k",
                                          {
                                            {"sectors", [](auto& p) { p.sectors.push_back(p.sectors[0]); }},
                                            {"sectors[0].paths", [](auto& p) { p.sectors[0].paths.resize(65); }},
                                          });
}

TEST_CASE("an update partition that cannot fill the circuit is refused with its place") {
  check_refused<filecoin::snap_partition>(
    "update-2k", {
                   {"index", [](auto& p) { p.index = 1; }},
                   {"apex_leaves", [](auto& p) { p.apex_leaves.pop_back(); }},
                   {"apex_leaves[7]", [](auto& p) { p.apex_leaves[7].fill(0xff); }},
                   {"challenges", [](auto& p) { p.challenges.pop_back(); }},
                   {"challenges[9].tree_d_new.siblings", [](auto& p) { p.challenges[9].tree_d_new.siblings.clear(); }},
                   {"challenges[2].tree_r_new.root", [](auto& p) { p.challenges[2].tree_r_new.root.fill(0xff); }},
                 });
}

TEST_CASE("a partition of another kind is refused") {
  thread_pool pool(1);
  for (const auto kind : {proof_kind::porep, proof_kind::snap}) {
    const auto w = (*find_circuit({kind, sector_size::k2}))->witness(filecoin::post_partition{}, pool);
    REQUIRE(!w);
    CHECK(w.err().code == errc::bad_input);
  }
}

TEST_CASE("a compact witness of porep-2k is at most 2 MB") {
  const auto text = *find_circuit({proof_kind::porep, sector_size::k2});
  const auto job = load(vanilla_case("porep-2k-v1_1"));
  thread_pool pool(1);
  const auto w = text->witness(job.partitions[0], pool);
  REQUIRE(w);
  CHECK(w->bytes() <= 2'000'000);
}
