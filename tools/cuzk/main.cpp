// cuzk: drives a proving node, and does what needs no node: circuits, keys, verification.
#include "runtime/paths.hpp"
#include "tools/cuzk/arguments.hpp"
#include "tools/cuzk/commands.hpp"
#include "tools/version.hpp"

#include <algorithm>
#include <cstdlib>

namespace cuzk::client {

namespace {

std::string first_line(const bytes& data) {
  return {data.begin(), std::find(data.begin(), data.end(), '\n')};
}

constexpr const char* footer =
  "Exit status: 0 done, 2 bad_input (wrong use too), 3 params, 4 resources, 5 gpu_fault, 6 self_check_failed, 7 "
  "cancelled,\n"
  "8 deadline, 9 shutdown, 10 unauthorized, 11 not_found, 12 conflict, 13 unavailable, 70 internal,\n"
  "124 the wait is over and the job goes on.";

void declare_globals(CLI::App& app, context& ctx) {
  app.add_option("--node", ctx.node_address, "unix:PATH or HOST:PORT of the node; default: the socket of cuzkd")
    ->envname("CUZK_NODE");
  app.add_option("--token-file", ctx.token_file, "File with the token, for TCP beyond loopback");
  app.add_flag("--json", ctx.out.json_output, "One JSON document on standard output, errors too");
  app.set_version_flag("--version", version_lines("cuzk"));
}

} // namespace

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
    return app.exit(e) == 0 ? 0 : exit_status(cuzk::errc::bad_input);
  }
  return ctx.run();
}
