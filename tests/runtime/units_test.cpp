#include "runtime/units.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;

TEST_CASE("sizes are read with binary units and printed the shortest exact way") {
  const std::pair<const char*, std::uint64_t> cases[] = {{"0", 0},
                                                         {"0B", 0},
                                                         {"17B", 17},
                                                         {"512KiB", 512u << 10},
                                                         {"64 MiB", 64u << 20},
                                                         {"256GiB", 256ull << 30},
                                                         {"2TiB", 2ull << 40}};
  for (const auto& [text, bytes] : cases) {
    INFO(text);
    REQUIRE(parse_size(text));
    CHECK(parse_size(text)->bytes == bytes);
    CHECK(parse_size(print_size({bytes}))->bytes == bytes);
  }
  CHECK(print_size({1u << 30}) == "1GiB");
  CHECK(print_size({1536u << 20}) == "1536MiB");
  CHECK(about_size(1536u << 20) == "1.5 GiB");
  CHECK(about_size(17) == "17 B");
  for (const auto* text :
       {"", "GiB", "5", "1.5GiB", "5GB", "5gib", "5 G iB", "-1B", "99999999999TiB", "184467440737B9"})
    CHECK_FALSE(parse_size(text));
}

TEST_CASE("durations are read with a unit and printed the shortest exact way") {
  const std::pair<const char*, std::int64_t> cases[] = {
    {"0", 0}, {"0s", 0}, {"250ms", 250}, {"30s", 30'000}, {"5m", 300'000}, {"2h", 7'200'000}, {"7d", 604'800'000}};
  for (const auto& [text, ms] : cases) {
    INFO(text);
    REQUIRE(parse_duration(text));
    CHECK(parse_duration(text)->count() == ms);
    CHECK(parse_duration(print_duration(milliseconds(ms)))->count() == ms);
  }
  CHECK(print_duration(milliseconds(90'000)) == "90s");
  CHECK(about_duration(0.352) == "0.35 s");
  CHECK(about_duration(200) == "3 min 20 s");
  CHECK(about_duration(7500) == "2 h 5 min");
  for (const auto* text : {"", "5", "5 minutes", "1.5s", "-1s", "5M", "ms"})
    CHECK_FALSE(parse_duration(text));
}

TEST_CASE("numbers and truth values are read whole or not at all") {
  CHECK(*parse_number("18446744073709551615") == ~0ull);
  for (const auto* text : {"", "-1", "1.0", "0x10", "1 ", "18446744073709551616"})
    CHECK_FALSE(parse_number(text));
  for (const auto* text : {"1", "true", "yes", "on"})
    CHECK(*parse_bool(text));
  for (const auto* text : {"0", "false", "no", "off"})
    CHECK_FALSE(*parse_bool(text));
  for (const auto* text : {"", "maybe", "TRUE", "2"})
    CHECK_FALSE(parse_bool(text));
}
