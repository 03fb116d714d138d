// Every gadget of the reference's list: rows, counts, densities, values; and no row that refuses nothing.
#include "circuits/core/build.hpp"
#include "gadget_cases.hpp"
#include "row_store.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"
#include "witness_digests.hpp"

#include <set>

using namespace cuzk;
using namespace cuzk::circuits;
using namespace cuzk::test;

namespace {

bool is_slow(const nlohmann::json& entry) {
  return entry.at("rows") > 2'000'000;
}

std::vector<nlohmann::json> gadget_vectors(bool slow) {
  std::vector<nlohmann::json> out;
  for (const auto& entry : read_vectors("r1cs.json"))
    if (entry.at("kind") == "gadget" && is_slow(entry) == slow)
      out.push_back(entry);
  return out;
}

/// Digests of the first n rows, by n.
std::map<std::uint64_t, std::string> prefixes_of(const nlohmann::json& entry) {
  std::map<std::uint64_t, std::string> out;
  if (entry.contains("prefixes"))
    for (const auto& [rows, digest] : entry.at("prefixes").get<std::map<std::string, std::string>>())
      out[std::stoull(rows)] = digest;
  return out;
}

/// Everything the shape reader says about one gadget.
struct shape_facts {
  r1cs_counts counts;
  wire_map wires;
  std::string hash;
  std::map<std::uint64_t, std::string> prefixes;
};

shape_facts facts_of(const gadget_case& gadget, const nlohmann::json& expected) {
  report ignored;
  shape_reader sizes(nullptr);
  gadget.shape(sizes, ignored);
  std::vector<std::uint64_t> wanted;
  for (const auto& [rows, digest] : prefixes_of(expected))
    wanted.push_back(rows);
  r1cs_digest hash(sizes.size());
  r1cs_counter counter;
  r1cs_prefix_digests prefix(wanted);
  row_tee tee({&hash, &counter, &prefix});
  shape_reader rows(&tee);
  gadget.shape(rows, ignored);
  const auto name = hash.finish(rows.size());
  REQUIRE(name);
  shape_facts out{counter.counts(rows.size()), rows.wires(), hex_of(*name), {}};
  for (const auto& [n, d] : prefix.digests())
    out.prefixes[n] = hex_of(d);
  return out;
}

void check_shape(const nlohmann::json& expected, const shape_facts& got) {
  CHECK(got.counts.inputs == expected.at("inputs"));
  CHECK(got.counts.aux == expected.at("aux"));
  CHECK(got.counts.rows == expected.at("rows"));
  CHECK(got.counts.nnz_a == expected.at("nnz_a"));
  CHECK(got.counts.nnz_b == expected.at("nnz_b"));
  CHECK(got.counts.nnz_c == expected.at("nnz_c"));
  CHECK(got.counts.a_aux_density == expected.at("a_aux_density"));
  CHECK(got.counts.b_input_density == expected.at("b_input_density"));
  CHECK(got.counts.b_aux_density == expected.at("b_aux_density"));
  CHECK(got.prefixes == prefixes_of(expected));
  CHECK(got.hash == expected.at("hash"));
}

compact_witness witness_of(const gadget_case& gadget, const wire_map& wires, report& out) {
  auto w = build_witness(wires.counts(), [&](witness_reader& cs) { gadget.witness(cs, out); });
  REQUIRE(w);
  return *w;
}

void check_all(bool slow) {
  const auto table = all_gadget_cases();
  for (const auto& expected : gadget_vectors(slow)) {
    const auto name = expected.at("name").get<std::string>();
    INFO(name);
    REQUIRE(table.count(name) == 1);
    const auto& gadget = table.at(name);
    const auto facts = facts_of(gadget, expected);
    check_shape(expected, facts);
    if (!expected.contains("witness"))
      continue;
    report out;
    const auto w = witness_of(gadget, facts.wires, out);
    CHECK(aux_sha256(w, facts.wires) == expected.at("witness").at("aux_sha256"));
    if (gadget.inputs_in_output)
      for (std::size_t i = 0; i < w.public_inputs().size(); ++i)
        out.say((i ? "," : "") + report::hex_of(w.public_inputs()[i]));
    CHECK(out.text == expected.at("witness").at("output"));
  }
}

// What is not chosen may be anything.
bool leaves_inputs_free(const std::string& name) {
  return name == "pick" || name.starts_with("select-");
}

/// Rows, values and what refuses what, of one gadget.
void check_no_row_is_decoration(const std::string& name, const gadget_case& gadget) {
  report ignored;
  row_store store;
  shape_reader cs(&store);
  gadget.shape(cs, ignored);
  const auto w = assignment(witness_of(gadget, cs.wires(), ignored), cs.wires());
  const fr delta = fr::from_u64(0x123456789abcdef) + fr::from_u64(0xfedcba987654321).square();
  std::vector<bool> touched(w.aux.size()), refused(w.aux.size());
  std::size_t broken = 0, idle = 0;
  for (std::size_t row = 0; row < store.rows.size(); ++row) {
    const row_check check(store, row, cs.pool(), w);
    broken += !check.holds();
    bool refuses = false;
    for (const auto& t : check.terms()) {
      if (!is_aux(t.var))
        continue;
      const auto j = index_of(t.var);
      touched[j] = true;
      if (refused[j] && refuses)
        continue;
      if (check.refuses(t.var, delta))
        refuses = refused[j] = true;
    }
    idle += !refuses;
  }
  CHECK(broken == 0);
  CHECK(idle == 0);
  if (!leaves_inputs_free(name))
    CHECK((touched == refused));
}

} // namespace

TEST_CASE("every gadget has the rows, counts, densities and values of the reference") {
  check_all(false);
}

TEST_CASE("large parts of the circuits have the rows of the reference", "[slow]") {
  check_all(true);
}

TEST_CASE("every row of a gadget refuses a witness with one changed aux, and every aux is held by a row") {
  for (const auto& [name, gadget] : all_gadget_cases()) {
    if (!gadget.witness || name.starts_with("por-sha256-2-0-0-2^30")) // the same levels as 64 leaves, many times
      continue;
    INFO(name);
    check_no_row_is_decoration(name, gadget);
  }
}

TEST_CASE("the cases cover the whole list of gadgets") {
  const auto table = all_gadget_cases();
  std::set<std::string> listed;
  for (const auto& entry : read_vectors("r1cs.json"))
    if (entry.at("kind") == "gadget")
      listed.insert(entry.at("name"));
  for (const auto& name : listed)
    CHECK(table.count(name) == 1);
}
