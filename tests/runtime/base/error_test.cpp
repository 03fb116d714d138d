#include "runtime/base/error.hpp"
#include "tests/support/catch.hpp"

#include <set>

using namespace cuzk;

TEST_CASE("every code has its own name and exit status") {
  std::set<std::string> names;
  std::set<int> exits;
  for (auto code : all_errcs) {
    names.insert(to_string(code));
    exits.insert(exit_status(code));
    errc back{};
    REQUIRE(parse_errc(to_string(code), back));
    CHECK(back == code);
  }
  CHECK(names.size() == std::size(all_errcs));
  CHECK(exits.size() == std::size(all_errcs));
  errc none{};
  CHECK_FALSE(parse_errc("no_such_code", none));
}

TEST_CASE("a message names code, place and text") {
  CHECK(bad_input("$.comm_r[3]", "256 is not a byte").message() == "bad_input: $.comm_r[3]: 256 is not a byte");
  CHECK(internal_error("x").message() == "internal: x");
}

TEST_CASE("CUZK_TRY passes values on and returns errors") {
  auto half = [](int x) -> result<int> {
    if (x % 2 != 0)
      return bad_input("", "odd");
    return x / 2;
  };
  auto quarter = [&](int x) -> result<int> {
    CUZK_TRY(h, half(x));
    CUZK_TRY(q, half(h));
    return q;
  };
  CHECK(*quarter(8) == 2);
  CHECK(quarter(6).err().text == "odd");
}
