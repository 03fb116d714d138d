#include "groth16/random.hpp"

#include "math/field_bytes.hpp"

#include <cerrno>
#include <sys/random.h>

namespace cuzk::groth16 {

status random_bytes(std::span<std::uint8_t> out) {
  while (!out.empty()) {
    const auto n = ::getrandom(out.data(), out.size(), 0);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return internal_error("the kernel gives no random bytes");
    out = out.subspan(static_cast<std::size_t>(n));
  }
  return ok();
}

result<fr> random_scalar() {
  for (;;) {
    std::array<std::uint8_t, fr::byte_size> raw;
    CUZK_CHECK(random_bytes(raw));
    raw.back() &= 0x7f; // the order has 255 bits
    if (const auto x = from_le_bytes<fr>(std::span<const std::uint8_t, fr::byte_size>(raw)))
      return *x;
  }
}

} // namespace cuzk::groth16
