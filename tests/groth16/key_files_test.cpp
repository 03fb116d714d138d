// Key files as bytes: layouts, readers of damaged files, files that appear whole.
#include "groth16/key_check.hpp"
#include "groth16/verifying_key.hpp"
#include "tests/groth16/made_key.hpp"
#include "tests/support/catch.hpp"

#include <filesystem>
#include <fstream>

using namespace cuzk;
using namespace cuzk::groth16;
using namespace cuzk::test;

namespace {

/// The file of a reader entry of the vectors: bytes put at an offset, then cut or filled with zeros.
bytes patched(bytes file, const nlohmann::json& entry) {
  const auto patch = unhex(entry["bytes"].get<std::string>());
  std::copy(patch.begin(), patch.end(), file.begin() + entry["offset"].get<std::ptrdiff_t>());
  if (!entry["length"].is_null())
    file.resize(entry["length"].get<std::size_t>());
  return file;
}

/// What a node does with a key file: opens it, and checks every point.
status read_in_full(const std::string& path, const groth16::circuit& of, thread_pool& pool) {
  auto key = proving_key::open(path, of, {"", false});
  if (!key)
    return std::move(key).err();
  auto checked = check_key(**key, {pool, ""});
  if (!checked)
    return std::move(checked).err();
  return ok();
}

} // namespace

TEST_CASE("sizes follow from the counts of the largest circuits") {
  // porep-32g and window-64g: the largest files there are.
  CHECK(key_layout({328, 134'217'727, 130'169'893, 129'753'620, 33'112'282, 33'112'282}).file_bytes() ==
        47'373'928'632);
  CHECK(key_layout({25'301, 134'217'727, 131'500'200, 99'649'801, 95'413'201, 95'413'201}).file_bytes() ==
        62'556'733'560);
  const key_layout toy({2, 7, 3, 5, 2, 2});
  CHECK(toy.vk_bytes() == 1060);
  CHECK(toy[section::h].offset == 1060);
  CHECK(toy[section::h].points == 1064);
  CHECK(toy[section::b_g2].offset + toy[section::b_g2].bytes == toy.file_bytes());
}

TEST_CASE("every damaged vk of the vectors is judged as the reference does, or more strictly") {
  for (const std::string name : {"cube", "mixed"}) {
    const auto vectors = read_vectors("groth16/" + name + ".json");
    const auto file = read_file(vector_path("groth16/" + name + ".vk"));
    int accepted = 0;
    for (const auto& entry : vectors["vk_readers"]) {
      INFO(name << ": " << entry["what"]);
      auto vk = read_verifying_key(patched(file, entry), "x.vk");
      if (vk) {
        ++accepted;
        CHECK(entry["read"].get<bool>());
        CHECK(write_verifying_key(*vk) == file);
      } else {
        CHECK(vk.err().code == errc::params);
        CHECK(vk.err().where.find("x.vk") == 0);
      }
    }
    CHECK(accepted == 1); // the file itself; infinity, missing and spare bytes are refused
  }
}

TEST_CASE("every damaged key file of the vectors is judged as the reference does, or more strictly") {
  for (const std::string name : {"cube", "mixed"}) {
    made_key key(name);
    const auto file = read_file(key.path);
    int accepted = 0;
    for (const auto& entry : key.vectors["params_readers"]) {
      INFO(name << ": " << entry["what"]);
      write_file(key.path, patched(file, entry));
      auto outcome = read_in_full(key.path, *key.circuit.shape, key.pool);
      if (outcome) {
        ++accepted;
        CHECK(entry["mapped_checked"] == "read");
      } else {
        CHECK(outcome.err().code == errc::params);
      }
    }
    CHECK(accepted == 1);
  }
}

TEST_CASE("a file that is no key says what it is") {
  const made_key key("cube");
  const auto file = read_file(key.path);
  const auto said = [](const bytes& data) {
    const auto layout = read_key_layout(data, "k.params");
    return layout ? std::string() : layout.err().message();
  };
  CHECK(said({}) == "params: k.params: file is empty");
  CHECK(said(as_bytes(std::string("<!DOCTYPE html><title>404</title>"))) ==
        "params: k.params: looks like an HTTP error page (33 bytes)");
  bytes cut(file.begin(), file.end() - 100);
  CHECK(said(cut) == "params: k.params: section b_g2: count 2 does not fit the file: short by 100 bytes");
  cut.resize(500);
  CHECK(said(cut) == "params: k.params: section vk: short by 368 bytes before its count");
  auto longer = file;
  longer.push_back(0);
  CHECK(said(longer) == "params: k.params: 1 byte too many after the last point");
  auto huge = file;
  std::fill_n(huge.begin() + 1060, 4, std::uint8_t{0xff});
  CHECK(said(huge).find("section h: count 4294967295 does not fit the file: short by") != std::string::npos);
}

TEST_CASE("a key of another circuit is refused with both counts") {
  const made_key cube("cube"), mixed("mixed");
  auto opened = proving_key::open(cube.path, *mixed.circuit.shape, {});
  REQUIRE_FALSE(opened);
  CHECK(opened.err().text == "section vk has 2 points, the circuit needs 3 (file of 3096 bytes, expected 3576)");
}

TEST_CASE("what is not a readable file is told apart") {
  const temp_dir dir;
  const auto said = [](const std::string& path) { return mapped_file::open(path).err().text; };
  CHECK(said(dir / "none") == "no such file");
  CHECK(said(dir.path()) == "is a directory, expected a file");
  CHECK(said("/dev/null") == "not a regular file");
  write_file(dir / "empty", {});
  CHECK(said(dir / "empty") == "file is empty");
  std::filesystem::create_symlink(dir / "loop", dir / "loop");
  CHECK(said(dir / "loop") == "too many symbolic links");
}

TEST_CASE("a file is written whole or not at all") {
  const temp_dir dir;
  const bytes data = {1, 2, 3};
  {
    auto file = file_writer::create(dir / "x");
    REQUIRE(file);
    REQUIRE(file->append(data));
    CHECK_FALSE(std::filesystem::exists(dir / "x"));
  }
  CHECK(std::filesystem::is_empty(dir.path()));
  auto file = file_writer::create(dir / "x");
  REQUIRE(file);
  REQUIRE(file->append(data));
  REQUIRE(file->write_at(1, bytes{9}));
  CHECK(file->size() == 3);
  REQUIRE(file->commit());
  CHECK(read_file(dir / "x") == bytes{1, 9, 3});
  CHECK(file_writer::create(dir / "no/such/folder/x").err().code == errc::resources);
  write_file(dir / "y", bytes{1, 9, 3});
  CHECK(same_bytes(dir / "x", dir / "y"));
  write_file(dir / "y", bytes{1, 9, 4});
  CHECK_FALSE(same_bytes(dir / "x", dir / "y"));
  CHECK_FALSE(same_bytes(dir / "x", dir / "z"));
}
