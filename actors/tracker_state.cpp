// Requests of clients. What happens to their jobs is in tracker_facts.cpp.
#include "actors/tracker_state.hpp"

#include "messages/names.hpp"

#include <algorithm>
#include <utility>

namespace cuzk {

namespace {

constexpr std::uint32_t longest_wait_ms = 3'600'000;

std::string in_ms(std::int64_t ms) {
  return std::to_string(ms) + " ms";
}

} // namespace

tracker_state::job* tracker_state::find(job_id id) {
  const auto it = jobs_.find(id);
  return it == jobs_.end() ? nullptr : &it->second;
}
const tracker_state::job* tracker_state::find(job_id id) const {
  const auto it = jobs_.find(id);
  return it == jobs_.end() ? nullptr : &it->second;
}

tracker_effects tracker_state::submit(ticket to, const submit_job& ask, input_handle input, moment now) {
  const auto refuse = [&](error why) {
    ++counts_.refused;
    return tracker_effects{submit_answer{to, {cuzk::refused(std::move(why)), {}, false, job_state::failed}}};
  };
  if (!loaded_)
    return refuse({errc::unavailable, "the journal is being read"});
  if (!is_name(ask.request_id))
    return refuse(bad_input("request_id", std::to_string(ask.request_id.size()) +
                                            " bytes, expected 1 to 200 of UTF-8 without control characters"));
  if (const auto known = by_request_.find(ask.request_id); known != by_request_.end()) {
    auto out = attach(to, ask, known->second);
    if (!out.empty())
      return out;
    jobs_.at(known->second).submitters.push_back(to); // not on disk yet: answered with the first
    return out;
  }
  if (auto why = refuse_new(ask, now))
    return refuse(*std::move(why));
  const auto id = job_id{next_job_++};
  auto& j = jobs_[id];
  j.accepted.type = fact_type::accepted;
  j.accepted.job = id;
  j.accepted.wall_ms = now.wall_ms;
  j.accepted.request_id = ask.request_id;
  j.accepted.payload_digest = ask.payload_digest;
  j.accepted.input_digest = ask.input_digest;
  j.accepted.input_bytes = ask.input_bytes;
  j.accepted.spec = ask.spec;
  if (ask.spec.deadline_wall_ms != 0)
    j.deadline_us = std::max<std::int64_t>(1, now.mono_us + (ask.spec.deadline_wall_ms - now.wall_ms) * 1000);
  j.input = input;
  j.submitters.push_back(to);
  by_request_.emplace(ask.request_id, id);
  ++unfinished_;
  queued_bytes_ += ask.input_bytes;
  held_bytes_ += input.data == nullptr ? 0 : input.data->size();
  return {inspect_effect{id, ask.spec, ask.input_digest, std::move(input)}};
}

std::optional<error> tracker_state::refuse_new(const submit_job& ask, moment now) const {
  if (phase_ == node_phase::draining || phase_ == node_phase::stopped)
    return error{errc::shutdown, "the node drains and takes no new jobs"};
  if (ask.input_bytes > limits_.max_input_bytes)
    return bad_input("input", human_bytes(ask.input_bytes) + ", at most " + human_bytes(limits_.max_input_bytes));
  const auto no_room = [&](std::string text) {
    return error{errc::resources, std::move(text), "", limits_.retry_after_ms};
  };
  if (unfinished_ >= limits_.max_unfinished_jobs)
    return no_room(std::to_string(unfinished_) + " jobs are unfinished, at most " +
                   std::to_string(limits_.max_unfinished_jobs));
  if (queued_bytes_ + ask.input_bytes > limits_.max_queued_input_bytes)
    return no_room("inputs of unfinished jobs take " + human_bytes(queued_bytes_) + " of " +
                   human_bytes(limits_.max_queued_input_bytes));
  const auto deadline = ask.spec.deadline_wall_ms;
  if (deadline != 0 && deadline <= now.wall_ms)
    return error{errc::deadline, "the deadline passed " + in_ms(now.wall_ms - deadline) + " ago"};
  return std::nullopt;
}

// The answer to a known request id; empty while the first submit is not on disk.
tracker_effects tracker_state::attach(ticket to, const submit_job& ask, job_id id) const {
  const auto& j = *find(id);
  if (j.accepted.payload_digest != ask.payload_digest) {
    auto why = error{errc::conflict, "request id is job " + std::to_string(number(id)) + " with another payload"};
    return {submit_answer{to, {cuzk::refused(std::move(why)), id, false, j.state}}};
  }
  if (j.state == job_state::checking || j.state == job_state::accepting)
    return {};
  return {submit_answer{to, {outcome{}, id, true, j.state}}};
}

// The job never was: its submitters are told why.
void tracker_state::refuse_submit(job_id id, const error& why, tracker_effects& out) {
  auto& j = jobs_.at(id);
  for (const auto to : j.submitters)
    out.emplace_back(submit_answer{to, {cuzk::refused(why), {}, false, job_state::failed}});
  counts_.refused += j.submitters.size();
  for (const auto to : j.cancellers)
    out.emplace_back(cancel_answer{to, {outcome{}, job_state::cancelled}});
  const auto gone = std::remove_if(waiters_.begin(), waiters_.end(), [&](const waiter& w) {
    if (w.id != id)
      return false;
    job_report none;
    none.found = cuzk::refused(why);
    out.emplace_back(report_answer{w.to, std::move(none)});
    return true;
  });
  waiters_.erase(gone, waiters_.end());
  by_request_.erase(j.accepted.request_id);
  --unfinished_;
  queued_bytes_ -= j.accepted.input_bytes;
  drop_input(j);
  jobs_.erase(id);
  tell_work_left(out);
}

tracker_effects tracker_state::inspected(const input_inspected& fact, moment now) {
  tracker_effects out;
  auto* j = find(fact.job);
  if (j == nullptr || j->state != job_state::checking)
    return out;
  if (!fact.result.ok) {
    refuse_submit(fact.job, fact.result.why, out);
    return out;
  }
  const auto& n = fact.need;
  const auto all = n.prepare + n.witness + n.keep + n.prove + n.key;
  if (!all.fits(memory_)) {
    refuse_submit(fact.job,
                  {errc::resources, fact.circuit + " needs " + human_bytes(all.host) + ", the whole budget is " +
                                      human_bytes(memory_.host)},
                  out);
    return out;
  }
  auto& spec = j->accepted.spec;
  spec.kind = fact.kind;
  spec.circuit = fact.circuit;
  spec.cls = spec.background ? job_class::background : class_of(fact.circuit);
  if (const auto why = hopeless(*j, now)) {
    refuse_submit(fact.job, *why, out);
    return out;
  }
  j->need = fact.need;
  j->state = job_state::accepting;
  append(j->accepted, now, j->input, out);
  return out;
}

// By experience: a whole job of the circuit never took less.
std::optional<error> tracker_state::hopeless(const job& j, moment now) const {
  const auto known = fastest_us_.find(j.accepted.spec.circuit);
  if (j.deadline_us == 0 || j.accepted.spec.only_partition >= 0 || known == fastest_us_.end() ||
      now.mono_us + known->second <= j.deadline_us)
    return std::nullopt;
  return error{errc::deadline, in_ms(std::max<std::int64_t>(0, j.deadline_us - now.mono_us) / 1000) +
                                 " are left, the fastest job of " + known->first + " took " +
                                 in_ms(known->second / 1000)};
}

tracker_effects tracker_state::await(ticket to, const await_job& ask, moment now) {
  const auto* j = find(ask.job);
  if (j == nullptr || is_final(j->state) || ask.timeout_ms == 0)
    return {report_answer{to, report({ask.job, {}}, now)}};
  const std::int64_t ms = std::min(ask.timeout_ms, longest_wait_ms);
  waiters_.push_back({to, ask.job, now.mono_us + ms * 1000});
  return {};
}

tracker_effects tracker_state::cancel(ticket to, const cancel_job& ask, moment now) {
  tracker_effects out;
  auto* j = find(ask.job);
  if (j == nullptr)
    return {cancel_answer{to, {cuzk::refused({errc::not_found, "no job " + std::to_string(number(ask.job))}), {}}}};
  if (is_final(j->state)) {
    auto result = j->state == job_state::cancelled
                    ? outcome{}
                    : cuzk::refused({errc::conflict, std::string("the job is already ") + to_string(j->state)});
    return {cancel_answer{to, {std::move(result), j->state}}};
  }
  j->cancellers.push_back(to);
  const error why{errc::cancelled, "cancelled by " + (ask.by.empty() ? std::string("a client") : ask.by)};
  if (j->state == job_state::checking)
    refuse_submit(ask.job, why, out);
  else
    finish(ask.job, *j, job_state::cancelled, why, now, out);
  return out;
}

job_report tracker_state::report(const get_job& ask, moment now) const {
  auto id = ask.job;
  if (id == job_id{}) {
    const auto it = by_request_.find(ask.request_id);
    id = it == by_request_.end() ? job_id{} : it->second;
  }
  if (const auto* j = find(id))
    return report_of(id, *j, now, true);
  job_report none;
  none.job = id;
  none.found =
    cuzk::refused(!loaded_ ? error{errc::unavailable, "the journal is being read"}
                           : error{errc::not_found, ask.job == job_id{} ? "no job of request " + ask.request_id
                                                                        : "no job " + std::to_string(number(ask.job))});
  return none;
}

job_report tracker_state::report_of(job_id id, const job& j, moment now, bool whole) const {
  job_report r;
  const auto& spec = j.accepted.spec;
  r.job = id;
  r.request_id = j.accepted.request_id;
  r.kind = spec.kind;
  r.circuit = spec.circuit;
  r.cls = spec.cls;
  r.state = j.state;
  r.failure = j.failure;
  r.waits_for = waits_of(j);
  r.submitted_wall_ms = j.accepted.wall_ms;
  r.started_wall_ms = j.started_wall_ms;
  r.finished_wall_ms = j.finished_wall_ms;
  r.deadline_wall_ms = spec.deadline_wall_ms;
  r.partitions = static_cast<std::uint32_t>(j.parts.size());
  r.percent = percent_of(j);
  r.identity = j.identity;
  r.test_key = j.test_key;
  for (const auto& d : j.devices)
    r.device += (r.device.empty() ? "" : ", ") + d;
  for (std::uint32_t k = 0; k < j.parts.size(); ++k) {
    const auto& p = j.parts[k];
    r.partitions_done += p.proof.has_value();
    if (whole)
      r.parts.push_back({k, p.state, p.attempt, p.stage, p.lane, p.total_ms});
    if (whole && j.state == job_state::done)
      r.proof.insert(r.proof.end(), p.proof->begin(), p.proof->end());
  }
  if (j.state == job_state::running && r.waits_for.empty() && r.percent > 0 && now.wall_ms > j.started_wall_ms)
    r.eta_ms = static_cast<std::uint32_t>((now.wall_ms - j.started_wall_ms) * (100 - r.percent) / r.percent);
  return r;
}

// Empty when it moves or is over.
std::string tracker_state::waits_of(const job& j) const {
  if (is_final(j.state))
    return {};
  if (phase_ == node_phase::paused)
    return "paused";
  return j.waits.empty() && j.state == job_state::queued ? "its turn" : j.waits;
}

// A tenth for the witness, eight for the steps of proving, the rest for the check.
std::uint32_t tracker_state::percent_of(const job& j) {
  if (j.state == job_state::done)
    return 100;
  std::uint64_t sum = 0;
  for (const auto& p : j.parts) {
    switch (p.state) {
    case partition_state::waiting:
    case partition_state::synthesizing: break;
    case partition_state::ready: sum += 10; break;
    case partition_state::proving:
      sum += 10 + 80 * std::min<std::uint32_t>(p.stages, groth16::stage_count) / groth16::stage_count;
      break;
    case partition_state::finalizing: sum += 90; break;
    case partition_state::done: sum += 100; break;
    }
  }
  return j.parts.empty() ? 0 : static_cast<std::uint32_t>(std::min<std::uint64_t>(99, sum / j.parts.size()));
}

job_list tracker_state::list(const list_jobs& ask, moment now) const {
  job_list out;
  auto it = ask.before == job_id{} ? jobs_.end() : jobs_.lower_bound(ask.before);
  while (it != jobs_.begin()) {
    --it;
    if (it->second.state == job_state::checking || (ask.unfinished_only && is_final(it->second.state)))
      continue;
    if (out.jobs.size() == ask.limit) {
      out.more = true;
      break;
    }
    out.jobs.push_back(report_of(it->first, it->second, now, false));
  }
  return out;
}

void tracker_state::answer_waiters(job_id id, const job& j, moment now, tracker_effects& out) {
  const auto gone = std::remove_if(waiters_.begin(), waiters_.end(), [&](const waiter& w) {
    if (w.id != id)
      return false;
    out.emplace_back(report_answer{w.to, report_of(id, j, now, true)});
    return true;
  });
  waiters_.erase(gone, waiters_.end());
}

tracker_effects tracker_state::tick(moment now) {
  tracker_effects out;
  const auto gone = std::remove_if(waiters_.begin(), waiters_.end(), [&](const waiter& w) {
    if (w.until_us > now.mono_us)
      return false;
    out.emplace_back(report_answer{w.to, report({w.id, {}}, now)});
    return true;
  });
  waiters_.erase(gone, waiters_.end());
  while (!deadlines_.empty() && deadlines_.begin()->first <= now.mono_us) {
    const auto id = deadlines_.begin()->second;
    deadlines_.erase(deadlines_.begin());
    finish(id, jobs_.at(id), job_state::failed, {errc::deadline, "the deadline has passed"}, now, out);
  }
  if (!to_retry_.empty() && retry_at_us_ <= now.mono_us) {
    for (const auto seq : std::exchange(to_retry_, {}))
      out.emplace_back(append_effect{{{unstored_.at(seq)}}, {}});
  }
  retain(now, out);
  return out;
}

std::optional<std::int64_t> tracker_state::next_wakeup() const {
  std::optional<std::int64_t> next;
  const auto at = [&](std::int64_t t) { next = next ? std::min(*next, t) : t; };
  for (const auto& w : waiters_)
    at(w.until_us);
  if (!deadlines_.empty())
    at(deadlines_.begin()->first);
  if (!to_retry_.empty())
    at(retry_at_us_);
  return next;
}

tracker_status tracker_state::status() const {
  auto out = counts_;
  out.unfinished = unfinished_;
  out.kept = static_cast<std::uint32_t>(finished_.size());
  out.waiters = static_cast<std::uint32_t>(waiters_.size());
  out.unstored_facts = static_cast<std::uint32_t>(unstored_.size());
  out.input_bytes_queued = queued_bytes_;
  out.journal_ok = journal_ok_;
  return out;
}

} // namespace cuzk
