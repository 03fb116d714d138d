#include "actors/production_inputs.hpp"

#include "filecoin/json_reader.hpp"
#include "math/field_bytes.hpp"

#include <algorithm>
#include <limits>

namespace cuzk {
namespace {

using filecoin::input_options;
using filecoin::json_reader;

/// The fields that go with proofs which do not say them.
struct given_fields {
  std::string kind, registered_proof;
  input_options options;
};

bool read_text(json_reader& in, std::string& out) {
  std::string_view text;
  if (!in.string(text))
    return false;
  out = text;
  return true;
}

bool read_hex32(json_reader& in, std::optional<digest>& out) {
  std::string_view text;
  if (!in.string(text))
    return false;
  const auto data = from_hex(text);
  if (!data || data->size() != 32)
    return in.fail("64 hexadecimal digits");
  std::copy(data->begin(), data->end(), out.emplace().begin());
  return true;
}

bool read_partition(json_reader& in, std::optional<std::uint32_t>& out) {
  if (in.peek() == 'n')
    return in.null();
  std::uint64_t number = 0;
  if (!in.number(number, std::numeric_limits<std::uint32_t>::max()))
    return false;
  out = static_cast<std::uint32_t>(number);
  return true;
}

bool read_sectors(json_reader& in, std::vector<filecoin::named_sector>& out) {
  return in.array([&](std::size_t) {
    auto& s = out.emplace_back();
    std::optional<digest> comm_r;
    const bool read = in.record({"sector", "comm_r"},
                                [&](int member) { return member == 0 ? in.number(s.sector) : read_hex32(in, comm_r); });
    s.comm_r = comm_r.value_or(digest{});
    return read;
  });
}

bool read_field(json_reader& in, int member, given_fields& out) {
  switch (member) {
  case 0: return read_text(in, out.kind);
  case 1: return read_text(in, out.registered_proof);
  case 2: return read_hex32(in, out.options.prover_id);
  case 3: return read_hex32(in, out.options.randomness);
  case 4: return read_partition(in, out.options.partition);
  case 5: return read_sectors(in, out.options.sectors);
  case 6: return read_hex32(in, out.options.comm_r_old);
  case 7: return read_hex32(in, out.options.comm_r_new);
  default: return read_hex32(in, out.options.comm_d_new);
  }
}

result<given_fields> read_fields(const std::string& text) {
  given_fields out;
  if (text.empty())
    return out;
  json_reader in(text);
  const bool read = in.record({"?kind", "?registered_proof", "?prover_id", "?randomness", "?partition", "?sectors",
                               "?comm_r_old", "?comm_r_new", "?comm_d_new"},
                              [&](int member) { return read_field(in, member, out); });
  if (!read || !in.end())
    return bad_input("fields" + in.failure().where, in.failure().text);
  return out;
}

/// An object says what it is; an array of proofs and a bincode file do not.
bool says_its_kind(byte_view file) {
  const auto first = std::find_if(file.begin(), file.end(),
                                  [](std::uint8_t c) { return c != ' ' && c != '\n' && c != '\r' && c != '\t'; });
  return first != file.end() && *first == '{';
}

status check_scalars(const std::vector<bytes32>& list, std::size_t partitions, const char* name) {
  if (!list.empty() && list.size() != partitions)
    return bad_input(name, std::to_string(list.size()) + " scalars for " + std::to_string(partitions) + " partitions");
  for (std::size_t i = 0; i < list.size(); ++i)
    if (!from_le_bytes<fr>(list[i]))
      return bad_input(std::string(name) + "[" + std::to_string(i) + "]", "not below the order of the group");
  return ok();
}

status check_fits(const job_spec& spec, const filecoin::job_input& job) {
  if (!spec.circuit.empty()) {
    CUZK_TRY(wanted, filecoin::parse_circuit_name(spec.circuit));
    if (wanted != job.circuit)
      return bad_input("circuit", "the job says " + to_string(wanted) + ", the input is for " + to_string(job.circuit));
  }
  const auto partitions = job.partitions.size();
  const bool one = spec.only_partition >= 0;
  if (one && static_cast<std::size_t>(spec.only_partition) >= partitions)
    return bad_input("partition", std::to_string(spec.only_partition) + ", but the input has " +
                                    std::to_string(partitions) + " partitions, counted from 0");
  const std::size_t proved = one ? 1 : partitions;
  CUZK_CHECK(check_scalars(spec.r, proved, "r"));
  return check_scalars(spec.s, proved, "s");
}

} // namespace

result<input_options> input_options_of(const job_spec& spec, byte_view file, std::uint64_t max_bytes) {
  CUZK_TRY(fields, read_fields(spec.flags));
  auto& o = fields.options;
  o.max_bytes = max_bytes;
  const bool says_all = says_its_kind(file);
  std::optional<filecoin::circuit_name> circuit;
  if (!spec.circuit.empty()) {
    CUZK_TRY(name, filecoin::parse_circuit_name(spec.circuit));
    circuit = name;
  }
  const auto& kind = fields.kind.empty() ? spec.kind : fields.kind;
  if (!kind.empty()) {
    CUZK_TRY(parsed, filecoin::parse_proof_kind(kind));
    o.kind = parsed;
  } else if (circuit && !says_all) {
    o.kind = circuit->kind;
  }
  if (!fields.registered_proof.empty()) {
    if (!o.kind)
      return bad_input("fields/registered_proof", "the kind must be given beside it");
    CUZK_TRY(proof, filecoin::parse_registered_proof(*o.kind, fields.registered_proof));
    o.proof = proof;
  } else if (circuit && !says_all) {
    o.proof = filecoin::default_proof(*circuit);
  }
  if (spec.identity.given) {
    o.prover_id = spec.identity.prover_id;
    if (spec.identity.has_sector)
      o.sector = spec.identity.sector;
  }
  return std::move(o);
}

result<filecoin::job_input> read_job(const job_spec& spec, byte_view file, std::uint64_t max_bytes) {
  CUZK_TRY(options, input_options_of(spec, file, max_bytes));
  CUZK_TRY(job, filecoin::load_job(file, options));
  CUZK_CHECK(check_fits(spec, job));
  return job;
}

std::string identity_text(const filecoin::job_input& job, const job_spec& spec) {
  if (job.identity == filecoin::identity_state::unchecked)
    return "unchecked";
  return job.circuit.kind == filecoin::proof_kind::porep || !spec.flags.empty() ? "checked" : "in input";
}

result<prepared_job> prepare_job(const job_spec& spec, byte_view file, std::uint64_t max_bytes, circuit_table& circuits,
                                 thread_pool& pool) {
  auto input = std::make_shared<real_input>();
  CUZK_TRY(job, read_job(spec, file, max_bytes));
  input->job = std::move(job);
  CUZK_TRY(known, circuits.find(input->job.circuit));
  input->circuit = known->circuit;
  CUZK_CHECK(filecoin::check(input->job, pool));
  prepared_job out;
  out.partitions = static_cast<std::uint32_t>(input->job.partitions.size());
  out.identity = identity_text(input->job, spec);
  out.input = std::move(input);
  return out;
}

result<made_witness> make_witness(const real_input& input, std::uint32_t partition, const std::atomic<bool>& stop,
                                  thread_pool& pool) {
  if (partition >= input.job.partitions.size())
    return internal_error("partition " + std::to_string(partition) + " of an input of " +
                          std::to_string(input.job.partitions.size()));
  if (stop.load())
    return error{errc::cancelled, "before synthesis"};
  CUZK_TRY(values, input.circuit->witness(input.job.partitions[partition], pool));
  if (stop.load())
    return error{errc::cancelled, "after synthesis"};
  auto witness = std::make_shared<real_witness>();
  witness->witness = std::make_shared<const compact_witness>(std::move(values));
  auto statement = std::make_shared<real_statement>();
  statement->inputs = input.job.public_inputs[partition];
  return made_witness{std::move(witness), std::move(statement)};
}

} // namespace cuzk
