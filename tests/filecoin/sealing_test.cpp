// Sectors sealed here are those of the reference, byte for byte: labels, trees, commitments, C1 outputs, PoSt and
// update proofs.
#include "filecoin/bincode_write.hpp"
#include "filecoin/fr32.hpp"
#include "filecoin/json_write.hpp"
#include "filecoin/prove_vanilla.hpp"
#include "filecoin/snap.hpp"
#include "math/hash/sha256.hpp"
#include "runtime/base/thread_pool.hpp"
#include "tests/filecoin/vanilla_cases.hpp"
#include "tests/support/catch.hpp"

#include <map>
#include <memory>
#include <numeric>

using namespace cuzk;
using namespace cuzk::filecoin;
using namespace cuzk::test;
using nlohmann::json;

namespace {

/// Nodes of the padded sector by the rule of the vectors.
std::vector<digest> data_of(const json& rule, std::uint64_t nodes) {
  std::vector<digest> out(nodes, digest{});
  const std::string text = rule["rule"];
  for (std::uint64_t i = 0; i < nodes; ++i) {
    std::uint64_t number = 0;
    if (text == "node i = le32(i*i + k)")
      number = i * i + rule["k"].get<std::uint64_t>();
    else if (text == "node i = le32(a*i + b)")
      number = rule["a"].get<std::uint64_t>() * i + rule["b"].get<std::uint64_t>();
    else if (text.find("SHA256") != std::string::npos) {
      const std::string label = rule["label"];
      std::array<std::uint8_t, 8> index;
      for (int b = 0; b < 8; ++b)
        index[static_cast<std::size_t>(b)] = static_cast<std::uint8_t>(i >> (8 * b));
      out[i] = trimmed(sha256().update(as_bytes(label)).update(index).finish());
      continue;
    } else {
      REQUIRE(text == "node i = 0");
    }
    for (int b = 0; b < 8; ++b)
      out[i][static_cast<std::size_t>(b)] = static_cast<std::uint8_t>(number >> (8 * b));
  }
  return out;
}

std::string digest_of(std::span<const digest> nodes) {
  sha256 hash;
  for (const auto& n : nodes)
    hash.update(n);
  return to_hex(hash.finish());
}

/// SHA-256 of the file of base tree i: its rows, leaves first.
std::string base_tree_digest(const merkle_tree& tree, unsigned base_levels, std::size_t i) {
  sha256 hash;
  for (unsigned level = 0; level <= base_levels; ++level) {
    const std::size_t width =
      tree.leaves().size() / tree.row(base_levels).size() * tree.row(level).size() / tree.leaves().size();
    for (const auto& n : std::span(tree.row(level)).subspan(i * width, width))
      hash.update(n);
  }
  return to_hex(hash.finish());
}

/// Seals each sector once.
class sealer {
public:
  const sealed_sector& operator()(const std::string& name) {
    auto& slot = done_[name];
    if (!slot)
      slot = std::make_unique<sealed_sector>(make(vanilla_case(name)));
    return *slot;
  }
  thread_pool& pool() { return pool_; }

private:
  sealed_sector make(const vanilla_case& v) {
    const auto who = v.identity();
    const sealing_order order{
      v.size(), v.proof().api, {*who.prover_id, *who.sector, *who.porep_id}, read_digest(v.expected["ticket"])};
    auto out = seal(order, data_of(v.expected["data"], shape_of(v.size()).nodes()), pool_);
    if (!out)
      FAIL(out.err().message());
    return *std::move(out);
  }

