#include "actors/spec_codec.hpp"

#include "messages/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace cuzk {

namespace {

constexpr int spec_version = 1;

std::string hex_of(const bytes32& b) {
  return to_hex({b.data(), b.size()});
}

result<bytes32> bytes32_of(const std::string& hex) {
  CUZK_TRY(raw, from_hex(hex));
  bytes32 out{};
  if (raw.size() != out.size())
    return internal_error("expected 32 bytes, found " + std::to_string(raw.size()));
  std::copy(raw.begin(), raw.end(), out.begin());
  return out;
}

status read_list(const nlohmann::json& from, std::vector<bytes32>& to) {
  for (const auto& item : from) {
    CUZK_TRY(one, bytes32_of(item.get<std::string>()));
    to.push_back(one);
  }
  return ok();
}

result<job_spec> read_spec(const nlohmann::json& j) {
  job_spec s;
  if (j.at("v").get<int>() != spec_version)
    return internal_error("job spec of version " + j.at("v").dump() + ", this program knows " +
                          std::to_string(spec_version));
  s.kind = j.at("kind").get<std::string>();
  s.circuit = j.at("circuit").get<std::string>();
  if (!parse_job_class(j.at("class").get<std::string>(), s.cls))
    return internal_error("unknown job class " + j.at("class").dump());
  s.background = j.at("background").get<bool>();
  s.priority = j.at("priority").get<std::int32_t>();
  s.deadline_wall_ms = j.at("deadline").get<std::int64_t>();
  s.only_partition = j.at("partition").get<std::int32_t>();
  s.flags = j.at("flags").get<std::string>();
  CUZK_CHECK(read_list(j.at("r"), s.r));
  CUZK_CHECK(read_list(j.at("s"), s.s));
  if (j.contains("prover_id")) {
    s.identity.given = true;
    CUZK_TRY(id, bytes32_of(j.at("prover_id").get<std::string>()));
    s.identity.prover_id = id;
  }
  if (j.contains("sector")) {
    s.identity.has_sector = true;
    s.identity.sector = j.at("sector").get<std::uint64_t>();
  }
  return s;
}

} // namespace

std::string encode_spec(const job_spec& s) {
  nlohmann::ordered_json j;
  j["v"] = spec_version;
  j["kind"] = s.kind;
  j["circuit"] = s.circuit;
  j["class"] = to_string(s.cls);
  j["background"] = s.background;
  j["priority"] = s.priority;
  j["deadline"] = s.deadline_wall_ms;
  j["partition"] = s.only_partition;
  j["flags"] = s.flags;
  j["r"] = nlohmann::json::array();
  j["s"] = nlohmann::json::array();
  for (const auto& r : s.r)
    j["r"].push_back(hex_of(r));
  for (const auto& x : s.s)
    j["s"].push_back(hex_of(x));
  if (s.identity.given)
    j["prover_id"] = hex_of(s.identity.prover_id);
  if (s.identity.has_sector)
    j["sector"] = s.identity.sector;
  return j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

result<job_spec> decode_spec(const std::string& text) {
  const auto j = nlohmann::json::parse(text, nullptr, false);
  if (!j.is_object())
    return internal_error("a stored job spec is no JSON object");
  try {
    return read_spec(j);
  } catch (const nlohmann::json::exception& e) { // member missing or of another type
    return internal_error(std::string("a stored job spec is damaged: ") + e.what());
  }
}

} // namespace cuzk
