#include "actors/telemetry.hpp"

#include "actors/actor_kit.hpp"
#include "actors/directory.hpp"
#include "actors/telemetry_state.hpp"

namespace cuzk {

namespace {

struct telemetry_body {
  static constexpr const char* name = telemetry_state::name;
  telemetry_actor::pointer self;
  telemetry_state state;
  services_ptr services;

  std::int64_t now() const { return mono_us(self); }
  void write(const log_lines& lines) {
    for (const auto& line : lines)
      services->log(line);
  }
};

telemetry_actor::behavior_type telemetry(telemetry_actor::stateful_pointer<held<telemetry_body>> self,
                                         services_ptr services, std::uint32_t spans, std::uint32_t repeats) {
  auto& b = self->state.init(telemetry_body{self, telemetry_state(spans, repeats), std::move(services)});
  return {
    [&b](const lane_info& fact) { b.state.lane(fact); },
    [&b](const partition_stamp& fact) { b.write(b.state.stamp(fact)); },
    [&b](const stage_done& fact) { b.state.stage(fact, b.now()); },
    [&b](const partition_proved& fact) { b.write(b.state.proved(fact, b.now())); },
    [&b](const partition_failed& fact) { b.state.failed(fact); },
    [&b](const partition_verified& fact) { b.state.verified(fact); },
    [&b](const job_event& fact) { b.write(b.state.event(fact, b.now())); },
    [&b](const log_line& fact) { b.write(b.state.line(fact, b.now())); },
    [&b](const metrics_query&, const node_status& node) { return b.state.page(node); },
    [&b](const trace_query& ask) { return b.state.trace(ask.last_seconds, b.now()); },
    [&b](const directory_ptr& next) {
      for (const auto& lane : next->lane_infos)
        b.state.lane(lane);
    },
  };
}

} // namespace

telemetry_actor spawn_telemetry(caf::actor_system& system, services_ptr services, const node_config& config) {
  return system.spawn(telemetry, std::move(services), config.trace_spans, config.log_repeats_per_minute);
}

} // namespace cuzk