  thread_pool pool_{2};
  std::map<std::string, std::unique_ptr<sealed_sector>> done_;
};

/// The vectors list the files of base trees by name: 0, 1, 10, 11, …, 2, …
std::vector<std::size_t> by_name(std::size_t count) {
  std::vector<std::size_t> out(count);
  std::iota(out.begin(), out.end(), std::size_t(0));
  std::sort(out.begin(), out.end(), [](std::size_t a, std::size_t b) { return std::to_string(a) < std::to_string(b); });
  return out;
}

void trees_match(const json& expected, const sealed_sector& s) {
  const unsigned levels = shape_of(s.order.size).tree.base_levels;
  const auto& roots = s.tree_c.row(levels);
  REQUIRE(expected["tree_c"].size() == roots.size());
  const std::size_t width = s.tree_c.leaves().size() / roots.size();
  sha256 column_hashes;
  std::size_t row = 0;
  for (const auto i : by_name(roots.size())) {
    CHECK(base_tree_digest(s.tree_c, levels, i) == expected["tree_c"][row]["sha256"].get<std::string>());
    CHECK(roots[i] == read_digest(expected["tree_c_base_roots"][row]));
    CHECK(s.tree_r.row(levels)[i] == read_digest(expected["tree_r_last_base_roots"][row]));
    for (const auto& leaf : std::span(s.tree_c.leaves()).subspan(i * width, width))
      column_hashes.update(leaf);
    ++row;
  }
  CHECK(to_hex(column_hashes.finish()) == expected["column_hashes"]["sha256"].get<std::string>());
  CHECK(base_tree_digest(s.tree_d, shape_of(s.order.size).lg_nodes, 0) ==
        expected["tree_d"][0]["sha256"].get<std::string>());
}

void sealing_matches(const vanilla_case& v, const sealed_sector& s) {
  const json& expected = v.expected["sealing"];
  CHECK(digest_of(s.tree_d.leaves()) == expected["padded_data_sha256"].get<std::string>());
  const auto unpadded = fr32_unpad(s.tree_d.leaves());
  REQUIRE(unpadded);
  CHECK(to_hex(sha256_of(*unpadded)) == expected["unpadded_data_sha256"].get<std::string>());
  const auto padded = fr32_pad(*unpadded);
  REQUIRE(padded);
  CHECK(*padded == s.tree_d.leaves());
  CHECK(to_hex(s.replica_id) == v.expected["replica_id"].get<std::string>());
  for (const json& layer : expected["layers"])
    CHECK(digest_of(s.layers[layer["layer"].get<std::size_t>() - 1]) == layer["sha256"].get<std::string>());
  CHECK(digest_of(s.tree_r.leaves()) == expected["replica"]["sha256"].get<std::string>());
  trees_match(expected, s);
  CHECK(to_hex(s.comm_d()) == v.expected["comm_d"].get<std::string>());
  CHECK(to_hex(s.comm_c()) == v.expected["comm_c"].get<std::string>());
  CHECK(to_hex(s.comm_r_last()) == v.expected["comm_r_last"].get<std::string>());
  CHECK(to_hex(s.comm_r) == v.expected["comm_r"].get<std::string>());
}

void c1_matches(const vanilla_case& v, const sealed_sector& s) {
  const auto c1 = make_c1(s, v.proof().feature, read_digest(v.expected["seed"]));
  CHECK(write_c1_bincode(c1) == v.file("c1-inner.bin"));
  const bool inner = v.size() != sector_size::k2 && v.size() != sector_size::m8;
  const auto text = inner ? write_c1_inner_json(c1) : write_c1_json(c1);
  CHECK(as_bytes(text) == v.file(inner ? "c1-inner.json" : "c1.json"));
}

void pieces_match(const vanilla_case& v, const std::vector<digest>& data) {
  std::vector<piece> pieces;
  std::size_t at = 0;
  for (const json& p : v.expected["pieces"]) {
    const auto nodes = p["padded_size"].get<std::size_t>() / 32;
    pieces.push_back(piece_of({data.begin() + std::ptrdiff_t(at), data.begin() + std::ptrdiff_t(at + nodes)}));
    CHECK(to_hex(pieces.back().comm_p) == p["comm_p"].get<std::string>());
    at += nodes;
  }
  const auto comm_d = comm_d_of(pieces, bytes_of(v.size()));
  REQUIRE(comm_d);
  const char* name = v.kind() == proof_kind::snap ? "comm_d_new" : "comm_d";
  CHECK(to_hex(*comm_d) == v.expected[name].get<std::string>());
}

void seal_and_compare(const std::string& name, sealer& sealed) {
  INFO(name);
  const vanilla_case v(name);
  const auto& s = sealed(name);
  sealing_matches(v, s);
  c1_matches(v, s);
  pieces_match(v, s.tree_d.leaves());
}

void post_matches(const std::string& name, sealer& sealed) {
  INFO(name);
  const vanilla_case v(name);
  const auto slots = v.kind() == proof_kind::winning ? 1u : shape_of(v.size()).window.slots;
  std::vector<post_sector> sectors;
  for (std::size_t i = 0; i < v.expected["sectors"].size(); ++i) {
    const json& row = v.expected["sectors"][i];
    const auto& s = sealed(row["sealed_as"].get<std::string>());
    sectors.push_back(make_post_sector(
      s, {v.proof(), read_digest(v.expected["randomness"]), static_cast<std::uint32_t>(i / slots), i % slots}));
    CHECK(write_post_sector(sectors.back(), shape_of(v.size())) ==
          v.file(row["vanilla_proof"]["file"].get<std::string>()));
  }
  const auto job =
    write_post_job(v.proof(), read_digest(v.expected["prover_id"]), read_digest(v.expected["randomness"]), sectors);
  CHECK(json::parse(job) == v.document());
}

void update_matches(const std::string& name, sealer& sealed) {
  INFO(name);
  const vanilla_case v(name);
  const auto& old = sealed(v.expected["old_sector"].get<std::string>());
  const auto data = data_of(v.expected["new_data"], shape_of(v.size()).nodes());
  pieces_match(v, data);
  const auto updated = update_sector(old, data, sealed.pool());
  REQUIRE(updated);
  CHECK(to_hex(updated->comm_r_new) == v.expected["comm_r_new"].get<std::string>());
  CHECK(digest_of(updated->tree_r.leaves()) == v.expected["encoding"]["new_replica"]["sha256"].get<std::string>());
  CHECK(decode_update(old, *updated) == data);
  std::vector<snap_partition> partitions;
  for (const json& p : v.expected["partitions"]) {
    partitions.push_back(make_snap_partition(old, *updated, p["k"].get<unsigned>()));
    CHECK(write_snap_partition(partitions.back(), shape_of(v.size())) == v.file(p["file"].get<std::string>()));
  }
  CHECK(json::parse(write_snap_job(v.proof(), partitions)) == v.document());
}

bool is_large(const std::string& name) {
  return name.find("-8m") != std::string::npos;
}

} // namespace

