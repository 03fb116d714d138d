// The full test of key files, and what is remembered of it.
#include "groth16/checked_files.hpp"
#include "groth16/key_check.hpp"
#include "tests/groth16/made_key.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;
using namespace cuzk::groth16;
using namespace cuzk::test;

namespace {

/// A point of the curve outside the subgroup: x = 4.
bytes stray_point() {
  bytes out(96, 0);
  const auto y =
    unhex("0a989badd40d6212b33cffc3f3763e9bc760f988c9926b26da9dd85e928483446346b8ed00e1de5d5ea93e354abe706c");
  out[47] = 4;
  std::copy(y.begin(), y.end(), out.begin() + 48);
  return out;
}

std::size_t offset_of(const proving_key& key, section s, std::size_t point) {
  return static_cast<std::size_t>(reinterpret_cast<const std::uint8_t*>(key.points(s).data) -
                                  key.file().bytes().data()) +
         point * point_bytes(s);
}

} // namespace

TEST_CASE("a bad point is found by section and index, in small and in large arrays") {
  made_key key("window-2k"); // h has 32767 points: past the size where every point is tested on its own
  const auto file = read_file(key.path);
  const auto opened = key.open({"", false});
  const auto said = [&](section s, std::size_t point, const bytes& with) {
    auto data = file;
    std::copy(with.begin(), with.end(), data.begin() + static_cast<std::ptrdiff_t>(offset_of(*opened, s, point)));
    write_file(key.path, data);
    auto checked = check_key(*key.open({"", false}), {key.pool, ""});
    REQUIRE_FALSE(checked);
    CHECK(checked.err().code == errc::params);
    return checked.err().message();
  };
  const auto start = "params: " + key.path + ": section ";
  bytes off_curve(file.begin() + static_cast<std::ptrdiff_t>(offset_of(*opened, section::h, 1000)),
                  file.begin() + static_cast<std::ptrdiff_t>(offset_of(*opened, section::h, 1001)));
  off_curve[95] ^= 1;
  CHECK(said(section::h, 1000, off_curve) == start + "h, point 1000: is not on the curve");
  bytes above(96, 0xff);
  above[0] = 0x1f;
  CHECK(said(section::a, 7, above) == start + "a, point 7: has a coordinate that is not below the modulus");
  bytes infinity(96, 0);
  infinity[0] = 0x40;
  CHECK(said(section::l, 22000, infinity) == start + "l, point 22000: is the point at infinity");
  CHECK(said(section::b_g1, 16028, stray_point()) == start + "b_g1, point 16028: is not in the subgroup of order r");
  CHECK(said(section::h, 5, stray_point()).find(start + "h, ") == 0);
}

TEST_CASE("a file that passed is not read again until it changes") {
  made_key key("cube");
  const std::string memory = key.dir / "checked";
  const auto check = [&](bool again = false) {
    auto out = check_key(*key.open(), {key.pool, memory, again});
    REQUIRE(out);
    return *out;
  };
  CHECK_FALSE(check().remembered);
  CHECK(check().remembered);
  CHECK(check().digest == key.vectors["params"]["blake2b_512_first_16_bytes"].get<std::string>());
  CHECK_FALSE(check(true).remembered);
  // Another copy of the same bytes: known by its digest.
  const auto file = read_file(key.path);
  write_file(key.path, file);
  CHECK(check().remembered);
  // Damage is noticed although the name is the same.
  auto damaged = file;
  damaged[1064 + 95] ^= 1;
  write_file(key.path, damaged);
  CHECK(check_key(*key.open(), {key.pool, memory}).err().code == errc::params);
  CHECK(check_key(*key.open(), {key.pool, memory}).err().code == errc::params);
}

TEST_CASE("a check that is stopped says so and remembers nothing") {
  made_key key("cube");
  const std::atomic<bool> stop = true;
  key_check_options options{key.pool, key.dir / "checked"};
  options.stop = &stop;
  CHECK(check_key(*key.open(), options).err().code == errc::cancelled);
  CHECK_FALSE(checked_files::read(key.dir / "checked").digest_of(key.open()->file().stamp()));
}

TEST_CASE("a damaged memory is forgotten, and it does not grow without end") {
  const temp_dir dir;
  const std::string path = dir / "checked";
  const std::string digest(32, 'a');
  const auto text = [](const std::string& t) { return bytes(t.begin(), t.end()); };
  write_file(path, text("something else\n" + digest + " 1 2 3 4\n"));
  CHECK_FALSE(checked_files::read(path).passed(digest));
  write_file(path, text("cuzk checked files 1\nrubbish\n" + digest + " 1 2 3 4\n" + digest + " x\n"));
  auto memory = checked_files::read(path);
  CHECK(memory.passed(digest));
  CHECK(memory.digest_of({1, 2, 3, 4}) == digest);
  CHECK_FALSE(memory.digest_of({1, 2, 3, 5}));
  for (std::uint64_t i = 0; i < 300; ++i)
    REQUIRE(memory.remember({1, 2, 100 + i, 4}, std::string(32, 'b')));
  CHECK_FALSE(checked_files::read(path).passed(digest));
  CHECK(checked_files::read(path).digest_of({1, 2, 399, 4}));
}
