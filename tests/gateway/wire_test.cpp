#include "gateway/wire.hpp"
#include "messages/names.hpp"
#include "tests/support/catch.hpp"

#include <capnp/message.h>
#include <capnp/schema.h>

#include <set>

using namespace cuzk;

namespace {

template <class Schema, class T>
T there_and_back(const T& value) {
  capnp::MallocMessageBuilder message;
  auto root = message.initRoot<Schema>();
  wire::write(value, root);
  return wire::read(root.asReader());
}

bytes32 filled(std::uint8_t with) {
  bytes32 out;
  out.fill(with);
  return out;
}

} // namespace

TEST_CASE("every error code has its own enumerant, spelled in lowerCamelCase") {
  auto schema = capnp::Schema::from<rpc::Code>();
  CHECK(schema.getEnumerants().size() == std::size(all_errcs));
  std::set<rpc::Code> seen;
  for (auto code : all_errcs) {
    seen.insert(wire::to_wire(code));
    CHECK(wire::from_wire(wire::to_wire(code)) == code);
    std::string camel;
    bool up = false;
    for (const char* c = to_string(code); *c != 0; ++c) {
      if (*c == '_') {
        up = true;
        continue;
      }
      camel += up ? static_cast<char>(*c - 'a' + 'A') : *c;
      up = false;
    }
    const auto index = static_cast<unsigned>(wire::to_wire(code));
    CHECK(std::string(schema.getEnumerants()[index].getProto().getName().cStr()) == camel);
  }
  CHECK(seen.size() == std::size(all_errcs));
}

TEST_CASE("a refusal survives the wire") {
  const error in{errc::resources, "queue holds 1000 jobs", "submit", 5000};
  const auto out = there_and_back<rpc::Refusal>(in);
  CHECK(out.code == in.code);
  CHECK(out.text == in.text);
  CHECK(out.where == in.where);
  CHECK(out.retry_after_ms == in.retry_after_ms);
}

TEST_CASE("a request survives the wire") {
  submit_job in;
  in.request_id = "abc";
  in.spec.kind = "porep";
  in.spec.circuit = "porep-2k";
  in.spec.background = true;
  in.spec.priority = -3;
  in.spec.deadline_wall_ms = 1234567890123;
  in.spec.identity = {true, filled(7), true, 42};
  in.spec.r = {filled(1), filled(2)};
  in.spec.s = {filled(3), filled(4)};
  in.spec.only_partition = 5;
  in.spec.flags = "{\"partition\":1}";
  capnp::MallocMessageBuilder message;
  auto root = message.initRoot<rpc::JobRequest>();
  wire::write(in, root);
  auto back = wire::read(root.asReader());
  REQUIRE(back);
  const auto& out = *back;
  CHECK(out.request_id == in.request_id);
  CHECK(out.spec.kind == in.spec.kind);
  CHECK(out.spec.circuit == in.spec.circuit);
  CHECK(out.spec.background == in.spec.background);
  CHECK(out.spec.priority == in.spec.priority);
  CHECK(out.spec.deadline_wall_ms == in.spec.deadline_wall_ms);
  CHECK(out.spec.identity.given);
  CHECK(out.spec.identity.prover_id == in.spec.identity.prover_id);
  CHECK(out.spec.identity.has_sector);
  CHECK(out.spec.identity.sector == 42);
  CHECK(out.spec.r == in.spec.r);
  CHECK(out.spec.s == in.spec.s);
  CHECK(out.spec.only_partition == 5);
  CHECK(out.spec.flags == in.spec.flags);
}

TEST_CASE("a fresh request proves all partitions") {
  capnp::MallocMessageBuilder message;
  auto back = wire::read(message.initRoot<rpc::JobRequest>().asReader());
  REQUIRE(back);
  CHECK(back->spec.only_partition == -1);
  CHECK_FALSE(back->spec.identity.given);
}

TEST_CASE("scalars and prover ids of another length are refused by name") {
  capnp::MallocMessageBuilder message;
  auto root = message.initRoot<rpc::JobRequest>();
  const bytes short_one(31, 1);
  root.setProverId(wire::to_data(short_one));
  CHECK(wire::read(root.asReader()).err().where == "proverId");
  root.setProverId({});
  auto r = root.initR(2);
  r.set(0, wire::to_data(filled(1)));
  r.set(1, wire::to_data(short_one));
  auto refused = wire::read(root.asReader());
  REQUIRE_FALSE(refused);
  CHECK(refused.err().code == errc::bad_input);
  CHECK(refused.err().where == "r[1]");
}

