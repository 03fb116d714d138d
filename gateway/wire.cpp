#include "gateway/wire.hpp"

#include "messages/names.hpp"

#include <algorithm>

namespace cuzk::wire {

rpc::Code to_wire(errc code) {
  switch (code) {
  case errc::bad_input: return rpc::Code::BAD_INPUT;
  case errc::params: return rpc::Code::PARAMS;
  case errc::resources: return rpc::Code::RESOURCES;
  case errc::gpu_fault: return rpc::Code::GPU_FAULT;
  case errc::self_check_failed: return rpc::Code::SELF_CHECK_FAILED;
  case errc::cancelled: return rpc::Code::CANCELLED;
  case errc::deadline: return rpc::Code::DEADLINE;
  case errc::shutdown: return rpc::Code::SHUTDOWN;
  case errc::unauthorized: return rpc::Code::UNAUTHORIZED;
  case errc::not_found: return rpc::Code::NOT_FOUND;
  case errc::conflict: return rpc::Code::CONFLICT;
  case errc::unavailable: return rpc::Code::UNAVAILABLE;
  case errc::internal: return rpc::Code::INTERNAL;
  }
  return rpc::Code::INTERNAL;
}

errc from_wire(rpc::Code code) {
  for (auto c : all_errcs)
    if (to_wire(c) == code)
      return c;
  return errc::internal; // a code of a newer node
}

rpc::JobState to_wire(job_state state) {
  switch (state) {
  case job_state::checking: return rpc::JobState::CHECKING;
  case job_state::accepting: return rpc::JobState::ACCEPTING;
  case job_state::queued: return rpc::JobState::QUEUED;
  case job_state::running: return rpc::JobState::RUNNING;
  case job_state::done: return rpc::JobState::DONE;
  case job_state::failed: return rpc::JobState::FAILED;
  case job_state::cancelled: return rpc::JobState::CANCELLED;
  }
  return rpc::JobState::FAILED;
}

job_state from_wire(rpc::JobState state) {
  switch (state) {
  case rpc::JobState::CHECKING: return job_state::checking;
  case rpc::JobState::ACCEPTING: return job_state::accepting;
  case rpc::JobState::QUEUED: return job_state::queued;
  case rpc::JobState::RUNNING: return job_state::running;
  case rpc::JobState::DONE: return job_state::done;
  case rpc::JobState::FAILED: return job_state::failed;
  case rpc::JobState::CANCELLED: return job_state::cancelled;
  }
  return job_state::running; // a state of a newer node: not final as far as we know
}

void write(const error& from, rpc::Refusal::Builder to) {
  to.setCode(to_wire(from.code));
  to.setText(from.text);
  to.setWhere(from.where);
  to.setRetryAfterMs(from.retry_after_ms);
}

error read(rpc::Refusal::Reader from) {
  return {from_wire(from.getCode()), text(from.getText()), text(from.getWhere()), from.getRetryAfterMs()};
}

namespace {

result<bytes32> read32(capnp::Data::Reader from, const char* member) {
  if (from.size() != 32)
    return bad_input(member, "has " + std::to_string(from.size()) + " bytes, expected 32");
  bytes32 out;
  std::copy(from.begin(), from.end(), out.begin());
  return out;
}

result<std::vector<bytes32>> read32s(capnp::List<capnp::Data>::Reader from, const std::string& member) {
  std::vector<bytes32> out;
  for (auto item : from) {
    CUZK_TRY(value, read32(item, (member + "[" + std::to_string(out.size()) + "]").c_str()));
    out.push_back(value);
  }
  return out;
}

} // namespace

result<submit_job> read(rpc::JobRequest::Reader from) {
  submit_job out;
  out.request_id = text(from.getRequestId());
  out.spec.kind = text(from.getKind());
  out.spec.circuit = text(from.getCircuit());
  out.spec.background = from.getBackground();
  out.spec.priority = from.getPriority();
  out.spec.deadline_wall_ms = from.getDeadlineWallMs();
  if (from.getProverId().size() != 0) {
    CUZK_TRY(prover_id, read32(from.getProverId(), "proverId"));
    out.spec.identity.given = true;
    out.spec.identity.prover_id = prover_id;
    out.spec.identity.has_sector = from.getHasSector();
    out.spec.identity.sector = from.getSector();
  }
  CUZK_TRY(r, read32s(from.getR(), "r"));
  CUZK_TRY(s, read32s(from.getS(), "s"));
  out.spec.r = std::move(r);
  out.spec.s = std::move(s);
  out.spec.only_partition = from.getOnlyPartition();
  out.spec.flags = text(from.getFlags());
  return out;
}

void write(const submit_job& from, rpc::JobRequest::Builder to) {
  const auto& spec = from.spec;
  to.setRequestId(from.request_id);
  to.setKind(spec.kind);
  to.setCircuit(spec.circuit);
  to.setBackground(spec.background);
  to.setPriority(spec.priority);
  to.setDeadlineWallMs(spec.deadline_wall_ms);
  if (spec.identity.given) {
    to.setProverId(to_data(spec.identity.prover_id));
    to.setHasSector(spec.identity.has_sector);
    to.setSector(spec.identity.sector);
  }
  auto r = to.initR(static_cast<unsigned>(spec.r.size()));
  for (unsigned i = 0; i < r.size(); ++i)
    r.set(i, to_data(spec.r[i]));
  auto s = to.initS(static_cast<unsigned>(spec.s.size()));
  for (unsigned i = 0; i < s.size(); ++i)
    s.set(i, to_data(spec.s[i]));
  to.setOnlyPartition(spec.only_partition);
  to.setFlags(spec.flags);
}

namespace {

constexpr partition_state all_partition_states[] = {partition_state::waiting,    partition_state::synthesizing,
                                                    partition_state::ready,      partition_state::proving,
                                                    partition_state::finalizing, partition_state::done};
constexpr node_phase all_node_phases[] = {node_phase::starting, node_phase::serving, node_phase::paused,
                                          node_phase::draining, node_phase::stopped};
constexpr key_state all_key_states[] = {key_state::waiting_for_memory, key_state::loading, key_state::loaded,
                                        key_state::failed};

// The value of a stable name; the first value for a name of a newer node.
template <class E, std::size_t N>
E named(const E (&all)[N], const std::string& name) {
  const auto* hit = std::find_if(all, all + N, [&](E e) { return name == to_string(e); });
  return hit == all + N ? all[0] : *hit;
}

void write(const partition_report& from, rpc::PartitionReport::Builder to) {
  to.setPartition(from.partition);
  to.setState(to_string(from.state));
  to.setAttempt(from.attempt);
  to.setStage(from.stage);
  to.setLane(from.lane);
  to.setTotalMs(from.total_ms);
}

partition_report read(rpc::PartitionReport::Reader from) {
  return {from.getPartition(),  named(all_partition_states, text(from.getState())),
          from.getAttempt(),    text(from.getStage()),
          text(from.getLane()), from.getTotalMs()};
}

} // namespace

void write(const job_report& from, rpc::JobReport::Builder to) {
  to.setJob(number(from.job));
  to.setRequestId(from.request_id);
  to.setKind(from.kind);
  to.setCircuit(from.circuit);
  to.setClass(to_string(from.cls));
  to.setState(to_wire(from.state));
  if (from.state == job_state::failed || from.state == job_state::cancelled)
    write(from.failure, to.initFailure());
  to.setWaitsFor(from.waits_for);
  to.setSubmittedWallMs(from.submitted_wall_ms);
  to.setStartedWallMs(from.started_wall_ms);
  to.setFinishedWallMs(from.finished_wall_ms);
  to.setDeadlineWallMs(from.deadline_wall_ms);
  to.setPartitions(from.partitions);
  to.setPartitionsDone(from.partitions_done);
  to.setPercent(from.percent);
  to.setEtaMs(from.eta_ms);
  auto parts = to.initParts(static_cast<unsigned>(from.parts.size()));
  for (unsigned i = 0; i < parts.size(); ++i)
    write(from.parts[i], parts[i]);
  to.setProof(to_data(from.proof));
  to.setTestKey(from.test_key);
  to.setIdentity(from.identity);
  to.setDevice(from.device);
}

job_report read(rpc::JobReport::Reader from) {
  job_report out;
  out.job = job_id{from.getJob()};
  out.request_id = text(from.getRequestId());
  out.kind = text(from.getKind());
  out.circuit = text(from.getCircuit());
  parse_job_class(text(from.getClass()), out.cls);
  out.state = from_wire(from.getState());
  if (from.hasFailure())
    out.failure = read(from.getFailure());
  out.waits_for = text(from.getWaitsFor());
  out.submitted_wall_ms = from.getSubmittedWallMs();
  out.started_wall_ms = from.getStartedWallMs();
  out.finished_wall_ms = from.getFinishedWallMs();
  out.deadline_wall_ms = from.getDeadlineWallMs();
  out.partitions = from.getPartitions();
  out.partitions_done = from.getPartitionsDone();
  out.percent = from.getPercent();
  out.eta_ms = from.getEtaMs();
  for (auto part : from.getParts())
    out.parts.push_back(read(part));
  out.proof = to_bytes(from.getProof());
  out.test_key = from.getTestKey();
  out.identity = text(from.getIdentity());
  out.device = text(from.getDevice());
  return out;
}

void write(const job_event& from, rpc::Event::Builder to) {
  to.setNumber(from.number);
  to.setWallMs(from.wall_ms);
  to.setJob(number(from.job));
  to.setWhat(from.what);
  to.setPartition(from.partition);
  to.setAttempt(from.attempt);
  to.setDetail(from.detail);
  to.setState(to_wire(from.state));
  to.setPercent(from.percent);
}

job_event read(rpc::Event::Reader from) {
  job_event out;
  out.number = from.getNumber();
  out.wall_ms = from.getWallMs();
  out.job = job_id{from.getJob()};
  out.what = text(from.getWhat());
  out.partition = from.getPartition();
  out.attempt = from.getAttempt();
  out.detail = text(from.getDetail());
  out.state = from_wire(from.getState());
  out.percent = from.getPercent();
  return out;
}

namespace {

void write(const lane_status& from, rpc::NodeStatus::Lane::Builder to) {
  to.setLane(number(from.info.lane));
  to.setName(from.info.name);
  to.setDevice(from.info.device);
  to.setCredits(from.credits);
  to.setInFlight(from.in_flight);
  to.setQuarantined(from.quarantined);
  to.setReason(from.reason);
  to.setFaults(from.faults);
  to.setProved(from.proved);
  auto work = to.initWorkingOn(static_cast<unsigned>(from.working_on.size()));
  for (unsigned i = 0; i < work.size(); ++i)
    work.set(i, from.working_on[i]);
}

lane_status read(rpc::NodeStatus::Lane::Reader from) {
  lane_status out;
  out.info.lane = lane_id{from.getLane()};
  out.info.name = text(from.getName());
  out.info.device = text(from.getDevice());
  out.credits = from.getCredits();
  out.in_flight = from.getInFlight();
  out.quarantined = from.getQuarantined();
  out.reason = text(from.getReason());
  out.faults = from.getFaults();
  out.proved = from.getProved();
  for (auto work : from.getWorkingOn())
    out.working_on.push_back(text(work));
  return out;
}

void write(const key_status& from, rpc::NodeStatus::Key::Builder to) {
  to.setCircuit(from.circuit);
  to.setState(to_string(from.state));
  to.setBytes(from.size.host + from.size.pinned + from.size.device);
  to.setLeases(from.leases);
  to.setPinned(from.pinned);
  to.setTestKey(from.test_key);
  to.setPath(from.path);
  if (from.state == key_state::failed)
    wire::write(from.failure, to.initFailure());
}

key_status read(rpc::NodeStatus::Key::Reader from) {
  key_status out;
  out.circuit = text(from.getCircuit());
  out.state = named(all_key_states, text(from.getState()));
  out.size.host = from.getBytes();
  out.leases = from.getLeases();
  out.pinned = from.getPinned();
  out.test_key = from.getTestKey();
  out.path = text(from.getPath());
  if (from.hasFailure())
    out.failure = wire::read(from.getFailure());
  return out;
}

void write_queue(const scheduler_status& from, rpc::NodeStatus::Queue::Builder to) {
  to.setToPrepare(from.to_prepare);
  to.setToSynthesize(from.to_synthesize);
  to.setSynthesizing(from.synthesizing);
  to.setReady(from.ready);
  to.setProving(from.proving);
  to.setFinalizing(from.finalizing);
  to.setOldestWaitMs(from.oldest_wait_ms);
  to.setRetries(from.retries);
  to.setQuarantines(from.quarantines);
}

void read_queue(rpc::NodeStatus::Queue::Reader from, scheduler_status& out) {
  out.to_prepare = from.getToPrepare();
  out.to_synthesize = from.getToSynthesize();
  out.synthesizing = from.getSynthesizing();
  out.ready = from.getReady();
  out.proving = from.getProving();
  out.finalizing = from.getFinalizing();
  out.oldest_wait_ms = from.getOldestWaitMs();
  out.retries = from.getRetries();
  out.quarantines = from.getQuarantines();
}

void write_memory(const budget_status& from, rpc::NodeStatus::Memory::Builder to) {
  to.setHostTotalBytes(from.total.host);
  to.setHostUsedBytes(from.reserved.host);
  to.setPinnedTotalBytes(from.total.pinned);
  to.setPinnedUsedBytes(from.reserved.pinned);
  to.setDeviceTotalBytes(from.total.device);
  to.setDeviceUsedBytes(from.reserved.device);
  to.setWaiting(from.waiting);
}

void read_memory(rpc::NodeStatus::Memory::Reader from, budget_status& out) {
  out.total = {from.getHostTotalBytes(), from.getPinnedTotalBytes(), from.getDeviceTotalBytes()};
  out.reserved = {from.getHostUsedBytes(), from.getPinnedUsedBytes(), from.getDeviceUsedBytes()};
  out.waiting = from.getWaiting();
}

void write_jobs(const tracker_status& from, rpc::NodeStatus::Jobs::Builder to) {
  to.setAccepted(from.accepted);
  to.setAttached(from.attached);
  to.setRefused(from.refused);
  to.setDone(from.done);
  to.setFailed(from.failed);
  to.setCancelled(from.cancelled);
  to.setUnfinished(from.unfinished);
  to.setInputBytesQueued(from.input_bytes_queued);
  to.setJournalOk(from.journal_ok);
}

void read_jobs(rpc::NodeStatus::Jobs::Reader from, tracker_status& out) {
  out.accepted = from.getAccepted();
  out.attached = from.getAttached();
  out.refused = from.getRefused();
  out.done = from.getDone();
  out.failed = from.getFailed();
  out.cancelled = from.getCancelled();
  out.unfinished = from.getUnfinished();
  out.input_bytes_queued = from.getInputBytesQueued();
  out.journal_ok = from.getJournalOk();
}

} // namespace

void write(const node_status& from, rpc::NodeStatus::Builder to) {
  to.setPhase(to_string(from.phase));
  to.setReady(from.ready);
  to.setUptimeMs(from.uptime_ms);
  to.setDevice(from.device);
  to.setTestKeysAllowed(from.test_keys_allowed);
  auto actors = to.initActors(static_cast<unsigned>(from.actors.size()));
  for (unsigned i = 0; i < actors.size(); ++i) {
    actors[i].setName(from.actors[i].name);
    actors[i].setUp(from.actors[i].up);
    actors[i].setRestarts(from.actors[i].restarts);
    actors[i].setLastDeath(from.actors[i].last_death);
  }
  auto lanes = to.initLanes(static_cast<unsigned>(from.scheduler.lanes.size()));
  for (unsigned i = 0; i < lanes.size(); ++i)
    write(from.scheduler.lanes[i], lanes[i]);
  write_queue(from.scheduler, to.initQueue());
  write_memory(from.budget, to.initMemory());
  to.setParamsDir(from.params.cache_dir);
  auto keys = to.initKeys(static_cast<unsigned>(from.params.keys.size()));
  for (unsigned i = 0; i < keys.size(); ++i)
    write(from.params.keys[i], keys[i]);
  write_jobs(from.tracker, to.initJobs());
  auto silent = to.initUnanswered(static_cast<unsigned>(from.unanswered.size()));
  for (unsigned i = 0; i < silent.size(); ++i)
    silent.set(i, from.unanswered[i]);
}

node_status read(rpc::NodeStatus::Reader from) {
  node_status out;
  out.phase = named(all_node_phases, text(from.getPhase()));
  out.ready = from.getReady();
  out.uptime_ms = from.getUptimeMs();
  out.device = text(from.getDevice());
  out.test_keys_allowed = from.getTestKeysAllowed();
  for (auto a : from.getActors())
    out.actors.push_back({text(a.getName()), a.getUp(), a.getRestarts(), text(a.getLastDeath())});
  for (auto lane : from.getLanes())
    out.scheduler.lanes.push_back(read(lane));
  read_queue(from.getQueue(), out.scheduler);
  read_memory(from.getMemory(), out.budget);
  out.params.cache_dir = text(from.getParamsDir());
  for (auto key : from.getKeys())
    out.params.keys.push_back(read(key));
  read_jobs(from.getJobs(), out.tracker);
  for (auto name : from.getUnanswered())
    out.unanswered.push_back(text(name));
  return out;
}

} // namespace cuzk::wire
