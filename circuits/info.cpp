#include "circuits/info.hpp"

#include "circuits/core/r1cs_digest.hpp"
#include "filecoin/parameters.hpp"
#include "runtime/base/hex.hpp"

#include <bit>
#include <variant>
#include <vector>

namespace cuzk::circuits {
namespace {

// Uncompressed points; a file is a vk and five arrays, each behind a count of four bytes.
constexpr std::uint64_t g1_bytes = 96, g2_bytes = 192, vk_fixed_bytes = 868, count_bytes = 4, arrays = 5;

std::uint64_t vk_bytes_of(const r1cs_counts& n) {
  return vk_fixed_bytes + g1_bytes * n.inputs;
}

std::uint64_t params_bytes_of(const r1cs_counts& n, std::uint64_t domain) {
  const auto a = n.inputs + n.a_aux_density, b = n.b_input_density + n.b_aux_density;
  return vk_bytes_of(n) + arrays * count_bytes + g1_bytes * (domain - 1 + n.aux + a + b) + g2_bytes * b;
}

struct member {
  const char* name;
  std::variant<std::uint64_t, std::string> value;
};

std::vector<member> members_of(const circuit_info& info) {
  const auto& n = info.counts;
  return {{"name", to_string(info.name)},
          {"inputs", n.inputs},
          {"aux", n.aux},
          {"rows", n.rows},
          {"nnz_a", n.nnz_a},
          {"nnz_b", n.nnz_b},
          {"nnz_c", n.nnz_c},
          {"a_aux_density", n.a_aux_density},
          {"b_input_density", n.b_input_density},
          {"b_aux_density", n.b_aux_density},
          {"hash", to_hex(info.hash)},
          {"domain_size", info.domain_size},
          {"params_file", info.params_file},
          {"params_bytes", info.params_bytes},
          {"vk_bytes", info.vk_bytes},
          {"witness_bytes", info.witness_bytes}};
}

} // namespace

result<circuit_info> info_of(const circuit& which) {
  r1cs_counter counter;
  r1cs_digest hash(which.size());
  row_tee tee({&counter, &hash});
  CUZK_CHECK(which.read_rows(tee));
  CUZK_TRY(value, hash.finish(which.size()));
  circuit_info out;
  out.name = which.name();
  out.counts = counter.counts(which.size());
  out.hash = value;
  out.domain_size = std::bit_ceil(out.counts.rows + out.counts.inputs);
  out.params_file = filecoin::params_file_name(which.name());
  out.params_bytes = params_bytes_of(out.counts, out.domain_size);
  out.vk_bytes = vk_bytes_of(out.counts);
  const auto& wires = which.wires().counts();
  out.witness_bytes =
    sizeof(fr) * (std::uint64_t(wires.inputs) + wires.fields) + (std::uint64_t(wires.bits) + 63) / 64 * 8;
  return out;
}

std::string to_text(const circuit_info& info) {
  std::string out;
  for (const auto& [name, value] : members_of(info)) {
    out += std::string(name) + ": ";
    out += value.index() == 0 ? std::to_string(std::get<0>(value)) : std::get<1>(value);
    out += '\n';
  }
  return out;
}

std::string to_json(const circuit_info& info) {
  std::string out = "{";
  for (const auto& [name, value] : members_of(info)) {
    out += out.size() > 1 ? "," : "";
    out += '"' + std::string(name) + "\":";
    out += value.index() == 0 ? std::to_string(std::get<0>(value)) : '"' + std::get<1>(value) + '"';
  }
  return out + "}";
}

} // namespace cuzk::circuits
