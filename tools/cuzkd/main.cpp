// cuzkd: a proving node.
#include "tools/cuzkd/arguments.hpp"
#include "tools/cuzkd/daemon.hpp"
#include "tools/cuzkd/settings.hpp"

#include <cstdio>

namespace cuzk::daemon {
namespace {

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

/// All mistakes and warnings at once. True when the configuration can be used.
bool report(const configuration& config) {
  for (const auto& w : config.warnings)
    std::fprintf(stderr, "cuzkd: warning: %s\n", w.c_str());
  for (const auto& m : config.mistakes)
    std::fprintf(stderr, "cuzkd: %s\n", m.message().c_str());
  return config.mistakes.empty();
}

int run(const arguments& args) {
  if (args.what == action::example_config) {
    print(example_file());
    return 0;
  }
  auto config = load_configuration(args.sources);
  for (auto& m : mistakes_of(config.options))
    config.mistakes.push_back(std::move(m));
  if (!report(config))
    return exit_status(errc::bad_input);
  switch (args.what) {
  case action::check_config: print("the configuration is right\n"); return 0;
  case action::dump_config: print(dump(config)); return 0;
  case action::example_config:
  case action::serve: break;
  }
  return serve(config, args.sources);
}

} // namespace
} // namespace cuzk::daemon

int main(int argc, char** argv) {
  const auto args = cuzk::daemon::parse_arguments(argc, argv);
  if (const auto* status = std::get_if<int>(&args))
    return *status;
  return cuzk::daemon::run(std::get<cuzk::daemon::arguments>(args));
}
