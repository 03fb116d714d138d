#pragma once
// The one registration of everything that may travel in a CAF message, and the crossing from our error to CAF's.
// Append only.
#include "messages/budget.hpp"
#include "messages/ids.hpp"
#include "messages/job.hpp"
#include "messages/journal.hpp"
#include "messages/params.hpp"
#include "messages/proof.hpp"
#include "messages/status.hpp"
#include "messages/work.hpp"

#include <caf/config.hpp>
#include <caf/error.hpp>
#include <caf/make_message.hpp>
#include <caf/meta/type_name.hpp>
#include <caf/type_id.hpp>

CAF_BEGIN_TYPE_ID_BLOCK(cuzk_messages, 500)
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::job_id))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::lane_id))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::reservation_id))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::error))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::groth16::prove_timings))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::partition_ref))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::outcome))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::job_identity))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::job_spec))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::submit_job))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::submit_reply))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::await_job))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::get_job))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::cancel_job))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::cancel_reply))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::list_jobs))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::partition_report))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::job_report))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::job_list))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::job_event))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::subscribe_events))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::unsubscribe_events))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::prove_partition))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::cancel_partition))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::reset_lane))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::partition_started))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::stage_done))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::partition_proved))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::partition_failed))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::lane_credit))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::lane_info))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::work_need))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::input_inspected))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::offer_job))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::withdraw_job))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::job_withdrawn))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::prepare_input))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::input_prepared))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::synthesize_partition))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::partition_synthesized))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::synthesis_failed))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::cancel_synthesis))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::order_number))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::partition_verified))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::job_unprovable))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::job_prepared))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::partition_stamp))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::job_waits))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::byte_counts))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::reserve_memory))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::reservation_granted))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::reservation_refused))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::release_memory))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::please_evict))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::holder_status))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::budget_query))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::budget_status))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::lease_key))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::release_key))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::key_loading))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::key_ready))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::key_failed))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::preload_params))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::evict_params))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::params_reply))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::load_key))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::key_loaded))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::key_load_failed))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::key_status))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::params_query))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::params_status))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::journal_fact))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::append_facts))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::facts_stored))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::facts_refused))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::load_journal))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::journal_contents))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::phase_changed))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::actor_replaced))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::log_line))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::timer_fired))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::work_left))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::lane_status))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::scheduler_query))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::scheduler_status))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::tracker_query))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::tracker_status))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::metrics_query))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::metric_sample))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::metric_family))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::metrics_page))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::trace_span))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::trace_query))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::trace_page))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::actor_health))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::node_query))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::node_status))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::admin_reply))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::pause_node))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::resume_node))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::release_lane))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::drain_node))
CAF_ADD_TYPE_ID(cuzk_messages, (cuzk::stop_node))
CAF_END_TYPE_ID_BLOCK(cuzk_messages)

CAF_ERROR_CODE_ENUM(cuzk::errc, "cuzk")

