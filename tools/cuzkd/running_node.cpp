#include "tools/cuzkd/running_node.hpp"

#include "actors/timeouts.hpp"
#include "runtime/service.hpp"
#include "tools/cuzkd/settings.hpp"
#include "tools/cuzkd/start_lines.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <future>

namespace cuzk::daemon {
namespace {

std::string port_text(unsigned port) {
  return port ? std::to_string(port) : "off";
}

} // namespace

status running_node::start(prover_services services) {
  const auto& options = on_.config.options;
  CUZK_TRY(doors, gateway_config_of(options));
  node_ = spawn_node(system_, node_config_of(options, on_.limits), std::move(services));
  caf::actor_cast<caf::actor>(node_)->attach_functor([events = happened_, &inbox = on_.inbox](const caf::error&) {
    events->gone = true;
    inbox.ring();
  });
  const auto started = std::make_shared<std::promise<result<gateway_ports>>>();
  auto listening = started->get_future();
  gateway_ = std::make_unique<gateway>(
    doors, system_, node_,
    gateway_reports{[started](result<gateway_ports> ports) { started->set_value(std::move(ports)); },
                    [events = happened_, log = on_.log, &inbox = on_.inbox](const error& why) {
                      log.write(log_level::error, "gateway-ended", pairs({{"why", why.message()}}));
                      events->deaf = true;
                      inbox.ring();
                    }});
  CUZK_TRY(ports, listening.get());
  on_.log.write(
    log_level::info, "node-listening",
    pairs({{"socket", options.api.socket}, {"tcp_port", port_text(ports.tcp)}, {"http_port", port_text(ports.http)}}));
  preload();
  notify_service(on_.sources.env, "READY=1\nSTATUS=serving, device: " + options.prover.device);
  return ok();
}

status running_node::wait() {
  for (;;) {
    switch (on_.inbox.next()) {
    case wake::reload: reload(); break;
    case wake::terminate:
      if (draining_) {
        on_.log.write(log_level::warn, "node-stopping", pairs({{"why", "second signal"}}));
        return ok();
      }
      drain();
      break;
    case wake::event:
      if (happened_->deaf)
        return internal_error("the gateway ended: nobody reaches the node any more");
      if (happened_->gone)
        return internal_error("the node gave up: one of its actors died too often");
      if (happened_->drained)
        return ok();
      break;
    }
  }
}

void running_node::stop() {
  notify_service(on_.sources.env, "STOPPING=1");
  if (gateway_)
    gateway_->stop();
  if (!node_)
    return;
  caf::anon_send(node_, stop_node{});
  while (!happened_->gone)
    on_.inbox.next();
}

void running_node::drain() {
  draining_ = true;
  const auto limit = on_.config.options.node.drain_limit;
  on_.log.write(log_level::info, "node-draining",
                pairs({{"limit", print_duration(limit)}, {"to_stop_now", "signal again"}}));
  notify_service(on_.sources.env, "STATUS=draining");
  const auto over = [events = happened_, &inbox = on_.inbox, log = on_.log](const std::string& left) {
    log.write(log_level::info, "node-drained", pairs({{"left", left}}));
    events->drained = true;
    inbox.ring();
  };
  // To the node a limit of zero means none; an operator who says zero means now.
  const auto limit_ms = static_cast<std::uint32_t>(std::max<std::int64_t>(limit.count(), 1));
  system_.spawn([node = node_, limit, limit_ms, over](caf::event_based_actor* self) {
    self->request(node, limit + timeouts::drain_grace, drain_node{limit_ms})
      .then([over](const admin_reply& r) { over(r.result.ok ? "nothing" : r.result.why.text); },
            [over](const caf::error&) { over("not known"); });
  });
}

void running_node::preload() {
  for (const auto& circuit : on_.config.options.params.preload) {
    const auto failed = [log = on_.log, circuit](const std::string& why) {
      log.write(log_level::error, "preload-failed", pairs({{"circuit", circuit}, {"why", why}}));
    };
    system_.spawn([node = node_, circuit, failed](caf::event_based_actor* self) {
      self->request(node, timeouts::preload, preload_params{circuit})
        .then(
          [failed](const params_reply& r) {
            if (!r.result.ok)
              failed(r.result.why.message());
          },
          [failed](const caf::error&) { failed("no answer"); });
    });
  }
}

void running_node::reload() {
  const auto next = load_configuration(on_.sources);
  for (const auto& m : next.mistakes)
    on_.log.write(log_level::error, "reload-refused", pairs({{"why", m.message()}}));
  if (!next.mistakes.empty())
    return;
  std::string need_restart;
  for (const auto& name : differences(on_.config.options, next.options)) {
    const auto dot = name.find('.');
    const auto* declared = find_option(name.substr(0, dot), name.substr(dot + 1));
    if (declared && declared->needs_restart)
      need_restart += (need_restart.empty() ? "" : ",") + name;
  }
  on_.log.set_level(parse_log_level(next.options.log.level));
  if (const auto opened = on_.log.reopen(); !opened)
    on_.log.write(log_level::error, "log-not-reopened", pairs({{"why", opened.err().message()}}));
  on_.log.write(log_level::info, "node-reloaded",
                pairs({{"log_level", next.options.log.level}, {"need_restart", need_restart}}));
}

} // namespace cuzk::daemon
