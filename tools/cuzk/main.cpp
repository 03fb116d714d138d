// cuzk: drives a proving node, and does what needs no node: circuits, keys, verification.
#include "runtime/paths.hpp"
#include "tools/cuzk/arguments.hpp"
#include "tools/cuzk/commands.hpp"
#include "tools/version.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace cuzk::client {

namespace {

std::string first_line(const bytes& data) {
  std::string line(data.begin(), std::find(data.begin(), data.end(), '\n'));
  if (!line.empty() && line.back() == '\r')
    line.pop_back();
  return line;
}

constexpr const char* footer =
  "Exit status: 0 done, 2 bad_input (wrong use too), 3 params, 4 resources, 5 gpu_fault, 6 self_check_failed, 7 "
  "cancelled,\n"
  "8 deadline, 9 shutdown, 10 unauthorized, 11 not_found, 12 conflict, 13 unavailable, 70 internal,\n"
  "124 the wait is over and the job goes on.";

// What the parser says of wrong use, as JSON where that was asked for; help and version as they are.
int refuse_use(const CLI::App& app, context& ctx, const CLI::ParseError& e, const std::vector<std::string>& words) {
  if (e.get_exit_code() == 0)
    return app.exit(e);
  ctx.out.json_output = std::find(words.begin(), words.end(), "--json") != words.end();
  const auto unknown = app.remaining();
  if (app.get_subcommands().empty() && !unknown.empty())
    return ctx.out.fail(bad_input({}, "there is no command '" + unknown.front() + "' (cuzk --help lists them)"));
  return ctx.out.fail(bad_input({}, std::string(e.what()) + " (see --help)"));
}

void declare_globals(CLI::App& app, context& ctx) {
  app.add_option("--node", ctx.node_address, "unix:PATH or HOST:PORT of the node; default: the socket of cuzkd")
    ->envname("CUZK_NODE");
  app.add_option("--token-file", ctx.token_file, "File with the token, for TCP beyond loopback");
  app.add_flag("--json", ctx.out.json_output, "One JSON document on standard output, errors too");
  app.set_version_flag("--version", version_lines("cuzk"));
}

} // namespace

CLI::Validator whole_number(std::uint64_t most) {
  const auto check = [most](std::string& text) -> std::string {
    std::uint64_t value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed == std::errc() && end == text.data() + text.size() && value <= most)
      return {};
    return "'" + text + "' is not a whole number of 0 to " + std::to_string(most);
  };
  return CLI::Validator(check, "");
}

result<session> context::connect() {
  endpoint where{node_address.empty() ? "unix:" + default_socket_path : node_address, {}};
  if (!token_file.empty()) {
    CUZK_TRY(data, read_file(token_file));
    const auto line = first_line(data);
    where.token.assign(line.begin(), line.end());
  }
  if (loop_ == nullptr)
    loop_ = std::make_unique<loop>();
  return session::connect(*loop_, where);
}

} // namespace cuzk::client

int main(int argc, char** argv) {
  using namespace cuzk::client;
  context ctx;
  ctx.default_socket_path = cuzk::default_socket();
  CLI::App app("cuzk: drives a Filecoin proving node", "cuzk");
  app.footer(footer);
  app.require_subcommand(1);
  app.fallthrough();
  declare_globals(app, ctx);
  add_job_commands(app, ctx);
  add_node_commands(app, ctx);
  add_circuit_commands(app, ctx);
  add_params_commands(app, ctx);
  add_proof_commands(app, ctx);
  add_completion_command(app, ctx);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return refuse_use(app, ctx, e, {argv + 1, argv + argc});
  }
  return ctx.run();
}
