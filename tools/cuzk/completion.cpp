// completion: shell completion scripts, made from the parser's own list of commands and flags.
#include "tools/cuzk/commands.hpp"

#include <memory>

namespace cuzk::client {

namespace {

std::string flags_of(const CLI::App& cmd) {
  std::string out;
  for (const auto* option : cmd.get_options())
    for (const auto& name : option->get_lnames())
      out += (out.empty() ? "--" : " --") + name;
  return out;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string names_of(const CLI::App& app) {
  std::string out;
  for (const auto* cmd : commands_of(app))
    out += (out.empty() ? "" : " ") + cmd->get_name();
  return out;
}

// One case of the completion function per command that has flags or commands of its own.
std::string cases(const CLI::App& app) {
  std::string out;
  for (const auto* cmd : commands_of(app))
    out += "    " + cmd->get_name() + ") words=\"" + names_of(*cmd) + " " + flags_of(*cmd) + "\" ;;\n";
  return out;
}

std::string bash_script(const CLI::App& app) {
  return "_cuzk() {\n"
         "  local words cur=${COMP_WORDS[COMP_CWORD]} cmd=\"\" i\n"
         "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
         "    case ${COMP_WORDS[i]} in -*) ;; *) cmd=${COMP_WORDS[i]}; break ;; esac\n"
         "  done\n"
         "  case $cmd in\n" +
         cases(app) + "    *) words=\"" + names_of(app) + " " + flags_of(app) +
         "\" ;;\n"
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
         "}\n"
         "complete -o default -F _cuzk cuzk\n";
}

std::string fish_script(const CLI::App& app) {
  std::string out;
  for (const auto* cmd : commands_of(app)) {
    out += "complete -c cuzk -n __fish_use_subcommand -a " + cmd->get_name() + " -d '" + cmd->get_description() + "'\n";
    for (const auto* option : cmd->get_options())
      for (const auto& name : option->get_lnames())
        out += "complete -c cuzk -n '__fish_seen_subcommand_from " + cmd->get_name() + "' -l " + name + "\n";
  }
  return out;
}

} // namespace

void add_completion_command(CLI::App& app, context& ctx) {
  auto shell = std::make_shared<std::string>();
  auto* cmd = app.add_subcommand("completion", "Print a completion script: source <(cuzk completion bash)");
  cmd->add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  cmd->callback([&app, &ctx, shell] {
    ctx.run = [&app, shell] {
      const auto zsh = *shell == "zsh" ? std::string("autoload -U +X bashcompinit && bashcompinit\n") : "";
      const auto text = *shell == "fish" ? fish_script(app) : zsh + bash_script(app);
      std::fwrite(text.data(), 1, text.size(), stdout);
      return 0;
    };
  });
}

} // namespace cuzk::client
