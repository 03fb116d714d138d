#include "filecoin/job_json.hpp"

#include "filecoin/base64.hpp"
#include "filecoin/json_reader.hpp"

#include <limits>

namespace cuzk::filecoin {
namespace {

bool read_base64(json_reader& in, bytes& out) {
  std::string_view text;
  if (in.peek() != '"')
    return in.fail("a base64 string");
  if (!in.string(text))
    return false;
  auto data = from_base64(text);
  if (!data)
    return in.refuse(data.err().where + ": " + data.err().text);
  out = *std::move(data);
  return true;
}

bool read_hex32(json_reader& in, std::optional<digest>& out) {
  std::string_view text;
  if (!in.string(text))
    return false;
  const auto data = from_hex(text);
  if (!data || data->size() != 32)
    return in.refuse(quoted(text, 70) + "; expected 64 hexadecimal digits");
  std::copy(data->begin(), data->end(), out.emplace().begin());
  return true;
}

bool read_partition(json_reader& in, std::optional<std::uint32_t>& out) {
  if (in.peek() == 'n')
    return in.null();
  std::uint64_t k = 0;
  if (!in.number(k, std::numeric_limits<std::uint32_t>::max()))
    return false;
  out = static_cast<std::uint32_t>(k);
  return true;
}

bool read_sectors(json_reader& in, std::vector<named_sector>& out) {
  return in.array([&](std::size_t) {
    auto& s = out.emplace_back();
    std::optional<digest> comm_r;
    const bool read = in.record({"sector", "comm_r"},
                                [&](int member) { return member == 0 ? in.number(s.sector) : read_hex32(in, comm_r); });
    s.comm_r = comm_r.value_or(digest{});
    return read;
  });
}

bool read_proofs(json_reader& in, std::vector<bytes>& out) {
  return in.array([&](std::size_t) { return read_base64(in, out.emplace_back()); });
}

/// The name needs the kind, which may come later in the document.
status resolve_proof(job_document& job, const std::string& name) {
  auto proof = parse_registered_proof(*job.kind, name);
  if (!proof)
    return bad_input("/registered_proof", proof.err().text);
  job.proof = *proof;
  return ok();
}

status require_members(const job_document& job) {
  const auto need = [](bool present, const char* name) {
    return present ? ok() : status(bad_input("document", std::string("the member \"") + name + "\" is missing"));
  };
  if (*job.kind == proof_kind::snap) {
    CUZK_CHECK(need(job.comm_r_old.has_value(), "comm_r_old"));
    CUZK_CHECK(need(job.comm_r_new.has_value(), "comm_r_new"));
    return need(job.comm_d_new.has_value(), "comm_d_new");
  }
  CUZK_CHECK(need(job.prover_id.has_value(), "prover_id"));
  CUZK_CHECK(need(job.randomness.has_value(), "randomness"));
  return need(!job.sectors.empty(), "sectors");
}

} // namespace

result<json_form> json_form_of(std::string_view text) {
  json_reader in(text);
  if (in.peek() == '[')
    return json_form::proof_array;
  std::optional<json_form> form;
  const bool read = in.object([&](std::string_view name) {
    if (name == "vanilla_proofs")
      form = in.peek() == '[' ? json_form::c1_inner : json_form::c1;
    else if (name == "Phase1Out" || name == "SectorNum" || name == "SectorSize")
      form = json_form::envelope;
    else if (name == "kind" || name == "proofs" || name == "sectors")
      form = json_form::job;
    return !form && in.skip(); // stops at the first that tells
  });
  if (form)
    return *form;
  if (!read)
    return in.failure();
  return bad_input("document",
                   "no member tells what this is; expected vanilla_proofs (C1), Phase1Out (its envelope), or "
                   "kind and proofs (PoSt, snap)");
}

result<c1_envelope> read_envelope(std::string_view text) {
  json_reader in(text);
  c1_envelope out;
  std::uint64_t size = 0;
  const bool read = in.record({"SectorNum", "Phase1Out", "SectorSize"}, [&](int member) {
    switch (member) {
    case 0: return in.number(out.sector);
    case 1: return read_base64(in, out.c1);
    default: return in.number(size);
    }
  });
  if (!read || !in.end())
    return in.failure();
  auto known = sector_size_of_bytes(size);
  if (!known)
    return bad_input("/SectorSize", known.err().text);
  out.size = *known;
  return out;
}

result<job_document> read_job_json(std::string_view text) {
  json_reader in(text);
  job_document out;
  std::string proof_name;
  const auto string_into = [&](auto&& use) {
    std::string_view value;
    return in.string(value) && use(value);
  };
  const auto set_kind = [&](std::string_view value) {
    auto kind = parse_proof_kind(value);
    if (!kind || *kind == proof_kind::porep)
      return in.refuse(quoted(value) + "; expected winning, window or snap");
    out.kind = *kind;
    return true;
  };
  const bool read = in.record({"kind", "registered_proof", "?prover_id", "?randomness", "?partition", "?sectors",
                               "?comm_r_old", "?comm_r_new", "?comm_d_new", "proofs"},
                              [&](int member) {
                                switch (member) {
                                case 0: return string_into(set_kind);
                                case 1: return string_into([&](std::string_view v) { return proof_name = v, true; });
                                case 2: return read_hex32(in, out.prover_id);
                                case 3: return read_hex32(in, out.randomness);
                                case 4: return read_partition(in, out.partition);
                                case 5: return read_sectors(in, out.sectors);
                                case 6: return read_hex32(in, out.comm_r_old);
                                case 7: return read_hex32(in, out.comm_r_new);
                                case 8: return read_hex32(in, out.comm_d_new);
                                default: return read_proofs(in, out.proofs);
                                }
                              });
  if (!read || !in.end())
    return in.failure();
  CUZK_CHECK(resolve_proof(out, proof_name));
  CUZK_CHECK(require_members(out));
  return out;
}

result<job_document> read_proof_array(std::string_view text) {
  json_reader in(text);
  job_document out;
  if (!read_proofs(in, out.proofs) || !in.end())
    return in.failure();
  return out;
}

} // namespace cuzk::filecoin
