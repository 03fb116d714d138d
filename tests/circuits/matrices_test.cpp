// Compact matrices, the wire map and row evaluation against rows kept in full.
#include "circuits/core/build.hpp"
#include "circuits/core/evaluate.hpp"
#include "gadget_cases.hpp"
#include "row_store.hpp"
#include "tests/support/catch.hpp"

#include <map>
#include <random>

using namespace cuzk;
using namespace cuzk::circuits;
using namespace cuzk::test;

namespace {

using row_terms = std::map<std::uint32_t, std::array<std::uint64_t, 4>>; // wire -> limbs of the coefficient

row_terms expected_terms(std::span<const term> side, const wire_map& wires, const coefficient_pool& pool) {
  row_terms out;
  for (const auto& t : side) {
    const auto wire = is_aux(t.var) ? wires.wire_of_aux(index_of(t.var)) : t.var;
    std::copy_n(pool.value(t.coefficient).limb, 4, out[wire].begin());
  }
  return out;
}

row_terms terms_of(const row_view& row, const matrices& m) {
  row_terms out;
  for (std::size_t e = 0; e < row.columns.size(); ++e)
    std::copy_n(m.coefficients[m.code_of(row.columns[e], row.codes[e])].limb, 4,
                out[m.wire_of(row.columns[e])].begin());
  return out;
}

struct read_gadget {
  row_store store;
  std::unique_ptr<shape_reader> cs;
  built_circuit built;
};

std::unique_ptr<read_gadget> read(const gadget_case& gadget) {
  auto out = std::make_unique<read_gadget>();
  report ignored;
  out->cs = std::make_unique<shape_reader>(&out->store);
  gadget.shape(*out->cs, ignored);
  auto built = build_circuit([&](shape_reader& cs) { gadget.shape(cs, ignored); });
  REQUIRE(built);
  out->built = *std::move(built);
  return out;
}

void check_matrix(const read_gadget& g, const sparse_matrix& m, std::size_t row_store::stored_row::*begin,
                  std::size_t row_store::stored_row::*end) {
  REQUIRE(m.rows() == g.store.rows.size());
  std::uint64_t seen = 0;
  bool equal = true;
  for (std::uint64_t block = 0; block < m.blocks(); ++block) // every block on its own: its offsets count
    for_each_row(m, block, block + 1, [&](std::uint64_t row, const row_view& view) {
      const auto& stored = g.store.rows[row];
      const std::span side(g.store.terms.data() + stored.*begin, stored.*end - stored.*begin);
      equal =
        equal && row == seen++ && terms_of(view, g.built.matrices) == expected_terms(side, g.built.wires, g.cs->pool());
    });
  CHECK(seen == m.rows());
  CHECK(equal);
}

// With long rows, many blocks, more than 256 coefficients, inputs, and no rows at all.
const char* const samples[] = {"sha256-512", "poseidon-11", "por-poseidon-8-8-2-1024-vars", "pack-into-inputs-512",
                               "num",        "post-2x3",    "uint32-add-chain-9x8"};

fr random_scalar(std::mt19937_64& random) {
  fr x = fr::from_u64(random());
  for (int i = 0; i < 3; ++i)
    x = x * fr::from_u64(random()) + fr::from_u64(random());
  return x;
}

/// Any values, satisfying or not.
compact_witness random_witness(const wire_counts& counts, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<fr> inputs = {fr::one()}, fields;
  while (inputs.size() < counts.inputs)
    inputs.push_back(random_scalar(random));
  while (fields.size() < counts.fields)
    fields.push_back(random_scalar(random));
  std::vector<std::uint64_t> bits((counts.bits + std::size_t(63)) / 64);
  for (auto& word : bits)
    word = random();
  if (counts.bits % 64 != 0)
    bits.back() &= (std::uint64_t(1) << (counts.bits % 64)) - 1;
  return compact_witness(std::move(inputs), std::move(fields), std::move(bits), counts.bits);
}

} // namespace

TEST_CASE("compact matrices hold the rows that were read") {
  const auto table = all_gadget_cases();
  for (const char* name : samples) {
    INFO(name);
    const auto g = read(table.at(name));
    check_matrix(*g, g->built.matrices.a, &row_store::stored_row::a, &row_store::stored_row::b);
    check_matrix(*g, g->built.matrices.b, &row_store::stored_row::b, &row_store::stored_row::c);
    check_matrix(*g, g->built.matrices.c, &row_store::stored_row::c, &row_store::stored_row::end);
  }
}

TEST_CASE("one and minus one have the codes 0 and 1, the rest follow by falling use") {
  const auto g = read(all_gadget_cases().at("poseidon-11"));
  const auto& m = g->built.matrices;
  CHECK(m.coefficients[0] == fr::one());
  CHECK(m.coefficients[1] == -fr::one());
  CHECK(m.coefficients.size() > 256);
  std::vector<std::uint64_t> uses(m.coefficients.size());
  for (const auto* side : {&m.a, &m.b, &m.c})
    for (std::size_t e = 0; e < side->entries(); ++e)
      ++uses[m.code_of(side->columns[e], side->codes[e])];
  CHECK(std::is_sorted(uses.begin() + 2, uses.end(), std::greater<>()));
}

