// The environment may take features away, never add them.
#include "math/cpu_features.hpp"
#include "tests/support/catch.hpp"

#include <string>

using namespace cuzk;

TEST_CASE("a level takes away what is above it") {
  const cpu_features all{true, true, true};
  CHECK(lowered(all, nullptr).avx512ifma);
  CHECK(lowered(all, "ifma").avx512ifma);
  CHECK(lowered(all, "no such level").avx512ifma);
  CHECK_FALSE(lowered(all, "adx").avx512ifma);
  CHECK(lowered(all, "adx").adx);
  CHECK(lowered(all, "adx").sha);
  CHECK_FALSE(lowered(all, "portable").adx);
  CHECK_FALSE(lowered(all, "portable").sha);
  CHECK_FALSE(lowered(all, "portable").avx512ifma);
}

TEST_CASE("a level never adds what the processor lacks") {
  const cpu_features none;
  for (const char* name : {"ifma", "adx", "portable"}) {
    CHECK_FALSE(lowered(none, name).adx);
    CHECK_FALSE(lowered(none, name).sha);
    CHECK_FALSE(lowered(none, name).avx512ifma);
  }
}

TEST_CASE("the level in use is one of three and agrees with the features") {
  const std::string level = cpu_level();
  CHECK((level == "ifma") == cpu().avx512ifma);
  CHECK((level == "portable") == !cpu().adx);
}
