// Finds the form of a file and turns it into a job.
#include "filecoin/input.hpp"

#include "filecoin/bincode.hpp"
#include "filecoin/c1_json.hpp"
#include "filecoin/job_assembly.hpp"
#include "filecoin/job_json.hpp"

#include <algorithm>

namespace cuzk::filecoin {
namespace {

/// JSON begins with a brace or bracket after white space and holds no zero byte. Bincode may begin with any byte (a
/// sector number, a digest), but within its first 48 bytes stands a 64-bit count below 2^56.
bool looks_like_json(byte_view file) {
  const auto head = file.first(std::min<std::size_t>(file.size(), 48));
  if (std::find(head.begin(), head.end(), 0) != head.end())
    return false;
  for (const auto c : file)
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
      return c == '{' || c == '[';
  return false;
}

result<job_input> load_json(std::string_view text, const input_options& options) {
  CUZK_TRY(form, json_form_of(text));
  switch (form) {
  case json_form::c1: {
    CUZK_TRY(c1, read_c1_json(text));
    return assemble_porep(std::move(c1), options);
  }
  case json_form::c1_inner: {
    CUZK_TRY(proof, stated_proof(options, proof_kind::porep));
    CUZK_TRY(c1, read_c1_inner_json(text, shape_of(proof.size)));
    return assemble_porep(std::move(c1), options);
  }
  case json_form::envelope: {
    CUZK_TRY(envelope, read_envelope(text));
    return assemble_envelope(envelope, options);
  }
  case json_form::job: {
    CUZK_TRY(job, read_job_json(text));
    return assemble_job(std::move(job), options);
  }
  case json_form::proof_array: {
    CUZK_TRY(job, read_proof_array(text));
    return assemble_job(std::move(job), options);
  }
  }
  return internal_error("unknown form of a JSON input");
}

result<job_input> load_bincode(byte_view file, const input_options& options) {
  if (!options.kind && !(options.proof && options.proof->kind == proof_kind::porep))
    return bad_input("document", "neither JSON nor a proof whose kind was given; expected { or [ first, or kind and "
                                 "registered proof beside a bincode file");
  const proof_kind kind = options.kind.value_or(proof_kind::porep);
  CUZK_TRY(proof, stated_proof(options, kind));
  if (kind != proof_kind::porep)
    return assemble_concatenated(file, proof, options);
  CUZK_TRY(c1, read_c1_bincode(file, shape_of(proof.size)));
  return assemble_porep(std::move(c1), options);
}

} // namespace

const char* to_string(identity_state state) noexcept {
  return state == identity_state::checked ? "checked" : "unchecked";
}

result<job_input> load_job(byte_view file, const input_options& options) {
  if (file.size() > options.max_bytes)
    return error{errc::resources, "the input has " + std::to_string(file.size()) + " bytes; at most " +
                                    std::to_string(options.max_bytes) + " are taken"};
  if (file.empty())
    return bad_input("document", "the input is empty");
  if (looks_like_json(file))
    return load_json({reinterpret_cast<const char*>(file.data()), file.size()}, options);
  return load_bincode(file, options);
}

} // namespace cuzk::filecoin
