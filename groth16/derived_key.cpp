#include "groth16/derived_key.hpp"

#include "math/hash/blake2.hpp"

#include <algorithm>
#include <cstring>

namespace cuzk::groth16 {

namespace {

constexpr char magic[] = "cuzkdrv1";
constexpr std::uint32_t version = 1;

void put(bytes& out, std::uint64_t value, int size) {
  for (int i = 0; i < size; ++i)
    out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

} // namespace

digest digest_of_vk(byte_view vk_bytes) {
  return blake2b_256_keyed({}, vk_bytes);
}

derived_header header_for(const circuit& of, byte_view vk_bytes) {
  return {of.lg_domain(), of.wires.counts().inputs, of.wires.counts().aux(), digest_of_vk(vk_bytes), of.matrices.hash};
}

bytes write_derived_header(const derived_header& header) {
  bytes out(magic, magic + 8);
  put(out, version, 4);
  put(out, static_cast<std::uint64_t>(header.lg_m), 4);
  put(out, header.inputs, 8);
  put(out, header.aux, 8);
  out.insert(out.end(), header.source.begin(), header.source.end());
  out.insert(out.end(), header.circuit.begin(), header.circuit.end());
  out.resize(4096, 0);
  return out;
}

result<derived_key> derived_key::open(const std::string& path, const derived_header& expected) {
  CUZK_TRY(file, mapped_file::open(path));
  if (file.bytes().size() != expected.file_bytes())
    return error{errc::params,
                 "has " + std::to_string(file.bytes().size()) + " bytes, the derived key of this circuit has " +
                   std::to_string(expected.file_bytes()),
                 path};
  const auto head = write_derived_header(expected);
  if (!std::equal(head.begin(), head.begin() + 12, file.bytes().begin()))
    return error{errc::params, "is not a derived key of version " + std::to_string(version), path};
  if (!std::equal(head.begin(), head.end(), file.bytes().begin()))
    return error{errc::params, "was derived from another key or for another circuit; make it again", path};
  return derived_key(std::move(file), expected);
}

} // namespace cuzk::groth16
