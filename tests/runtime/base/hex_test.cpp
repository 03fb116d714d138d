#include "runtime/base/hex.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;

TEST_CASE("hex round trip") {
  const bytes data{0x00, 0x7f, 0xff, 0xa5};
  CHECK(to_hex(data) == "007fffa5");
  CHECK(*from_hex("007FffA5") == data);
  CHECK(from_hex("")->empty());
}

TEST_CASE("hex refuses odd lengths and other characters, naming the place") {
  CHECK(from_hex("abc").err().code == errc::bad_input);
  CHECK(from_hex("ab0g").err().where == "character 3");
}
