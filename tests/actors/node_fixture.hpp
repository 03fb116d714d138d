#pragma once
// A whole node on CAF's test scheduler: nothing runs until run(), and time is virtual.
#include "actors/node.hpp"
#include "actors/tracker.hpp"
#include "tests/actors/fakes.hpp"
#include "tests/support/catch.hpp"

#include <caf/all.hpp>
#include <caf/scheduler/test_coordinator.hpp>

namespace cuzk::test {

struct test_config : caf::actor_system_config {
  test_config() {
    set("scheduler.policy", caf::atom("testing"));
    configure_actor_system(*this);
  }
};

class node_fixture {
public:
  fake_world world;
  node_config config;
  test_config caf_config;
  caf::actor_system system{caf_config};
  caf::scoped_actor self{system};
  node_actor node;

  explicit node_fixture(std::size_t lanes = 1, fake_world given = {}, node_config with = {})
    : world(std::move(given)), config(with) {
    config.memory = {1000, 0, 0};
    config.detached = false;
    node = spawn_node(system, config, world.services(lanes));
    run();
  }
  ~node_fixture() {
    caf::anon_send(node, stop_node{});
    node = nullptr;
    run();
    run_to_the_end();
  }

  caf::scheduler::test_coordinator& scheduler() {
    return dynamic_cast<caf::scheduler::test_coordinator&>(system.scheduler());
  }
  void run() { scheduler().run(); }
  void run_to_the_end() {
    for (auto& b : world.backends)
      while (!b->runs.empty())
        b->finish();
    run();
  }
  void advance(std::chrono::milliseconds by) {
    scheduler().advance_time(by);
    run();
  }
  /// Proves whatever comes until nothing does.
  void prove_all() {
    run();
    for (bool more = true; more;) {
      more = false;
      for (auto& b : world.backends)
        if (!b->runs.empty()) {
          b->finish();
          more = true;
        }
      run();
    }
  }

  /// The answer to a question that is answered without more help than run().
  template <class Reply, class... Args>
  Reply ask(Args&&... args) {
    auto request = self->request(node, std::chrono::minutes(60), std::forward<Args>(args)...);
    run();
    Reply out;
    bool answered = false;
    request.receive(
      [&](Reply& r) {
        out = std::move(r);
        answered = true;
      },
      [&](caf::error& e) { FAIL(system.render(e)); });
    REQUIRE(answered);
    return out;
  }
  static submit_job job(const std::string& request, std::uint8_t mark, std::string circuit = "porep-2k") {
    submit_job s;
    s.request_id = request;
    s.payload_digest[0] = mark;
    s.input_digest[0] = mark;
    s.input_bytes = 2;
    s.spec.circuit = std::move(circuit);
    return s;
  }
  submit_reply submit(const submit_job& s, std::uint8_t partitions = 1) {
    return ask<submit_reply>(s, input_handle{std::make_shared<const bytes>(bytes{s.input_digest[0], partitions})});
  }
  submit_reply submit(const std::string& request, std::uint8_t mark, std::uint8_t partitions = 1) {
    return submit(job(request, mark), partitions);
  }
  job_report report(job_id id) { return ask<job_report>(get_job{id, ""}); }
  node_status status() { return ask<node_status>(node_query{}); }
};

} // namespace cuzk::test