TEST_CASE("a report survives the wire in every state") {
  for (auto state : {job_state::checking, job_state::accepting, job_state::queued, job_state::running, job_state::done,
                     job_state::failed, job_state::cancelled}) {
    job_report in;
    in.job = job_id{17};
    in.request_id = "r";
    in.kind = "window";
    in.circuit = "window-2k";
    in.cls = job_class::window;
    in.state = state;
    in.failure = {errc::bad_input, "text", "$.x"};
    in.waits_for = "memory";
    in.submitted_wall_ms = 1;
    in.started_wall_ms = 2;
    in.finished_wall_ms = 3;
    in.deadline_wall_ms = 4;
    in.partitions = 3;
    in.partitions_done = 2;
    in.percent = 66;
    in.eta_ms = 5;
    in.parts = {{1, partition_state::proving, 2, "ntt", "cpu", 77}};
    in.proof = {1, 2, 3};
    in.test_key = true;
    in.identity = "checked";
    in.device = "cpu";
    const auto out = there_and_back<rpc::JobReport>(in);
    CHECK(out.job == in.job);
    CHECK(out.cls == in.cls);
    CHECK(out.state == state);
    CHECK(out.failure.where == (state == job_state::failed || state == job_state::cancelled ? "$.x" : ""));
    CHECK(out.waits_for == in.waits_for);
    CHECK(out.finished_wall_ms == 3);
    CHECK(out.deadline_wall_ms == 4);
    CHECK(out.partitions_done == 2);
    CHECK(out.eta_ms == 5);
    REQUIRE(out.parts.size() == 1);
    CHECK(out.parts[0].state == partition_state::proving);
    CHECK(out.parts[0].stage == "ntt");
    CHECK(out.parts[0].total_ms == 77);
    CHECK(out.proof == in.proof);
    CHECK(out.test_key);
    CHECK(out.identity == "checked");
  }
}

TEST_CASE("an event survives the wire") {
  const job_event in{9, 8, job_id{7}, "stage", 6, 5, "ntt", job_state::running, 40};
  const auto out = there_and_back<rpc::Event>(in);
  CHECK(out.number == 9);
  CHECK(out.wall_ms == 8);
  CHECK(out.job == job_id{7});
  CHECK(out.what == "stage");
  CHECK(out.partition == 6);
  CHECK(out.attempt == 5);
  CHECK(out.detail == "ntt");
  CHECK(out.state == job_state::running);
  CHECK(out.percent == 40);
}

TEST_CASE("a status survives the wire") {
  node_status in;
  in.phase = node_phase::draining;
  in.ready = true;
  in.uptime_ms = 10;
  in.device = "cpu";
  in.test_keys_allowed = true;
  in.actors = {{"tracker", false, 2, "died"}};
  lane_status lane;
  lane.info.name = "cpu";
  lane.info.lane = lane_id{3};
  lane.quarantined = true;
  lane.reason = "3 faults";
  lane.proved = 11;
  lane.working_on = {"17/3 ntt"};
  in.scheduler.lanes = {lane};
  in.scheduler.to_synthesize = 4;
  in.budget.total.host = 100;
  in.budget.reserved.host = 50;
  key_status key;
  key.circuit = "porep-2k";
  key.state = key_state::failed;
  key.failure = {errc::params, "no file", "porep-2k"};
  in.params.keys = {key};
  in.params.cache_dir = "/var/tmp/x";
  in.tracker.accepted = 12;
  in.tracker.journal_ok = false;
  in.unanswered = {"budget"};
  const auto out = there_and_back<rpc::NodeStatus>(in);
  CHECK(out.phase == node_phase::draining);
  CHECK(out.ready);
  CHECK(out.actors[0].last_death == "died");
  CHECK_FALSE(out.actors[0].up);
  CHECK(out.scheduler.lanes[0].info.lane == lane_id{3});
  CHECK(out.scheduler.lanes[0].quarantined);
  CHECK(out.scheduler.lanes[0].working_on[0] == "17/3 ntt");
  CHECK(out.scheduler.to_synthesize == 4);
  CHECK(out.budget.total.host == 100);
  CHECK(out.budget.reserved.host == 50);
  CHECK(out.params.keys[0].state == key_state::failed);
  CHECK(out.params.keys[0].failure.text == "no file");
  CHECK(out.params.cache_dir == "/var/tmp/x");
  CHECK(out.tracker.accepted == 12);
  CHECK_FALSE(out.tracker.journal_ok);
  CHECK(out.unanswered[0] == "budget");
}
