// Matrices kept in a file: the same when mapped, refused when anything about them is wrong, made again when asked for.
#include "circuits/catalog.hpp"
#include "circuits/known_digests.hpp"
#include "groth16/checked_files.hpp"
#include "groth16/matrix_file.hpp"
#include "tests/groth16/made_key.hpp"
#include "tests/support/catch.hpp"

#include <fstream>

using namespace cuzk;
using namespace cuzk::groth16;
using namespace cuzk::test;

namespace {

const filecoin::circuit_name window_2k{filecoin::proof_kind::window, filecoin::sector_size::k2};

struct kept_matrices {
  temp_dir dir;
  std::string path = dir / "window-2k.matrices";
  std::shared_ptr<const circuits::circuit> text = *circuits::find_circuit(window_2k);
  std::shared_ptr<const groth16::circuit> built = *read_circuit(*text);
  matrix_key key{text->wires().counts(), text->size().rows, built->matrices.hash};

  kept_matrices() { REQUIRE(write_matrices(built->matrices, path)); }
  bytes file() const { return read_file(path); }
  void replace(const bytes& data) const {
    std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(data.data()), std::ssize(data));
  }
  std::string refusal() const {
    auto read = read_matrices(path, key, "");
    return read ? "accepted" : read.err().message();
  }
};

template <class T>
bool same(std::span<T> a, std::span<T> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}
bool same(const sparse_matrix& a, const sparse_matrix& b) {
  return same(a.row_lengths, b.row_lengths) && same(a.block_entry, b.block_entry) && same(a.block_long, b.block_long) &&
         same(a.long_rows, b.long_rows) && same(a.columns, b.columns) && same(a.codes, b.codes);
}
bool same(const matrices& a, const matrices& b) {
  return a.wires == b.wires && a.circuit_rows == b.circuit_rows && a.column_bits == b.column_bits && a.hash == b.hash &&
         same(a.coefficients, b.coefficients) && same(a.a, b.a) && same(a.b, b.b) && same(a.c, b.c) &&
         same(a.a_density.mask, b.a_density.mask) && same(a.b_density.mask, b.b_density.mask) &&
         a.a_density.aux == b.a_density.aux && a.b_density.inputs == b.b_density.inputs;
}

} // namespace

TEST_CASE("matrices come back from their file as they were") {
  const kept_matrices kept;
  const auto read = read_matrices(kept.path, kept.key, "");
  REQUIRE(read);
  CHECK(same(*read, kept.built->matrices));
}

TEST_CASE("a byte changed anywhere in a file of matrices is noticed") {
  const kept_matrices kept;
  const auto good = kept.file();
  for (const std::size_t at :
       {std::size_t{0}, std::size_t{9}, std::size_t{13}, std::size_t{40}, std::size_t{70}, std::size_t{120},
        std::size_t{300}, std::size_t{4096}, good.size() / 2, good.size() - 1}) {
    auto bad = good;
    bad[at] ^= 0x10;
    kept.replace(bad);
    INFO(at << ": " << kept.refusal());
    CHECK(kept.refusal() != "accepted");
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{100}, std::size_t{4096}, good.size() - 64}) {
    auto bad = good;
    bad.resize(size);
    kept.replace(bad);
    CHECK(kept.refusal() != "accepted");
  }
  auto longer = good;
  longer.push_back(0);
  kept.replace(longer);
  CHECK(kept.refusal().find("does not have the size that its head says") != std::string::npos);
}

TEST_CASE("a file of matrices whose indices lead astray is refused although its digests are right") {
  const kept_matrices kept;
  auto hostile = kept.built->matrices;
  std::vector<std::uint32_t> columns(hostile.b.columns.begin(), hostile.b.columns.end());
  columns[7] = hostile.wires.total();
  hostile.b.columns = columns;
  REQUIRE(write_matrices(hostile, kept.path));
  CHECK(kept.refusal().find("is damaged") != std::string::npos);

  hostile = kept.built->matrices;
  std::vector<std::uint8_t> lengths(hostile.a.row_lengths.begin(), hostile.a.row_lengths.end());
  ++lengths[300];
  hostile.a.row_lengths = lengths;
  REQUIRE(write_matrices(hostile, kept.path));
  CHECK(kept.refusal().find("is damaged") != std::string::npos);
}

TEST_CASE("a file of matrices of other rows or another circuit is refused") {
  const kept_matrices kept;
  auto other = kept.key;
  other.hash[3] ^= 1;
  CHECK(read_matrices(kept.path, other, "").err().message().find("another circuit") != std::string::npos);
  other = kept.key;
  ++other.circuit_rows;
  CHECK(read_matrices(kept.path, other, "").err().code == errc::params);
}

TEST_CASE("a file of matrices is read in full once") {
  const kept_matrices kept;
  const auto memory = kept.dir / "checked";
  REQUIRE(read_matrices(kept.path, kept.key, memory));
  CHECK(checked_files::read(memory).digest_of(mapped_file::open(kept.path)->stamp()));
  auto bad = kept.file();
  bad[5000] ^= 1;
  kept.replace(bad); // another time stamp: it is read again
  CHECK(read_matrices(kept.path, kept.key, memory).err().message().find("is damaged") != std::string::npos);
}

TEST_CASE("a circuit is kept when it was built, and built again when what was kept is no good") {
  const kept_matrices kept;
  const auto good = kept.file();
  for (const bool damaged : {false, true}) {
    if (damaged) {
      auto bad = good;
      bad[6000] ^= 1;
      kept.replace(bad);
    }
    const auto loaded = load_circuit(*kept.text, kept.dir.path());
    REQUIRE(loaded);
    CHECK(same((*loaded)->matrices, kept.built->matrices));
    CHECK(kept.file() == good);
  }
  const auto nowhere = load_circuit(*kept.text, kept.dir / "no such folder");
  REQUIRE(nowhere);
  CHECK(same((*nowhere)->matrices, kept.built->matrices));
}

TEST_CASE("the digests that the program knows are those of the vectors") {
  int seen = 0;
  for (const auto& entry : read_vectors("r1cs.json"))
    if (const auto name = filecoin::parse_circuit_name(entry["name"].get<std::string>())) {
      const auto known = circuits::known_digest(*name);
      REQUIRE(known);
      CHECK(to_hex(*known) == entry["hash"].get<std::string>());
      ++seen;
    }
  CHECK(seen == 39);
}