// One line a type: its name and its fields in the order of the struct.
#define CUZK_INSPECT(type, ...)                                                                                        \
  template <class F>                                                                                                   \
  auto inspect(F& f, [[maybe_unused]] type& x) {                                                                       \
    return f(caf::meta::type_name(#type) __VA_OPT__(, ) __VA_ARGS__);                                                  \
  }

namespace cuzk::groth16 {
CUZK_INSPECT(prove_timings, x.seconds, x.idle_before, x.total, x.derived)
} // namespace cuzk::groth16

namespace cuzk {

CUZK_INSPECT(error, x.code, x.text, x.where, x.retry_after_ms)
CUZK_INSPECT(partition_ref, x.job, x.partition, x.attempt)
CUZK_INSPECT(outcome, x.ok, x.why)
CUZK_INSPECT(job_identity, x.given, x.prover_id, x.has_sector, x.sector)
CUZK_INSPECT(job_spec, x.kind, x.circuit, x.cls, x.background, x.priority, x.deadline_wall_ms, x.identity, x.r, x.s,
             x.only_partition, x.flags)
CUZK_INSPECT(submit_job, x.request_id, x.payload_digest, x.input_digest, x.input_bytes, x.spec)
CUZK_INSPECT(submit_reply, x.result, x.job, x.attached, x.state)
CUZK_INSPECT(await_job, x.job, x.timeout_ms)
CUZK_INSPECT(get_job, x.job, x.request_id)
CUZK_INSPECT(cancel_job, x.job, x.by)
CUZK_INSPECT(cancel_reply, x.result, x.state)
CUZK_INSPECT(list_jobs, x.limit, x.before, x.unfinished_only)
CUZK_INSPECT(partition_report, x.partition, x.state, x.attempt, x.stage, x.lane, x.total_ms)
CUZK_INSPECT(job_report, x.found, x.job, x.request_id, x.kind, x.circuit, x.cls, x.state, x.failure, x.waits_for,
             x.submitted_wall_ms, x.started_wall_ms, x.finished_wall_ms, x.deadline_wall_ms, x.partitions,
             x.partitions_done, x.percent, x.eta_ms, x.parts, x.proof, x.test_key, x.identity, x.device)
CUZK_INSPECT(job_list, x.jobs, x.more)
CUZK_INSPECT(job_event, x.number, x.wall_ms, x.job, x.what, x.partition, x.attempt, x.detail, x.state, x.percent)
CUZK_INSPECT(subscribe_events, x.only)
CUZK_INSPECT(unsubscribe_events)
CUZK_INSPECT(prove_partition, x.ref, x.circuit, x.input_digest, x.spec, x.input_partition, x.fixed_rs, x.r, x.s)
CUZK_INSPECT(cancel_partition, x.ref, x.only_if_waiting)
CUZK_INSPECT(reset_lane)
CUZK_INSPECT(partition_started, x.ref, x.lane)
CUZK_INSPECT(stage_done, x.ref, x.lane, x.stage, x.took_us)
CUZK_INSPECT(partition_proved, x.ref, x.lane, x.circuit, x.points, x.timings)
CUZK_INSPECT(partition_failed, x.ref, x.lane, x.why)
CUZK_INSPECT(lane_credit, x.lane, x.count)
CUZK_INSPECT(lane_info, x.lane, x.name, x.device, x.credits, x.device_bytes, x.remote, x.lowest)
CUZK_INSPECT(work_need, x.prepare, x.witness, x.keep, x.prove, x.key)
CUZK_INSPECT(input_inspected, x.job, x.result, x.kind, x.circuit, x.need)
CUZK_INSPECT(offer_job, x.job, x.spec, x.input_digest, x.input_bytes, x.need, x.deadline_us, x.finished,
             x.first_attempt)
CUZK_INSPECT(withdraw_job, x.job)
CUZK_INSPECT(job_withdrawn, x.job)
CUZK_INSPECT(prepare_input, x.job, x.spec, x.input_digest)
CUZK_INSPECT(input_prepared, x.job, x.partitions, x.identity, x.took_us)
CUZK_INSPECT(synthesize_partition, x.ref, x.input_partition)
CUZK_INSPECT(partition_synthesized, x.ref, x.took_us)
CUZK_INSPECT(synthesis_failed, x.ref, x.why)
CUZK_INSPECT(cancel_synthesis, x.ref)
CUZK_INSPECT(order_number, x.value)
CUZK_INSPECT(partition_verified, x.ref, x.lane, x.lane_name, x.device, x.test_key, x.good, x.proof, x.why,
             x.assemble_us, x.verify_us)
CUZK_INSPECT(job_unprovable, x.job, x.why)
CUZK_INSPECT(job_prepared, x.job, x.partitions, x.identity)
CUZK_INSPECT(partition_stamp, x.ref, x.mark, x.at_us, x.lane, x.note)
CUZK_INSPECT(job_waits, x.job, x.reason)
CUZK_INSPECT(byte_counts, x.host, x.pinned, x.device)
CUZK_INSPECT(reserve_memory, x.holder, x.id, x.want, x.first_part, x.cls, x.order, x.stays, x.held_already, x.job)
CUZK_INSPECT(reservation_granted, x.id)
CUZK_INSPECT(reservation_refused, x.id, x.why)
CUZK_INSPECT(release_memory, x.holder, x.id, x.all, x.part)
CUZK_INSPECT(please_evict, x.want)
CUZK_INSPECT(holder_status, x.holder, x.reservations, x.waiting, x.held)
CUZK_INSPECT(budget_query)
CUZK_INSPECT(budget_status, x.total, x.reserved, x.peak, x.granted, x.waiting, x.holders)
CUZK_INSPECT(lease_key, x.circuit, x.cls)
CUZK_INSPECT(release_key, x.circuit)
CUZK_INSPECT(key_loading, x.circuit)
CUZK_INSPECT(key_ready, x.circuit, x.test_key)
CUZK_INSPECT(key_failed, x.circuit, x.why)
CUZK_INSPECT(preload_params, x.circuit)
CUZK_INSPECT(evict_params, x.circuit)
CUZK_INSPECT(params_reply, x.result, x.bytes, x.took_ms)
CUZK_INSPECT(load_key, x.circuit, x.load)
CUZK_INSPECT(key_loaded, x.circuit, x.load, x.size, x.test_key, x.path)
CUZK_INSPECT(key_load_failed, x.circuit, x.load, x.why)
CUZK_INSPECT(key_status, x.circuit, x.state, x.size, x.leases, x.pinned, x.test_key, x.path, x.failure)
CUZK_INSPECT(params_query)
CUZK_INSPECT(params_status, x.cache_dir, x.keys, x.loads, x.evictions)
CUZK_INSPECT(journal_fact, x.seq, x.type, x.job, x.wall_ms, x.request_id, x.payload_digest, x.input_digest,
             x.input_bytes, x.spec, x.partitions, x.identity, x.partition, x.attempt, x.proof, x.device, x.test_key,
             x.state, x.failure)
CUZK_INSPECT(append_facts, x.facts)
CUZK_INSPECT(facts_stored, x.seqs)
CUZK_INSPECT(facts_refused, x.seqs, x.why)
CUZK_INSPECT(load_journal)
CUZK_INSPECT(journal_contents, x.result, x.facts, x.next_job)
CUZK_INSPECT(phase_changed, x.phase)
CUZK_INSPECT(actor_replaced, x.role, x.index, x.reason)
CUZK_INSPECT(log_line, x.severity, x.event, x.text)
CUZK_INSPECT(timer_fired, x.generation)
CUZK_INSPECT(work_left, x.jobs, x.phase)
CUZK_INSPECT(lane_status, x.info, x.credits, x.in_flight, x.quarantined, x.reason, x.faults, x.proved, x.working_on)
CUZK_INSPECT(scheduler_query)
CUZK_INSPECT(scheduler_status, x.paused, x.to_prepare, x.to_synthesize, x.synthesizing, x.ready, x.proving,
             x.finalizing, x.queued_by_class, x.oldest_wait_ms, x.retries, x.quarantines, x.aged, x.bypasses, x.lanes)
CUZK_INSPECT(tracker_query)
CUZK_INSPECT(tracker_status, x.accepted, x.attached, x.refused, x.done, x.failed, x.cancelled, x.unfinished, x.kept,
             x.waiters, x.watchers, x.unstored_facts, x.input_bytes_queued, x.journal_ok)
CUZK_INSPECT(metrics_query)
CUZK_INSPECT(metric_sample, x.name, x.labels, x.value)
CUZK_INSPECT(metric_family, x.name, x.help, x.type, x.samples)
CUZK_INSPECT(metrics_page, x.families)
CUZK_INSPECT(trace_span, x.track, x.name, x.ref, x.begin_us, x.end_us)
CUZK_INSPECT(trace_query, x.last_seconds)
CUZK_INSPECT(trace_page, x.spans)
CUZK_INSPECT(actor_health, x.name, x.up, x.restarts, x.last_death)
CUZK_INSPECT(node_query)
CUZK_INSPECT(node_status, x.phase, x.ready, x.uptime_ms, x.device, x.test_keys_allowed, x.actors, x.scheduler, x.budget,
             x.params, x.tracker, x.unanswered)
CUZK_INSPECT(admin_reply, x.result)
CUZK_INSPECT(pause_node)
CUZK_INSPECT(resume_node)
CUZK_INSPECT(release_lane, x.lane)
CUZK_INSPECT(drain_node, x.limit_ms)
CUZK_INSPECT(stop_node)

/// The only crossing from our error to CAF's: for what is no expected refusal.
inline caf::error to_caf(const error& e) {
  return caf::make_error(e.code, e.text, e.where);
}

} // namespace cuzk

#undef CUZK_INSPECT
