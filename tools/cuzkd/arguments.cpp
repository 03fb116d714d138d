#include "tools/cuzkd/arguments.hpp"

#include "tools/version.hpp"

#include <CLI/CLI.hpp>

#include <unistd.h>

namespace cuzk::daemon {
namespace {

constexpr const char* footer =
  "Every option can also be set in the file, or as $CUZK_SECTION_KEY; the command line wins, then the environment,\n"
  "then the file. Signals: SIGTERM or SIGINT drains (at most node.drain_limit), a second one stops at once; SIGHUP\n"
  "reads the file again, takes over what needs no restart, and opens log.file anew.\n"
  "Exit status: 0 stopped, 2 bad configuration, 3 params, 4 resources, 12 already running or address in use, 70 a "
  "fault.";

/// Names of an option's flag; the device has a short one, as operators say it.
std::string flag_names(const option& o) {
  return (o.name() == "prover.device" ? "--device,--" : "--") + o.name();
}

std::string description(const option& o) {
  return std::string(o.sentence) + " [" + (o.standard.empty() ? "\"\"" : std::string(o.standard)) + "]";
}

/// One flag an option; its text lands in `texts`.
std::map<std::string, CLI::Option*> add_option_flags(CLI::App& app, std::map<std::string, std::string>& texts) {
  std::map<std::string, CLI::Option*> flags;
  for (const auto& o : all_options()) {
    auto& text = texts[o.name()];
    auto* flag = type_name(o) == "truth value" ? app.add_flag(flag_names(o), text, description(o))
                                               : app.add_option(flag_names(o), text, description(o));
    if (type_name(o) != "truth value") {
      const auto type = type_name(o);
      flag->type_name(type == "list of texts" ? "A,B"
                      : type == "text"        ? "TEXT"
                      : type == "number"      ? "N"
                      : type == "size"        ? "SIZE"
                                              : "DURATION");
    }
    flag->group("[" + std::string(o.section) + "]");
    flags[o.name()] = flag;
  }
  return flags;
}

} // namespace

std::variant<arguments, int> parse_arguments(int argc, const char* const* argv) {
  arguments args;
  CLI::App app("cuzkd: a proving node for Filecoin's Groth16 proofs", "cuzkd");
  app.footer(footer);
  app.set_version_flag("--version", version_lines("cuzkd"));
  app.add_option("--config", args.sources.file, "TOML file with options")->type_name("FILE");
  const auto action_flag = [&](const char* name, action what, const char* text) {
    app.add_flag_callback(
      name, [&args, what] { args.what = what; }, text);
  };
  action_flag("--check-config", action::check_config, "Say what is wrong with the configuration, all at once, and end");
  action_flag("--dump-config", action::dump_config, "Print every option in force and where it came from, and end");
  action_flag("--example-config", action::example_config, "Print a file with every option and its meaning, and end");
  std::map<std::string, std::string> texts;
  const auto flags = add_option_flags(app, texts);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : exit_status(errc::bad_input);
  }
  for (const auto& [name, flag] : flags)
    if (flag->count() > 0)
      args.sources.command_line[name] = texts[name];
  args.sources.env = process_environment();
  args.sources.uid = ::getuid();
  return args;
}

} // namespace cuzk::daemon
