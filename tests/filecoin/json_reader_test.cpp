// The pull reader: accepts what JSON is and nothing else, and says where and what.
#include "filecoin/base64.hpp"
#include "filecoin/json_reader.hpp"
#include "tests/support/catch.hpp"

#include <nlohmann/json.hpp>

#include <random>
#include <string>

using namespace cuzk;
using namespace cuzk::filecoin;

namespace {

bool accepts(const std::string& text) {
  json_reader in(text);
  return in.skip() && in.end();
}

std::string bytes_text(int count, const std::string& last) {
  std::string out = "[";
  for (int i = 1; i < count; ++i)
    out += std::to_string(i) + ",";
  return out + last + "]";
}

} // namespace

TEST_CASE("documents that are JSON are read over") {
  for (const char* text : {"0", "-0", "-12.5e+3", "1E9", "\"\"", "null", "true", "false", "[]", "{}", "[[],{}]",
                           " [ 1 , 2 ] \n", "{\"a\":{\"b\":[1,null]},\"a\":2}", "\"\\u00e9\\ud83d\\ude00\\n\\/\"",
                           "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""}) {
    INFO(text);
    CHECK(accepts(text));
  }
}

TEST_CASE("documents that are not JSON are refused") {
  for (const char* text : {"",
                           " ",
                           "01",
                           "1.",
                           ".5",
                           "+1",
                           "1e",
                           "-",
                           "nul",
                           "tru",
                           "[1,]",
                           "[1 2]",
                           "[",
                           "]",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{a:1}",
                           "{\"a\":1,}",
                           "\"",
                           "\"\\x\"",
                           "\"\\u12g4\"",
                           "\"\\ud800\"",
                           "\"\\udc00\"",
                           "\"\\ud800\\u0041\"",
                           "\"\t\"",
                           "\"\x80\"",
                           "\"\xc0\xaf\"",
                           "\"\xe0\x80\x80\"",
                           "\"\xed\xa0\x80\"",
                           "\"\xf4\x90\x80\x80\"",
                           "\"\xc3\"",
                           "1 x",
                           "NaN"}) {
    INFO(text);
    CHECK_FALSE(accepts(text));
  }
}

TEST_CASE("texts cut or changed anywhere are judged as by another parser") {
  const std::string text = "{\"k\\u0041\":[0,-1.5e3,\"\\u00e9\\\\\",true,null,{\"x\":[[]]}],\"y\":\"\xc3\xa9\"}";
  const std::string alphabet = "{}[]\",:\\u0a1.-+eEtfn \x01\xc3";
  std::mt19937 random(1);
  for (std::size_t i = 0; i <= text.size(); ++i) {
    CHECK(accepts(text.substr(0, i)) == nlohmann::json::accept(text.substr(0, i)));
    for (int n = 0; n < 20; ++n) {
      auto changed = text;
      changed.insert(i, 1, alphabet[random() % alphabet.size()]);
      if (n % 2 == 0 && i < text.size())
        changed.erase(i + 1, 1);
      INFO(changed);
      CHECK(accepts(changed) == nlohmann::json::accept(changed));
    }
  }
}

TEST_CASE("nesting is bounded") {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(accepts(nested(128)));
  CHECK_FALSE(accepts(nested(129)));
  CHECK_FALSE(accepts(std::string(1000000, '[')));
}

TEST_CASE("integers are taken in range and refused with the range") {
  struct row {
    const char* text;
    std::uint64_t max;
    bool good;
    std::uint64_t value;
  };
  const row rows[] = {{"0", 7, true, 0},
                      {"7", 7, true, 7},
                      {"8", 7, false, 0},
                      {"18446744073709551615", ~std::uint64_t(0), true, ~std::uint64_t(0)},
                      {"18446744073709551616", ~std::uint64_t(0), false, 0},
                      {"99999999999999999999999", ~std::uint64_t(0), false, 0},
                      {"1.0", 7, false, 0},
                      {"1e0", 7, false, 0},
                      {"-1", 7, false, 0},
                      {"-0", 7, false, 0},
                      {"\"1\"", 7, false, 0},
                      {"", 7, false, 0}};
  for (const auto& r : rows) {
    INFO(r.text << " up to " << r.max);
    json_reader in(r.text);
    std::uint64_t value = 0;
    CHECK(in.number(value, r.max) == r.good);
    if (r.good) {
      CHECK(value == r.value);
    } else {
      CHECK(in.failure().text.find("expected an integer from 0 to " + std::to_string(r.max)) != std::string::npos);
    }
  }
}

TEST_CASE("32 bytes are exactly 32 integers from 0 to 255") {
  const auto read = [](const std::string& text, digest& out) {
    json_reader in(text);
    return in.bytes32(out) && in.end();
  };
  digest out{};
  REQUIRE(read(bytes_text(32, "255"), out));
  CHECK(out[0] == 1);
  CHECK(out[30] == 31);
  CHECK(out[31] == 255);
  REQUIRE(read("[ 0,0,0 ,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,\n0,99,100 ]", out));
  CHECK(out[30] == 99);
  CHECK(out[31] == 100);
  for (const auto& bad :
       {bytes_text(31, "1"), bytes_text(33, "1"), bytes_text(32, "256"), bytes_text(32, "1000"), bytes_text(32, "-1"),
        bytes_text(32, "01"), bytes_text(32, "1.0"), bytes_text(32, ""), bytes_text(32, "\"1\""), bytes_text(32, "1,"),
        std::string("[]"), std::string("{}"), bytes_text(32, "1").substr(0, 60)}) {
    INFO(bad);
    CHECK_FALSE(read(bad, out));
  }
}

TEST_CASE("a failure names the place, the value and what was expected") {
  const std::string text = "{\"a\":{\"b/c\":[1,2,\"three\"]}}";
  json_reader in(text);
  const bool read = in.record({"a"}, [&](int) {
    return in.record({"b/c"}, [&](int) {
      return in.array([&](std::size_t) {
        std::uint64_t x = 0;
        return in.number(x, 9);
      });
    });
  });
  CHECK_FALSE(read);
  CHECK(in.failure().where == "/a/b~1c/2 (byte 17)");
  CHECK(in.failure().text == "found \"three\"; expected an integer from 0 to 9");
}

TEST_CASE("records know missing, repeated, unknown and optional members") {
  const auto read = [](const std::string& text) {
    json_reader in(text);
    const bool good = in.record({"x", "?y"}, [&](int) {
      std::uint64_t value = 0;
      return in.number(value);
    }) && in.end();
    return good ? std::string() : in.failure().message();
  };
  CHECK(read("{\"x\":1}").empty());
  CHECK(read("{\"y\":2,\"x\":1}").empty());
  CHECK(read("{\"z\":[1,{\"x\":\"y\"}],\"x\":1,\"z\":0}").empty());
  CHECK(read("{\"\\u0078\":1}").empty()); // the name in another spelling
  CHECK(read("{\"y\":1}").find("\"x\" is missing") != std::string::npos);
  CHECK(read("{\"x\":1,\"x\":1}").find("twice") != std::string::npos);
  CHECK(read("{\"x\":1,\"\\u0078\":1}").find("twice") != std::string::npos);
  CHECK(read("{\"y\":1,\"x\":1,\"y\":1}").find("twice") != std::string::npos);
  CHECK(read("[]").find("expected an object") != std::string::npos);
}

TEST_CASE("strings are decoded") {
  json_reader in("\"a\\u00e9\\ud83d\\ude00\\t\\\"\"");
  std::string_view text;
  REQUIRE(in.string(text));
  CHECK(text == "a\xc3\xa9\xf0\x9f\x98\x80\t\"");
}

TEST_CASE("base64 is decoded and encoded as RFC 4648 says") {
  struct row {
    const char* plain;
    const char* text;
  };
  const row rows[] = {{"", ""},
                      {"f", "Zg=="},
                      {"fo", "Zm8="},
                      {"foo", "Zm9v"},
                      {"foob", "Zm9vYg=="},
                      {"fooba", "Zm9vYmE="},
                      {"foobar", "Zm9vYmFy"}};
  for (const auto& r : rows) {
    const std::string plain = r.plain;
    const bytes data(plain.begin(), plain.end());
    CHECK(to_base64(data) == r.text);
    const auto back = from_base64(r.text);
    REQUIRE(back);
    CHECK(*back == data);
  }
  const bytes high = {0xfb, 0xff, 0xbf};
  CHECK(to_base64(high) == "+/+/");
}

TEST_CASE("base64 of other alphabets, lengths and padding is refused") {
  for (const char* text :
       {"Z", "Zg", "Zg=", "Z===", "====", "Zh==", "Zm9=", "Zm-v", "Zm_v", "Zm9v\n", "Zg==Zg==", "Zm=v", "=m9v"}) {
    INFO(text);
    CHECK_FALSE(from_base64(text));
  }
}
