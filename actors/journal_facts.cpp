#include "actors/journal_facts.hpp"

#include "actors/spec_codec.hpp"

#include <algorithm>

namespace cuzk {

namespace {

store::end end_of(job_state s) {
  switch (s) {
  case job_state::done: return store::end::done;
  case job_state::cancelled: return store::end::cancelled;
  case job_state::checking:
  case job_state::accepting:
  case job_state::queued:
  case job_state::running:
  case job_state::failed: break;
  }
  return store::end::failed;
}

job_state state_of(store::end e) {
  switch (e) {
  case store::end::done: return job_state::done;
  case store::end::failed: return job_state::failed;
  case store::end::cancelled: return job_state::cancelled;
  }
  return job_state::failed;
}

/// The request column: the input's size, a blank, the spec.
bytes request_of(const journal_fact& f) {
  const auto text = std::to_string(f.input_bytes) + " " + encode_spec(f.spec);
  return {text.begin(), text.end()};
}

status read_request(const bytes& request, journal_fact& f) {
  const std::string text(request.begin(), request.end());
  const auto blank = text.find(' ');
  if (blank == std::string::npos || blank == 0 || blank > 19 ||
      !std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(blank),
                   [](char c) { return c >= '0' && c <= '9'; }))
    return internal_error("a stored request has no size");
  f.input_bytes = std::stoull(text.substr(0, blank));
  CUZK_TRY(spec, decode_spec(text.substr(blank + 1)));
  f.spec = std::move(spec);
  return ok();
}

} // namespace

store::fact to_store(const journal_fact& f, const input_handle& input) {
  const auto id = number(f.job);
  switch (f.type) {
  case fact_type::accepted:
    return store::accepted{
      id,        f.request_id, f.payload_digest, f.input_digest, request_of(f), f.wall_ms, f.spec.deadline_wall_ms,
      input.data};
  case fact_type::prepared: return store::prepared{id, f.partitions, f.identity};
  case fact_type::partition_done:
    return store::partition_done{id,       f.partition, f.attempt, bytes(f.proof.begin(), f.proof.end()),
                                 f.device, f.test_key,  f.wall_ms};
  case fact_type::finished: return store::finished{id, end_of(f.state), f.failure, f.wall_ms};
  case fact_type::forgotten: break;
  }
  return store::forgotten{id};
}

result<std::vector<journal_fact>> from_store(const store::stored_job& stored) {
  std::vector<journal_fact> out;
  const auto add = [&](fact_type type, std::int64_t wall_ms) -> journal_fact& {
    auto& f = out.emplace_back();
    f.type = type;
    f.job = job_id{stored.job.job};
    f.wall_ms = wall_ms;
    return f;
  };
  auto& accepted = add(fact_type::accepted, stored.job.accepted_unix_ms);
  accepted.request_id = stored.job.request_id;
  accepted.payload_digest = stored.job.payload_digest;
  accepted.input_digest = stored.job.input_digest;
  CUZK_CHECK(read_request(stored.job.request, accepted));
  if (stored.shape) {
    auto& f = add(fact_type::prepared, stored.job.accepted_unix_ms);
    f.partitions = stored.shape->partitions;
    f.identity = stored.shape->identity;
  }
  for (const auto& p : stored.partitions) {
    auto& f = add(fact_type::partition_done, p.done_unix_ms);
    f.partition = p.partition;
    f.attempt = p.attempt;
    if (p.proof.size() != f.proof.size())
      return internal_error("a stored proof has " + std::to_string(p.proof.size()) + " bytes");
    std::copy(p.proof.begin(), p.proof.end(), f.proof.begin());
    f.device = p.device;
    f.test_key = p.test_key;
  }
  if (stored.over) {
    auto& f = add(fact_type::finished, stored.over->finished_unix_ms);
    f.state = state_of(stored.over->how);
    f.failure = stored.over->failure;
  }
  return out;
}

} // namespace cuzk
