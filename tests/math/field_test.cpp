#include "math/field_bytes.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;

TEST_CASE("field laws on small values") {
  CHECK(fr::from_u64(6) * fr::from_u64(7) == fr::from_u64(42));
  CHECK(fp::from_u64(5) - fp::from_u64(7) + fp::from_u64(2) == fp::zero());
  CHECK(fr::from_u64(3).inverse() * fr::from_u64(3) == fr::one());
  CHECK(to_le_bytes(fr::from_u64(258))[1] == 1);
}