TEST_CASE("small sectors seal to the reference's labels, trees, commitments and C1 outputs") {
  sealer sealed;
  for (const auto& name : porep_cases())
    if (!is_large(name))
      seal_and_compare(name, sealed);
}

TEST_CASE("PoSt proofs of small sectors are the reference's") {
  sealer sealed;
  for (const auto& name : post_cases())
    if (!is_large(name))
      post_matches(name, sealed);
}

TEST_CASE("updates of small sectors are the reference's and decode to the data") {
  sealer sealed;
  for (const auto& name : snap_cases())
    if (!is_large(name))
      update_matches(name, sealed);
}

TEST_CASE("an 8 MiB sector seals, proves and updates as the reference's", "[slow]") {
  sealer sealed;
  seal_and_compare("porep-8m", sealed);
  post_matches("winning-8m", sealed);
  post_matches("window-8m", sealed);
  update_matches("update-8m", sealed);
}

TEST_CASE("the envelope written around a C1 output loads") {
  const vanilla_case v("porep-2k-v1_1");
  const auto text = v.file("c1.json");
  const auto file = write_envelope(7, std::string(text.begin(), text.end()), sector_size::k2);
  CHECK(json::parse(file) == envelope(7, text, 2048));
}

TEST_CASE("pieces are aligned and filled up with zeros") {
  const auto zero = [](std::size_t nodes) { return piece_of(std::vector<digest>(nodes, digest{})); };
  const auto comm_d = [](const std::vector<piece>& pieces) { return comm_d_of(pieces, 2048); };
  const auto empty = comm_d({});
  REQUIRE(empty);
  CHECK(*comm_d({zero(4), zero(8)}) == *empty);
  // One small piece, then one that must begin at a multiple of its size.
  std::vector<digest> nodes(64, digest{});
  nodes[0][0] = 1;
  nodes[16][0] = 2;
  const piece first = piece_of({nodes.begin(), nodes.begin() + 4});
  const piece second = piece_of({nodes.begin() + 16, nodes.begin() + 32});
  CHECK(*comm_d({first, second}) == sha256_root(nodes));
}

TEST_CASE("data that cannot be sealed is refused") {
  thread_pool pool(1);
  const sealing_order order{sector_size::k2, api_version::v1_1_0, {}, {}};
  CHECK_FALSE(seal(order, std::vector<digest>(63, digest{}), pool));
  std::vector<digest> high(64, digest{});
  high[5].fill(0xff);
  CHECK_FALSE(seal(order, high, pool));
  CHECK_FALSE(seal({sector_size::g32, api_version::v1_1_0, {}, {}}, {}, pool));
  CHECK_FALSE(fr32_pad(bytes(128, 0)));
  CHECK_FALSE(fr32_unpad(high));
  CHECK_FALSE(comm_d_of(std::vector<piece>{{digest{}, 96}}, 2048));
  CHECK_FALSE(comm_d_of(std::vector<piece>{{digest{}, 64}}, 2048));
  CHECK_FALSE(comm_d_of(std::vector<piece>{{digest{}, 2048}, {digest{}, 128}}, 2048));
}
