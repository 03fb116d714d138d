#include "groth16/toxic_json.hpp"

#include "filecoin/json_reader.hpp"
#include "math/encoding.hpp"
#include "math/field_bytes.hpp"
#include "math/generators.hpp"

namespace cuzk::groth16 {

namespace {

using filecoin::json_reader;

bool read_scalar(json_reader& in, fr& out) {
  std::string_view text;
  if (!in.string(text))
    return false;
  const auto raw = from_hex(text);
  if (!raw || raw->size() != 32)
    return in.refuse("expected 64 hex digits, little endian");
  const auto value = from_le_bytes<fr>(std::span<const std::uint8_t, 32>(raw->data(), 32));
  if (!value)
    return in.refuse("is not below the group order");
  out = *value;
  return true;
}

template <class F>
bool read_generator(json_reader& in, affine<F>& out) {
  std::string_view text;
  if (!in.string(text))
    return false;
  const auto raw = from_hex(text);
  if (!raw)
    return in.refuse("expected an uncompressed point in hex");
  const auto fault = read_uncompressed(*raw, point_check::subgroup, out);
  if (fault != encoding_fault::none)
    return in.refuse(to_string(fault));
  return !out.is_infinity() || in.refuse("is the point at infinity");
}

bool read_members(json_reader& in, toxic_waste& out, bool& inner) {
  fr* const scalars[] = {&out.alpha, &out.beta, &out.gamma, &out.delta, &out.tau};
  unsigned seen = 0;
  const bool good =
    in.record({"?alpha", "?beta", "?gamma", "?delta", "?tau", "?g1", "?g2", "?toxic_waste"}, [&](int member) {
      seen |= 1u << member;
      if (member == 5)
        return read_generator(in, out.g1);
      if (member == 6)
        return read_generator(in, out.g2);
      if (member == 7)
        return inner ? in.refuse("stands inside itself") : (inner = true, read_members(in, out, inner));
      return read_scalar(in, *scalars[member]);
    });
  if (!good || (seen & 0x80) != 0)
    return good;
  return (seen & 0x1f) == 0x1f || in.refuse("needs the members alpha, beta, gamma, delta and tau");
}

} // namespace

result<toxic_waste> read_toxic_json(std::string_view text, const std::string& where) {
  toxic_waste out{{}, {}, {}, {}, {}, g1_generator(), g2_generator()};
  json_reader in(text);
  bool inner = false;
  if (read_members(in, out, inner) && in.end())
    return out;
  auto why = in.failure();
  why.where = where + (why.where.empty() ? "" : ": " + why.where);
  return why;
}

} // namespace cuzk::groth16
