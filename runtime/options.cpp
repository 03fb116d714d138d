// The declarations of all options, by section.
#include "runtime/options.hpp"

#include "runtime/option.hpp"

#include <array>

namespace cuzk {
namespace {

using o = node_options;
constexpr std::uint64_t day_ms = 86'400'000;

const std::array node_list = {
  option{.section = "node",
         .key = "name",
         .field = [](o& x) -> option_field { return &x.node.name; },
         .standard = "auto",
         .sentence = "Name of this node in logs, status and metrics; auto is the host's name.",
         .automatic = true},
  option{.section = "node",
         .key = "state_dir",
         .field = [](o& x) -> option_field { return &x.node.state_dir; },
         .standard = "auto",
         .sentence = "Folder of the journal and of accepted inputs; auto is $STATE_DIRECTORY under systemd, "
                     "$XDG_STATE_HOME/cuzk, /var/lib/cuzk for root, else ~/.local/state/cuzk.",
         .automatic = true},
  option{.section = "node",
         .key = "drain_limit",
         .field = [](o& x) -> option_field { return &x.node.drain_limit; },
         .standard = "5m",
         .sentence = "How long SIGTERM goes on with accepted jobs; what is left then is taken up at the "
                     "next start.",
         .at_most = day_ms},
  option{.section = "node",
         .key = "keep_results",
         .field = [](o& x) -> option_field { return &x.node.keep_results; },
         .standard = "7d",
         .sentence = "How long finished jobs and their proofs can be fetched.",
         .at_least = 60'000,
         .at_most = 365 * day_ms},
};

const std::array api_list = {
  option{.section = "api",
         .key = "socket",
         .field = [](o& x) -> option_field { return &x.api.socket; },
         .standard = "auto",
         .sentence = "Unix socket of the Cap'n Proto API, in a folder only its user may enter; auto is "
                     "$RUNTIME_DIRECTORY/cuzk.sock under systemd, $XDG_RUNTIME_DIR/cuzk.sock, else "
                     "/run/cuzk/cuzk.sock for root.",
         .automatic = true},
  option{.section = "api",
         .key = "tcp",
         .field = [](o& x) -> option_field { return &x.api.tcp; },
         .standard = "",
         .sentence = "HOST:PORT of the same API over TCP (usually port 9830); empty: off. Beyond loopback token_file "
                     "is required."},
  option{.section = "api",
         .key = "http",
         .field = [](o& x) -> option_field { return &x.api.http; },
         .standard = "",
         .sentence = "HOST:PORT of /healthz, /readyz, /metrics and /status (usually port 9831); empty: off."},
  option{.section = "api",
         .key = "token_file",
         .field = [](o& x) -> option_field { return &x.api.token_file; },
         .standard = "",
         .sentence = "File whose first line a TCP or HTTP client must present; empty: loopback and socket only."},
  option{.section = "api",
         .key = "max_connections",
         .field = [](o& x) -> option_field { return &x.api.max_connections; },
         .standard = "256",
         .unit = "connections",
         .sentence = "Clients connected at once; more are turned away.",
         .at_least = 1,
         .at_most = 100'000},
  option{.section = "api",
         .key = "max_message",
         .field = [](o& x) -> option_field { return &x.api.max_message; },
         .standard = "64MiB",
         .sentence = "Largest single message; larger inputs go up as a stream.",
         .at_least = 1ull << 20,
         .at_most = 1ull << 30},
  option{.section = "api",
         .key = "max_input",
         .field = [](o& x) -> option_field { return &x.api.max_input; },
         .standard = "1GiB",
         .sentence = "Largest input of one job.",
         .at_least = 1ull << 16,
         .at_most = 16ull << 30},
  option{.section = "api",
         .key = "max_uploads",
         .field = [](o& x) -> option_field { return &x.api.max_uploads; },
         .standard = "2GiB",
         .sentence = "Bytes of inputs that all clients together may have on the way.",
         .at_least = 1ull << 16,
         .at_most = 1ull << 40},
  option{.section = "api",
         .key = "upload_idle",
         .field = [](o& x) -> option_field { return &x.api.upload_idle; },
         .standard = "1m",
         .sentence = "An upload that brings nothing for this long is dropped.",
         .at_least = 100,
         .at_most = day_ms},
};

const std::array queue_list = {
  option{.section = "queue",
         .key = "max_jobs",
         .field = [](o& x) -> option_field { return &x.queue.max_jobs; },
         .standard = "1000",
         .unit = "jobs",
         .sentence = "Unfinished jobs; more are refused as `resources`.",
         .at_least = 1,
         .at_most = 1'000'000},
  option{.section = "queue",
         .key = "max_inputs",
         .field = [](o& x) -> option_field { return &x.queue.max_inputs; },
         .standard = "8GiB",
         .sentence = "Inputs of unfinished jobs together; a job that does not fit is refused as `resources`.",
         .at_least = 1ull << 20},
  option{.section = "queue",
         .key = "keep_jobs",
         .field = [](o& x) -> option_field { return &x.queue.keep_jobs; },
         .standard = "10000",
         .unit = "jobs",
         .sentence = "Finished jobs kept at most, whatever node.keep_results says; the oldest go first.",
         .at_least = 1,
         .at_most = 10'000'000},
};

const std::array prover_list = {
  option{.section = "prover",
         .key = "device",
         .field = [](o& x) -> option_field { return &x.prover.device; },
         .standard = "cpu",
         .sentence = "What proves: cpu, cuda:N (a GPU by its number), the UUID of a GPU or its first eight characters, "
                     "cuda:all, or several of these with commas. It is never changed silently; status and every result "
                     "name it."},
  option{.section = "prover",
         .key = "derived_key",
         .field = [](o& x) -> option_field { return &x.prover.derived_key; },
         .standard = "auto",
         .sentence = "Proving with a derived key, four transforms instead of seven and the same bytes: auto where one "
                     "exists, off never, required always.",
         .choices = {"auto", "off", "required"}},
  option{.section = "prover",
         .key = "synthesizers",
         .field = [](o& x) -> option_field { return &x.prover.synthesizers; },
         .standard = "auto",
         .unit = "partitions",
         .sentence = "Witnesses made at once; auto is one per four threads, at least one.",
         .at_most = 256,
         .automatic = true},
  option{.section = "prover",
         .key = "finalizers",
         .field = [](o& x) -> option_field { return &x.prover.finalizers; },
         .standard = "1",
         .unit = "partitions",
         .sentence = "Proofs verified at once.",
         .at_least = 1,
         .at_most = 64},
  option{.section = "prover",
         .key = "attempts",
         .field = [](o& x) -> option_field { return &x.prover.attempts; },
         .standard = "3",
         .unit = "attempts",
         .sentence = "How often one partition is tried when a lane fails or its proof does not verify.",
         .at_least = 1,
         .at_most = 100},
  option{.section = "prover",
         .key = "faults_to_quarantine",
         .field = [](o& x) -> option_field { return &x.prover.faults_to_quarantine; },
         .standard = "3",
         .unit = "faults",
         .sentence = "A lane with this many faults gets no more work until the node restarts.",
         .at_least = 1,
         .at_most = 1000},
};

const std::array cpu_list = {
  option{.section = "cpu",
         .key = "threads",
         .field = [](o& x) -> option_field { return &x.cpu.threads; },
         .standard = "auto",
         .unit = "threads",
         .sentence = "Threads that compute, for witnesses and for the CPU prover together; auto is one per "
                     "processor.",
         .at_most = 4096,
         .automatic = true},
};

const std::array memory_list = {
  option{.section = "memory",
         .key = "host_budget",
         .field = [](o& x) -> option_field { return &x.memory.host_budget; },
         .standard = "auto",
         .sentence = "Memory that work may reserve before it starts; auto is 80 % of what the machine and the "
                     "control group allow.",
         .at_least = 64ull << 20,
         .automatic = true},
};

const std::array params_list = {
  option{.section = "params",
         .key = "dir",
         .field = [](o& x) -> option_field { return &x.params.dir; },
         .standard = "auto",
         .sentence = "Folder of the parameter files; auto is $FIL_PROOFS_PARAMETER_CACHE, else "
                     "/var/tmp/filecoin-proof-parameters.",
         .automatic = true},
  option{.section = "params",
         .key = "cache_dir",
         .field = [](o& x) -> option_field { return &x.params.cache_dir; },
         .standard = "auto",
         .sentence = "Folder of what is made from them once: matrices, derived keys, remembered checks; auto is "
                     "the folder cache in state_dir.",
         .automatic = true},
  option{.section = "params",
         .key = "circuits",
         .field = [](o& x) -> option_field { return &x.params.circuits; },
         .standard = "",
         .sentence = "Circuits this node must be able to prove, like [\"porep-32g\", \"winning-32g\"]; a missing key "
                     "is an error at start. Empty: those whose keys are found."},
  option{.section = "params",
         .key = "preload",
         .field = [](o& x) -> option_field { return &x.params.preload; },
         .standard = "",
         .sentence = "Circuits whose keys are loaded at start and kept."},
  option{.section = "params",
         .key = "allow_test_keys",
         .field = [](o& x) -> option_field { return &x.params.allow_test_keys; },
         .standard = "false",
         .sentence = "Also use keys made by `cuzk params generate-test`. Such proofs are worthless outside tests; "
                     "status and every result say so."},
  option{.section = "params",
         .key = "test_seed",
         .field = [](o& x) -> option_field { return &x.params.test_seed; },
         .standard = "1",
         .sentence = "Which test keys: the --seed they were made with."},
};

const std::array log_list = {
  option{.section = "log",
         .key = "level",
         .field = [](o& x) -> option_field { return &x.log.level; },
         .standard = "info",
         .sentence = "Least severe line written.",
         .needs_restart = false,
         .choices = {"debug", "info", "warn", "error"}},
  option{.section = "log",
         .key = "format",
         .field = [](o& x) -> option_field { return &x.log.format; },
         .standard = "text",
         .sentence = "One line an event: key=value text or JSON.",
         .choices = {"text", "json"}},
  option{.section = "log",
         .key = "file",
         .field = [](o& x) -> option_field { return &x.log.file; },
         .standard = "",
         .sentence = "File the log is appended to; empty: standard error."},
};

std::vector<option> joined() {
  std::vector<option> all;
  const auto add = [&all](const auto& list) { all.insert(all.end(), list.begin(), list.end()); };
  add(node_list);
  add(api_list);
  add(queue_list);
  add(prover_list);
  add(cpu_list);
  add(memory_list);
  add(params_list);
  add(log_list);
  return all;
}

} // namespace

std::span<const option> all_options() {
  static const std::vector<option> all = joined();
  return all;
}

} // namespace cuzk
