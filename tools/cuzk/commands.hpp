#pragma once
// The commands, grouped by file. Each add_* declares flags on the parser and sets what a chosen command runs.
#include "tools/cuzk/console.hpp"
#include "tools/cuzk/session.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <string>

namespace cuzk::client {

/// What the flags before the command say, and the command that was chosen.
class context {
public:
  console out;
  std::string node_address;        ///< --node; empty: the default socket
  std::string token_file;          ///< --token-file
  std::function<int()> run;        ///< set by the chosen command; returns the exit status
  std::string default_socket_path; ///< said in help

  /// Connects to the node the flags name.
  result<session> connect();

private:
  std::unique_ptr<loop> loop_;
};

/// Refuses all that is no whole number of 0 to `most`: the parser would wrap -1 and cut what is too large.
CLI::Validator whole_number(std::uint64_t most = ~std::uint64_t{0});

/// prove submit await cancel
void add_job_commands(CLI::App& app, context& ctx);
/// jobs status watch preload evict pause resume drain release trace metrics
void add_node_commands(CLI::App& app, context& ctx);
/// circuit info
void add_circuit_commands(CLI::App& app, context& ctx);
/// params generate-test check list derive
void add_params_commands(CLI::App& app, context& ctx);
/// verify, export snarkjs
void add_proof_commands(CLI::App& app, context& ctx);
/// completion bash|zsh|fish
void add_completion_command(CLI::App& app, context& ctx);

} // namespace cuzk::client