TEST_CASE("densities name the wires that occur") {
  for (const char* name : samples) {
    INFO(name);
    const auto g = read(all_gadget_cases().at(name));
    const auto& m = g->built.matrices;
    CHECK(m.a_density.aux == g->built.counts.a_aux_density);
    CHECK(m.b_density.aux == g->built.counts.b_aux_density);
    CHECK(m.b_density.inputs == g->built.counts.b_input_density);
    std::vector<bool> in_b(m.wires.total());
    for (const auto column : m.b.columns)
      in_b[m.wire_of(column)] = true;
    bool equal = true;
    for (std::uint32_t w = 0; w < m.wires.total(); ++w)
      equal = equal && in_b[w] == m.b_density.has(w);
    CHECK(equal);
  }
}

TEST_CASE("aux order and compact order map to each other") {
  const auto g = read(all_gadget_cases().at("por-poseidon-8-8-2-1024-vars"));
  const auto& map = g->built.wires;
  std::vector<bool> met(map.counts().total());
  for (std::uint32_t j = 0; j < map.counts().aux(); ++j) {
    const auto wire = map.wire_of_aux(j);
    REQUIRE(wire < met.size());
    met[wire] = true;
    REQUIRE(map.aux_of_wire(wire) == j);
  }
  CHECK(std::count(met.begin(), met.end(), true) == map.counts().aux());
  CHECK(map.runs().size() > 4);
}

TEST_CASE("row values equal sums taken term by term, for any values") {
  thread_pool pool(2);
  const auto table = all_gadget_cases();
  for (const char* name : samples) {
    INFO(name);
    const auto g = read(table.at(name));
    const auto& m = g->built.matrices;
    const auto w = random_witness(m.wires, 7);
    std::vector<fr> values(m.rows() + 3, fr::one());
    const std::pair<which_matrix, const sparse_matrix*> sides[] = {
      {which_matrix::a, &m.a}, {which_matrix::b, &m.b}, {which_matrix::c, &m.c}};
    for (const auto& [which, side] : sides) {
      REQUIRE(evaluate(m, which, w, values, pool));
      bool equal = true;
      for_each_row(*side, 0, side->blocks(), [&](std::uint64_t row, const row_view& view) {
        fr sum = fr::zero();
        for (std::size_t e = 0; e < view.columns.size(); ++e)
          sum += w.wire(m.wire_of(view.columns[e])) * m.coefficients[m.code_of(view.columns[e], view.codes[e])];
        equal = equal && sum == values[row];
      });
      CHECK(equal);
      CHECK(values[m.circuit_rows] == (which == which_matrix::a ? fr::one() : fr::zero()));
      CHECK(values.back() == fr::zero());
    }
  }
}

TEST_CASE("evaluation refuses a witness of another circuit and a short output") {
  thread_pool pool(1);
  const auto g = read(all_gadget_cases().at("post-2x3"));
  const auto& m = g->built.matrices;
  auto counts = m.wires;
  std::vector<fr> values(m.rows());
  CHECK(evaluate(m, which_matrix::a, random_witness(counts, 1), values, pool));
  values.pop_back();
  CHECK(!evaluate(m, which_matrix::a, random_witness(counts, 1), values, pool));
  counts.bits -= 1;
  values.resize(m.rows());
  CHECK(!evaluate(m, which_matrix::a, random_witness(counts, 1), values, pool));
  CHECK(!first_broken_row(m, random_witness(counts, 1), pool));
}

TEST_CASE("the first broken row is found among many") {
  thread_pool pool(2);
  const auto gadget = all_gadget_cases().at("sha256-512");
  const auto g = read(gadget);
  const auto& m = g->built.matrices;
  report ignored;
  const auto good = build_witness(m.wires, [&](witness_reader& cs) { gadget.witness(cs, ignored); });
  REQUIRE(good);
  CHECK(*first_broken_row(m, *good, pool) == m.circuit_rows);
  for (const std::uint32_t bit : {0u, 511u, 600u, 20000u, m.wires.bits - 1}) {
    INFO("bit " << bit);
    std::vector<std::uint64_t> bits(good->bits().begin(), good->bits().end());
    bits[bit / 64] ^= std::uint64_t(1) << (bit % 64);
    const compact_witness bad({fr::one()}, {}, bits, m.wires.bits);
    const auto broken = first_broken_row(m, bad, pool);
    REQUIRE(broken);
    // slow and sure: the lowest row that does not hold
    const assignment w(bad, g->built.wires);
    std::uint64_t lowest = 0;
    while (lowest < m.circuit_rows && row_check(g->store, lowest, g->cs->pool(), w).holds())
      ++lowest;
    CHECK(*broken == lowest);
    CHECK(*broken < m.circuit_rows);
  }
}

TEST_CASE("a circuit that reads differently the second time is an error") {
  int reading = 0;
  const auto built = build_circuit([&](shape_reader& cs) {
    number(cs, 1);
    if (reading++ > 0)
      number(cs, 2);
  });
  REQUIRE(!built);
  CHECK(built.err().code == errc::internal);
  const auto w = build_witness({1, 1, 0}, [](witness_reader& cs) {
    number(cs, 1);
    number(cs, 2);
  });
  REQUIRE(!w);
  const auto few = build_witness({1, 1, 1}, [](witness_reader& cs) { number(cs, 1); });
  CHECK(!few);
}
