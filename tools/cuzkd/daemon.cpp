#include "tools/cuzkd/daemon.hpp"

#include "runtime/instance.hpp"
#include "runtime/store.hpp"
#include "tools/cuzkd/running_node.hpp"
#include "tools/cuzkd/settings.hpp"
#include "tools/cuzkd/start_lines.hpp"

#include <caf/actor_system_config.hpp>

#include <cstdio>

namespace cuzk::daemon {
namespace {

/// After this the process ends, whatever still computes: nothing that is on disk needs it.
constexpr unsigned stop_limit_seconds = 15;

status run(const ground& on) {
  const auto& options = on.config.options;
  const auto production = production_config_of(options);
  CUZK_TRY(journal, store::open_journal({options.node.state_dir}));
  caf::actor_system_config actors;
  configure_actor_system(actors);
  caf::actor_system system(actors);
  // Ends before the system and after the node: its last tasks may still tell actors what they made.
  thread_pool pool(static_cast<unsigned>(options.cpu.threads));
  CUZK_TRY(services, production_services(production, pool));
  services.journal = std::move(journal);
  services.log = [log = on.log](const log_line& line) {
    log.write(static_cast<log_level>(line.severity), line.event, line.text);
  };
  running_node node(on, system);
  auto done = node.start(std::move(services));
  if (done)
    done = node.wait();
  end_process_after(stop_limit_seconds, done ? 0 : exit_status(done.err().code));
  node.stop();
  return done;
}

status start_and_run(const configuration& config, const configuration_sources& sources, const logger& log,
                     signal_inbox& inbox) {
  for (const auto& w : config.warnings)
    log.write(log_level::warn, "config", pair_text("text", w));
  CUZK_TRY(lock, instance_lock::acquire(config.options.node.state_dir));
  const auto limits = read_memory_limits();
  CUZK_CHECK(say_what_is_there(log, config, limits));
  return run({config, sources, log, limits, inbox});
}

int failed(const error& why) {
  std::fprintf(stderr, "cuzkd: %s\n", why.message().c_str());
  return exit_status(why.code);
}

} // namespace

int serve(const configuration& config, const configuration_sources& sources) {
  auto inbox = signal_inbox::open(); // before any other thread starts
  if (!inbox)
    return failed(inbox.err());
  const auto log = logger::open(log_settings_of(config.options));
  if (!log)
    return failed(bad_input("log.file", log.err().message()));
  const auto done = start_and_run(config, sources, *log, *inbox);
  if (done) {
    log->write(log_level::info, "node-stopped", "");
    return 0;
  }
  log->write(log_level::error, "node-failed",
             pairs({{"code", to_string(done.err().code)}, {"where", done.err().where}, {"text", done.err().text}}));
  return failed(done.err());
}

} // namespace cuzk::daemon
