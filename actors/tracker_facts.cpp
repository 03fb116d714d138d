// What happens to a job: on disk, under way, proved, ended, forgotten.
#include "actors/tracker_state.hpp"
#include "messages/names.hpp"

#include <algorithm>
#include <utility>

namespace cuzk {

namespace {

constexpr std::int64_t journal_retry_us = 1'000'000;
constexpr std::uint64_t most_held_bytes = 512ull
                                          << 20;   ///< inputs kept in memory for the scheduler; others are read again
constexpr std::uint32_t attempts_unheard_of = 100; ///< a dead scheduler may have made some nobody was told

} // namespace

void tracker_state::append(journal_fact fact, moment now, input_handle input, tracker_effects& out) {
  fact.seq = next_seq_++;
  fact.wall_ms = now.wall_ms;
  unstored_.emplace(fact.seq, fact);
  out.emplace_back(append_effect{{{std::move(fact)}}, std::move(input)});
}

tracker_effects tracker_state::stored(const facts_stored& fact, moment now) {
  tracker_effects out;
  journal_ok_ = true;
  for (const auto seq : fact.seqs) {
    const auto it = unstored_.find(seq);
    if (it == unstored_.end())
      continue; // confirmed twice
    const auto done = std::move(it->second);
    unstored_.erase(it);
    to_retry_.erase(seq);
    on_stored(done, now, out);
  }
  return out;
}

void tracker_state::on_stored(const journal_fact& fact, moment now, tracker_effects& out) {
  if (fact.type == fact_type::forgotten) {
    forgetting_.erase(fact.job);
    return;
  }
  auto* j = find(fact.job);
  if (j == nullptr)
    return;
  switch (fact.type) {
  case fact_type::accepted:
    j->state = job_state::queued;
    ++counts_.accepted;
    counts_.attached += j->submitters.size() - 1;
    for (std::size_t i = 0; i < j->submitters.size(); ++i)
      out.emplace_back(submit_answer{j->submitters[i], {outcome{}, fact.job, i != 0, j->state}});
    j->submitters.clear();
    say(fact.job, *j, "accepted", now, out);
    if (!j->ending)
      offer(fact.job, *j, out);
    return;
  case fact_type::partition_done: {
    auto& p = j->parts.at(fact.partition);
    p.stored = true;
    out.emplace_back(partition_stamp{{fact.job, fact.partition, fact.attempt}, partition_mark::stored, now.mono_us});
    finish_if_proved(fact.job, *j, now, out);
    return;
  }
  case fact_type::finished: conclude(fact.job, *j, fact, now, out); return;
  case fact_type::prepared:
  case fact_type::forgotten: return;
  }
}

tracker_effects tracker_state::store_refused(const facts_refused& fact, moment now) {
  tracker_effects out;
  journal_ok_ = false;
  for (const auto seq : fact.seqs) {
    const auto it = unstored_.find(seq);
    if (it == unstored_.end())
      continue;
    if (it->second.type == fact_type::accepted) {
      const auto id = it->second.job;
      unstored_.erase(it);
      refuse_submit(id, fact.why, out);
      continue;
    }
    to_retry_.insert(seq);
    retry_at_us_ = now.mono_us + journal_retry_us;
  }
  out.emplace_back(log_line{log_severity::error, "journal-refused",
                            "facts=" + std::to_string(fact.seqs.size()) + " code=" + to_string(fact.why.code) +
                              " why=\"" + fact.why.text + "\""});
  return out;
}

tracker_effects tracker_state::journal_replaced(moment) {
  tracker_effects out;
  to_retry_.clear();
  for (const auto& [seq, fact] : unstored_) {
    const auto* j = find(fact.job);
    const bool with_input = fact.type == fact_type::accepted && j != nullptr;
    out.emplace_back(append_effect{{{fact}}, with_input ? j->input : input_handle{}});
  }
  return out;
}

// To the scheduler. The input goes along while there is room for it in memory; otherwise the store is read again.
void tracker_state::offer(job_id id, job& j, tracker_effects& out) {
  if (held_bytes_ > most_held_bytes)
    drop_input(j);
  offer_effect e;
  e.offer.job = id;
  e.offer.spec = j.accepted.spec;
  e.offer.input_digest = j.accepted.input_digest;
  e.offer.input_bytes = j.accepted.input_bytes;
  e.offer.need = j.need;
  e.offer.deadline_us = j.deadline_us;
  e.offer.first_attempt = j.last_attempt == 0 ? 1 : j.last_attempt + attempts_unheard_of;
  for (std::uint32_t k = 0; k < j.parts.size(); ++k)
    if (j.parts[k].proof)
      e.offer.finished.push_back(k);
  e.input = j.input;
  const auto deadline = j.accepted.spec.deadline_wall_ms;
  if (deadline != 0)
    deadlines_.emplace(j.deadline_us, id);
  out.emplace_back(std::move(e));
}

void tracker_state::drop_input(job& j) {
  held_bytes_ -= j.input.data == nullptr ? 0 : j.input.data->size();
  j.input = {};
}

tracker_effects tracker_state::prepared(const job_prepared& fact, moment now) {
  tracker_effects out;
  auto* j = find(fact.job);
  if (j == nullptr || j->ending || is_final(j->state))
    return out;
  drop_input(*j);
  j->identity = fact.identity;
  if (j->parts.size() > fact.partitions) {
    finish(fact.job, *j, job_state::failed, internal_error("the input had more partitions before a restart"), now, out);
    return out;
  }
  j->parts.resize(fact.partitions);
  if (!j->known_shape) {
    j->known_shape = true;
    journal_fact f;
    f.type = fact_type::prepared;
    f.job = fact.job;
    f.partitions = fact.partitions;
    f.identity = fact.identity;
    append(std::move(f), now, {}, out);
  }
  finish_if_proved(fact.job, *j, now, out);
  return out;
}

tracker_effects tracker_state::unprovable(const job_unprovable& fact, moment now) {
  tracker_effects out;
  if (auto* j = find(fact.job))
    finish(fact.job, *j, job_state::failed, fact.why, now, out);
  return out;
}

tracker_effects tracker_state::withdrawn(const job_withdrawn& fact, moment) {
  if (auto* j = find(fact.job))
    drop_input(*j);
  return {};
}

void tracker_state::begin(job& j, moment now) {
  if (j.state != job_state::queued)
    return;
  j.state = job_state::running;
  j.begun_us = now.mono_us;
  if (j.started_wall_ms == 0)
    j.started_wall_ms = now.wall_ms;
}

tracker_effects tracker_state::stamped(const partition_stamp& fact, moment now) {
  tracker_effects out;
  auto* j = find(fact.ref.job);
  if (j == nullptr || is_final(j->state) || j->ending || fact.ref.partition >= j->parts.size())
    return out;
  auto& p = j->parts[fact.ref.partition];
  j->last_attempt = std::max(j->last_attempt, fact.ref.attempt);
  if (p.proof || fact.ref.attempt < p.attempt)
    return out;
  p.attempt = fact.ref.attempt;
  switch (fact.mark) {
  case partition_mark::queued: p.since_us = fact.at_us; return out;
  case partition_mark::reserved:
  case partition_mark::verified:
  case partition_mark::stored: return out;
  case partition_mark::synthesizing: {
    p.state = partition_state::synthesizing;
    const bool first = j->state == job_state::queued;
    begin(*j, now);
    if (first)
      say(fact.ref.job, *j, "started", now, out, fact.ref);
    break;
  }
  case partition_mark::synthesized: p.state = partition_state::ready; break;
  case partition_mark::dispatched:
  case partition_mark::started:
    p.state = partition_state::proving;
    p.stages = 0;
    break;
  case partition_mark::proved: p.state = partition_state::finalizing; break;
  case partition_mark::retried:
    p.state = partition_state::waiting;
    p.stage.clear();
    p.stages = 0;
    say(fact.ref.job, *j, "retry", now, out, fact.ref, fact.note);
    return out;
  }
  say(fact.ref.job, *j, "stage", now, out, fact.ref, to_string(fact.mark));
  return out;
}

tracker_effects tracker_state::stage(const stage_done& fact, moment now) {
  tracker_effects out;
  auto* j = find(fact.ref.job);
  if (j == nullptr || j->ending || fact.ref.partition >= j->parts.size())
    return out;
  auto& p = j->parts[fact.ref.partition];
  if (p.proof || p.attempt != fact.ref.attempt || p.state != partition_state::proving)
    return out;
  p.stage = std::string(groth16::to_string(fact.stage));
  ++p.stages;
  say(fact.ref.job, *j, "stage", now, out, fact.ref, p.stage);
  return out;
}

// The first good proof of a partition counts, of whatever attempt.
tracker_effects tracker_state::verified(const partition_verified& fact, moment now) {
  tracker_effects out;
  auto* j = find(fact.ref.job);
  if (!fact.good || j == nullptr || j->ending || is_final(j->state) || fact.ref.partition >= j->parts.size())
    return out;
  auto& p = j->parts[fact.ref.partition];
  if (p.proof)
    return out;
  begin(*j, now);
  p.proof = fact.proof;
  p.state = partition_state::done;
  p.attempt = fact.ref.attempt;
  p.lane = fact.lane_name;
  p.stage.clear();
  p.verified_us = now.mono_us;
  p.total_ms = static_cast<std::uint32_t>((now.mono_us - p.since_us) / 1000);
  j->devices.insert(fact.device);
  j->test_key = j->test_key || fact.test_key;
  journal_fact f;
  f.type = fact_type::partition_done;
  f.job = fact.ref.job;
  f.partition = fact.ref.partition;
  f.attempt = fact.ref.attempt;
  f.proof = fact.proof;
  f.device = fact.device;
  f.test_key = fact.test_key;
  append(std::move(f), now, {}, out);
  say(fact.ref.job, *j, "partition_done", now, out, fact.ref, fact.lane_name);
  return out;
}

tracker_effects tracker_state::waits(const job_waits& fact, moment now) {
  tracker_effects out;
  auto* j = find(fact.job);
  if (j == nullptr || is_final(j->state) || j->waits == fact.reason)
    return out;
  j->waits = fact.reason;
  if (!fact.reason.empty())
    say(fact.job, *j, "waits", now, out, {}, fact.reason);
  return out;
}

// Every partition proved and on disk: the job is done as soon as this fact is, too.
void tracker_state::finish_if_proved(job_id id, job& j, moment now, tracker_effects& out) {
  const bool all = j.known_shape && !j.parts.empty() &&
                   std::all_of(j.parts.begin(), j.parts.end(), [](const part& p) { return p.stored; });
  if (all)
    finish(id, j, job_state::done, {}, now, out);
}

void tracker_state::finish(job_id id, job& j, job_state end, error why, moment now, tracker_effects& out) {
  if (j.ending || is_final(j.state) || j.state == job_state::checking)
    return;
  j.ending = true;
  deadlines_.erase({j.deadline_us, id});
  if (end != job_state::done)
    out.emplace_back(withdraw_job{id});
  journal_fact f;
  f.type = fact_type::finished;
  f.job = id;
  f.state = end;
  f.failure = std::move(why);
  append(std::move(f), now, {}, out);
}

// The end is on disk: now it is said.
void tracker_state::conclude(job_id id, job& j, const journal_fact& fact, moment now, tracker_effects& out) {
  j.state = fact.state;
  j.failure = fact.failure;
  j.finished_wall_ms = fact.wall_ms;
  j.waits.clear();
  if (fact.state == job_state::done && j.begun_us != 0 && j.last_attempt <= 1 && j.accepted.spec.only_partition < 0) {
    auto& fastest = fastest_us_.try_emplace(j.accepted.spec.circuit, now.mono_us - j.begun_us).first->second;
    fastest = std::min(fastest, now.mono_us - j.begun_us);
  }
  drop_input(j);
  --unfinished_;
  queued_bytes_ -= j.accepted.input_bytes;
  finished_.emplace(fact.wall_ms, id);
  (fact.state == job_state::done     ? counts_.done
   : fact.state == job_state::failed ? counts_.failed
                                     : counts_.cancelled) += 1;
  for (const auto to : j.cancellers) {
    auto result = j.state == job_state::cancelled
                    ? outcome{}
                    : cuzk::refused({errc::conflict, std::string("the job is already ") + to_string(j.state)});
    out.emplace_back(cancel_answer{to, {std::move(result), j.state}});
  }
  j.cancellers.clear();
  say(id, j, to_string(j.state), now, out, {}, j.state == job_state::done ? "" : j.failure.message());
  answer_waiters(id, j, now, out);
  retain(now, out);
  tell_work_left(out);
}

// Finished jobs are kept for a time and in a number; the oldest go first.
void tracker_state::retain(moment now, tracker_effects& out) {
  while (!finished_.empty() && (finished_.size() > limits_.keep_results ||
                                finished_.begin()->first + limits_.keep_results_ms < now.wall_ms)) {
    const auto id = finished_.begin()->second;
    finished_.erase(finished_.begin());
    by_request_.erase(jobs_.at(id).accepted.request_id);
    jobs_.erase(id);
    forgetting_.insert(id);
    journal_fact f;
    f.type = fact_type::forgotten;
    f.job = id;
    append(std::move(f), now, {}, out);
  }
}

tracker_effects tracker_state::restore(const journal_contents& contents, const need_function& need_of, moment now) {
  tracker_effects out;
  if (loaded_)
    return out;
  if (!contents.result.ok) {
    out.emplace_back(log_line{log_severity::error, "journal-unreadable", contents.result.why.message()});
    return out;
  }
  loaded_ = true;
  next_job_ = std::max(next_job_, contents.next_job);
  for (const auto& fact : contents.facts)
    take_up(fact, now);
  for (auto& [id, j] : jobs_) {
    if (is_final(j.state))
      continue;
    ++unfinished_;
    queued_bytes_ += j.accepted.input_bytes;
    const auto need = need_of(j.accepted.spec.circuit);
    if (!need) {
      finish(id, j, job_state::failed, need.err(), now, out);
      continue;
    }
    j.need = *need;
    finish_if_proved(id, j, now, out);
    if (!j.ending)
      offer(id, j, out);
  }
  retain(now, out);
  tell_work_left(out);
  return out;
}

// One fact of an earlier run.
void tracker_state::take_up(const journal_fact& fact, moment now) {
  if (fact.type == fact_type::accepted) {
    auto& fresh = jobs_[fact.job];
    fresh.accepted = fact;
    fresh.state = job_state::queued;
    if (fact.spec.deadline_wall_ms != 0)
      fresh.deadline_us = std::max<std::int64_t>(1, now.mono_us + (fact.spec.deadline_wall_ms - now.wall_ms) * 1000);
    by_request_.emplace(fact.request_id, fact.job);
    next_job_ = std::max(next_job_, number(fact.job) + 1);
    return;
  }
  auto* j = find(fact.job);
  if (j == nullptr)
    return;
  switch (fact.type) {
  case fact_type::prepared:
    j->parts.resize(std::max<std::size_t>(j->parts.size(), fact.partitions));
    j->identity = fact.identity;
    j->known_shape = true;
    return;
  case fact_type::partition_done: {
    if (fact.partition >= j->parts.size())
      j->parts.resize(fact.partition + 1); // its shape was not on disk yet
    auto& p = j->parts[fact.partition];
    p.proof = fact.proof;
    p.stored = true;
    p.state = partition_state::done;
    p.attempt = fact.attempt;
    p.lane = fact.device;
    j->devices.insert(fact.device);
    j->test_key = j->test_key || fact.test_key;
    j->last_attempt = std::max(j->last_attempt, fact.attempt);
    return;
  }
  case fact_type::finished:
    j->state = fact.state;
    j->failure = fact.failure;
    j->finished_wall_ms = fact.wall_ms;
    finished_.emplace(fact.wall_ms, fact.job);
    return;
  case fact_type::accepted:
  case fact_type::forgotten: return;
  }
}

tracker_effects tracker_state::scheduler_replaced(moment) {
  tracker_effects out;
  for (auto& [id, j] : jobs_)
    if ((j.state == job_state::queued || j.state == job_state::running) && !j.ending)
      offer(id, j, out);
  return out;
}

tracker_effects tracker_state::phase(node_phase phase, moment) {
  tracker_effects out;
  phase_ = phase;
  told_left_.reset();
  tell_work_left(out);
  return out;
}

// The node hears how much is left whenever that changes.
void tracker_state::tell_work_left(tracker_effects& out) {
  if (!loaded_ || told_left_ == unfinished_)
    return;
  told_left_ = unfinished_;
  out.emplace_back(work_left{unfinished_, phase_});
}

void tracker_state::say(job_id id, const job& j, const char* what, moment now, tracker_effects& out,
                        const partition_ref& ref, std::string detail) {
  job_event e;
  e.number = next_event_++;
  e.wall_ms = now.wall_ms;
  e.job = id;
  e.what = what;
  e.partition = ref.partition;
  e.attempt = ref.attempt;
  e.detail = std::move(detail);
  e.state = j.state;
  e.percent = percent_of(j);
  out.emplace_back(std::move(e));
}

} // namespace cuzk
