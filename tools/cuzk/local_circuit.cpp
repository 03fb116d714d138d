// circuit info: what is fixed by a circuit's rows, computed here and now.
#include "circuits/info.hpp"
#include "tools/cuzk/commands.hpp"

#include <memory>

namespace cuzk::client {

namespace {

int circuit_info(context& ctx, const std::string& text) {
  auto name = filecoin::parse_circuit_name(text);
  if (!name)
    return ctx.out.fail(name.err());
  auto circuit = circuits::find_circuit(*name);
  if (!circuit)
    return ctx.out.fail(circuit.err());
  ctx.out.note("reading the rows of " + to_string(*name) + " …");
  auto info = circuits::info_of(**circuit);
  if (!info)
    return ctx.out.fail(info.err());
  std::printf("%s\n", (ctx.out.json_output ? circuits::to_json(*info) : circuits::to_text(*info)).c_str());
  return 0;
}

} // namespace

void add_circuit_commands(CLI::App& app, context& ctx) {
  auto* circuit = app.add_subcommand("circuit", "Facts of a circuit");
  circuit->require_subcommand(1);
  auto name = std::make_shared<std::string>();
  auto* info = circuit->add_subcommand("info", "Counts, densities, domain, key file and the digest of all rows");
  info->add_option("CIRCUIT", *name, "Such as porep-2k, winning-32g, window-512m")->required();
  info->callback([&ctx, name] { ctx.run = [&ctx, name] { return circuit_info(ctx, *name); }; });
}

} // namespace cuzk::client
