#include "actors/payload.hpp"

#include "actors/spec_codec.hpp"
#include "math/hash/sha256.hpp"

namespace cuzk {

bytes32 payload_digest_of(const submit_job& job) {
  const auto spec = encode_spec(job.spec);
  sha256 hash;
  hash.update(job.input_digest);
  hash.update(byte_view(reinterpret_cast<const std::uint8_t*>(spec.data()), spec.size()));
  return hash.finish();
}

} // namespace cuzk
