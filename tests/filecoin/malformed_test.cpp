// Damaged inputs: every entry of the reference's list is refused where the reference refuses it or earlier.
#include "filecoin/input.hpp"
#include "math/hash/sha256.hpp"
#include "runtime/base/thread_pool.hpp"
#include "tests/filecoin/vanilla_cases.hpp"
#include "tests/support/catch.hpp"

#include <ctime>
#include <set>

using namespace cuzk;
using namespace cuzk::filecoin;
using namespace cuzk::test;
using nlohmann::json;

namespace {

/// Entries that change nothing the proofs depend on: these must be accepted …
const std::set<int> must_accept = {0, 4, 7, 54, 71, 76};
/// … and these may be; we refuse them, because an honest prover never writes them.
const std::set<int> accepted_by_reference = {39, 44, 57, 78, 89};

bytes from_list(const json& hex) {
  return unhex(hex.get<std::string>());
}

void mutate_bytes(bytes& file, const json& m) {
  const std::string op = m["op"];
  const auto offset = m.value("offset", std::size_t(0));
  const auto at = file.begin() + static_cast<std::ptrdiff_t>(offset);
  if (op == "truncate") {
    file.resize(m["length"].get<std::size_t>());
  } else if (op == "append") {
    const auto tail = from_list(m["hex"]);
    file.insert(file.end(), tail.begin(), tail.end());
  } else if (op == "write") {
    const auto data = from_list(m["hex"]);
    std::copy(data.begin(), data.end(), at);
  } else if (op == "xor") {
    *at ^= m["mask"].get<std::uint8_t>();
  } else if (op == "delete") {
    file.erase(at, at + m["length"].get<std::ptrdiff_t>());
  } else if (op == "replace_text") {
    std::string text(file.begin(), file.end());
    const std::string from = m["from"];
    text.replace(text.find(from), from.size(), m["to"].get<std::string>());
    file = as_bytes(text);
  }
}

void mutate_json(bytes& file, const json& m) {
  const std::string op = m["op"];
  auto document = json::parse(file.begin(), file.end());
  const json::json_pointer pointer(m["pointer"].get<std::string>());
  auto& parent = document[pointer.parent_pointer()];
  const std::string last = pointer.back();
  if (op == "json_set") {
    document[pointer] = m["value"];
  } else if (op == "json_xor") {
    document[pointer] = document[pointer].get<std::uint64_t>() ^ m["mask"].get<std::uint64_t>();
  } else if (op == "json_remove") {
    if (parent.is_array())
      parent.erase(std::stoul(last));
    else
      parent.erase(last);
  } else if (op == "json_rename") {
    parent[m["to"].get<std::string>()] = parent[last];
    parent.erase(last);
  } else if (op == "json_duplicate_item") {
    parent.insert(parent.begin() + static_cast<std::ptrdiff_t>(std::stoul(last)), parent[std::stoul(last)]);
  }
  file = as_bytes(document);
}

void mutate(bytes& file, const json& m) {
  if (m["op"] == "sequence")
    for (const json& step : m["steps"])
      mutate_bytes(file, step);
  else if (m.contains("pointer"))
    mutate_json(file, m);
  else
    mutate_bytes(file, m);
}

struct damaged {
  bytes file;
  input_options options;
};

bytes base_file(const vanilla_case& v, const std::string& leaf) {
  if (leaf != "c1-lotus.json")
    return v.file(leaf);
  return as_bytes(envelope(v.expected["sector_id"], v.file("c1.json"), v.expected["sector_size"]));
}

/// The job around a changed vanilla proof: the other files and arguments of the case stay as they are.
json job_around(const vanilla_case& v, const std::string& leaf, const json& m) {
  auto proofs = v.proofs();
  if (m["op"] == "no_file")
    return v.document({});
  if (m["op"] == "file_twice")
    return v.document({proofs.front(), proofs.front()});
  for (auto& p : proofs)
    if (p == v.file(leaf))
      mutate(p, m);
  auto document = v.document(proofs);
  if (m.contains("argument")) {
    auto argument = from_list(document[m["argument"].get<std::string>()]);
    if (m["op"] == "argument_xor")
      argument[m["offset"].get<std::size_t>()] ^= m["mask"].get<std::uint8_t>();
    else
      argument = from_list(m["hex"]);
    document[m["argument"].get<std::string>()] = to_hex(argument);
  }
  return document;
}

damaged make(const json& entry) {
  const std::string base = entry["base"];
  const auto slash = base.find('/');
  const vanilla_case v(base.substr(0, slash));
  const std::string leaf = base.substr(slash + 1);
  if (v.kind() != proof_kind::porep)
    return {as_bytes(job_around(v, leaf, entry["mutation"])), {}};
  damaged out{base_file(v, leaf), v.identity()};
  mutate(out.file, entry["mutation"]);
  if (entry.contains("mutated_sha256"))
    REQUIRE(to_hex(sha256_of(out.file)) == entry["mutated_sha256"].get<std::string>());
  return out;
}

double cpu_ms() {
  return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

} // namespace

TEST_CASE("every damaged input of the list is refused at its stage or earlier, or accepted where it must be") {
  thread_pool pool(1);
  const auto list = read_vectors("vanilla/malformed/list.json");
  REQUIRE(list.size() == 94);
  for (const json& entry : list) {
    const int id = entry["id"];
    const std::string stage = entry["reference"]["stage"];
    INFO(id << " " << entry["what"] << ", reference: " << stage);
    const auto input = make(entry);
    const double before = cpu_ms();
    const auto job = load_job(input.file, input.options);
    const double load_ms = cpu_ms() - before;
    if (must_accept.count(id) != 0) {
      REQUIRE(job);
      CHECK(check(*job, pool));
      continue;
    }
    if (stage == "accepted")
      REQUIRE(accepted_by_reference.count(id) == 1);
    if (stage == "parse" || stage == "precheck" || stage == "not measured")
      REQUIRE_FALSE(job);
    if (!job) {
      CHECK(load_ms < 10);
      CHECK(job.err().code == errc::bad_input);
      CHECK_FALSE(job.err().where.empty());
      CHECK_FALSE(job.err().text.empty());
      continue;
    }
    const auto done = check(*job, pool);
    REQUIRE_FALSE(done);
    CHECK(done.err().code == errc::bad_input);
    CHECK_FALSE(done.err().where.empty());
  }
}
