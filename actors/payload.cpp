#include "actors/payload.hpp"

#include "actors/spec_codec.hpp"
#include "math/hash/sha256.hpp"

namespace cuzk {

bytes32 payload_digest_of(const submit_job& job) {
  auto what = job.spec;
  what.deadline_wall_ms = 0; // "in 30 minutes" is another time when it is said again
  what.priority = 0;
  what.background = false;
  const auto spec = encode_spec(what);
  sha256 hash;
  hash.update(job.input_digest);
  hash.update(byte_view(reinterpret_cast<const std::uint8_t*>(spec.data()), spec.size()));
  return hash.finish();
}

} // namespace cuzk
