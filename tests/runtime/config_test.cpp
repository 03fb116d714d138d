#include "runtime/config.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temp_dir.hpp"

#include <fstream>
#include <iterator>
#include <set>

using namespace cuzk;
using cuzk::test::temp_dir;

namespace {

/// Loads a file of this content; places in mistakes then read "FILE:<line>".
configuration load_text(const std::string& text, environment env = {}, std::map<std::string, std::string> flags = {}) {
  temp_dir dir;
  const auto path = dir / "cuzk.toml";
  std::ofstream(path) << text;
  auto config = load_configuration({path, std::move(env), std::move(flags), 1000});
  for (auto& m : config.mistakes)
    if (m.where.starts_with(path))
      m.where = "FILE" + m.where.substr(path.size());
  return config;
}

std::string first_mistake(const configuration& config) {
  return config.mistakes.empty() ? "none" : config.mistakes.front().message();
}

} // namespace

TEST_CASE("every default is accepted, and every option has what help needs") {
  std::set<std::string> names;
  for (const auto& o : all_options()) {
    INFO(o.name());
    node_options options;
    CHECK(assign(o, options, o.standard));
    CHECK(print(o, options) == o.standard);
    CHECK(o.sentence.size() > 20);
    CHECK(o.sentence.back() == '.');
    CHECK(names.insert(o.name()).second);
    if (type_name(o) == "number" && o.key != "test_seed")
      CHECK_FALSE(o.unit.empty());
  }
}

TEST_CASE("the command line beats the environment, which beats the file, which beats the default") {
  const std::string file = "[cpu]\nthreads = 3\n";
  CHECK(load_text("").options.cpu.threads == 0);
  CHECK(load_text(file).options.cpu.threads == 3);
  CHECK(load_text(file, {{"CUZK_CPU_THREADS", "5"}}).options.cpu.threads == 5);
  CHECK(load_text(file, {{"CUZK_CPU_THREADS", ""}}).options.cpu.threads == 3);
  const auto all = load_text(file, {{"CUZK_CPU_THREADS", "5"}}, {{"cpu.threads", "7"}});
  CHECK(all.options.cpu.threads == 7);
  CHECK(all.origins.at("cpu.threads") == "--cpu.threads");
  CHECK(all.mistakes.empty());
}

TEST_CASE("values of every type are read from a file") {
  const auto config = load_text(R"([api]
max_message = "128MiB"
upload_idle = "2m"
[params]
circuits = ["porep-2k", "winning-2k"]
allow_test_keys = true
test_seed = 42
[memory]
host_budget = "auto"
[log]
level = "debug"
)");
  CHECK(first_mistake(config) == "none");
  CHECK(config.options.api.max_message.bytes == 128u << 20);
  CHECK(config.options.api.upload_idle.count() == 120'000);
  CHECK(config.options.params.circuits == std::vector<std::string>{"porep-2k", "winning-2k"});
  CHECK(config.options.params.allow_test_keys);
  CHECK(config.options.params.test_seed == 42);
  CHECK(config.options.memory.host_budget.bytes == 0);
  CHECK(config.options.log.level == "debug");
}

TEST_CASE("a bad file is refused with the line and what was expected") {
  struct bad_file {
    const char *text, *where, *needle;
  };
  const bad_file cases[] = {
    {"[cpu]\nthread = 3\n", "FILE:2", "there is no option cpu.thread; did you mean cpu.threads?"},
    {"[processor]\nthreads = 3\n", "FILE:2", "there is no option processor.threads"},
    {"# a\n\nthreads = 3\n", "FILE:3", "\"threads\" stands outside a [section]"},
    {"[memory]\nhost_budget = \"256GB\"\n", "FILE:2", "\"256GB\" is not a size"},
    {"[memory]\nhost_budget = 256\n", "FILE:2", "expected a size, found a number, 256"},
    {"[memory]\nhost_budget = \"1KiB\"\n", "FILE:2", "1KiB is too small; at least 64MiB"},
    {"[node]\n\ndrain_limit = \"5 minutes\"\n", "FILE:3", "is not a duration"},
    {"[node]\nkeep_results = \"1s\"\n", "FILE:2", "1s is too small; at least 1m"},
    {"[queue]\nmax_jobs = 0\n", "FILE:2", "0 jobs is too small; at least 1 jobs"},
    {"[queue]\nmax_jobs = -5\n", "FILE:2", "is not a whole number"},
    {"[queue]\nmax_jobs = \"5\"\n", "FILE:2", "expected a number, found a text, 5"},
    {"[queue]\nmax_jobs = 1.5\n", "FILE:2", "a number with a fraction"},
    {"[log]\nlevel = \"chatty\"\n", "FILE:2", "\"chatty\" is not one of: debug, info, warn, error"},
    {"[log]\nfile = 7\n", "FILE:2", "expected a text, found a number, 7"},
    {"[params]\nallow_test_keys = \"yes\"\n", "FILE:2", "expected a truth value, found a text, yes"},
    {"[params]\ncircuits = \"porep-2k\"\n", "FILE:2", "expected a list of texts"},
    {"[params]\ncircuits = [1]\n", "FILE:2", "a list may hold texts only"},
    {"[cpu]\nthreads = 1\nthreads = 2\n", "FILE:3", "threads"},
    {"[cpu\nthreads = 1\n", "FILE:1", ""},
    {"[cpu]\nthreads = \n", "FILE:2", ""},
    {"[cpu.extra]\nthreads = 1\n", "FILE:1", "no option takes a table"},
  };
  for (const auto& c : cases) {
    INFO(c.text);
    const auto config = load_text(c.text);
    REQUIRE(config.mistakes.size() == 1);
    CHECK(config.mistakes[0].code == errc::bad_input);
    CHECK(config.mistakes[0].where == c.where);
    INFO(config.mistakes[0].text);
    CHECK(config.mistakes[0].text.find(c.needle) != std::string::npos);
  }
}

TEST_CASE("all mistakes of all sources are reported at once, in order") {
  const auto config = load_text("[log]\nlevel = \"x\"\n[cpu]\nthreads = \"auto\"\nnone = 1\n",
                                {{"CUZK_QUEUE_MAX_JOBS", "many"}}, {{"api.max_input", "1"}});
  REQUIRE(config.mistakes.size() == 4);
  CHECK(config.mistakes[0].where == "FILE:2");
  CHECK(config.mistakes[1].where == "FILE:5");
  CHECK(config.mistakes[2].where == "$CUZK_QUEUE_MAX_JOBS");
  CHECK(config.mistakes[3].where == "--api.max_input");
}

TEST_CASE("an unreadable file is a mistake") {
  temp_dir dir;
  const auto config = load_configuration({dir / "none.toml", {}, {}, 0});
  REQUIRE(config.mistakes.size() == 1);
  CHECK(config.mistakes[0].where == dir / "none.toml");
}

TEST_CASE("knobs of the older stack are one warning, unknown variables of ours one each") {
  const auto config =
    load_text("", {{"RAYON_NUM_THREADS", "4"}, {"BELLMAN_NO_GPU", "1"}, {"CUZK_CPU_THREDS", "4"}, {"CUZK_NODE", "x"}});
  REQUIRE(config.warnings.size() == 2);
  CHECK(config.warnings[0] == "the environment variable CUZK_CPU_THREDS belongs to no option");
  CHECK(config.warnings[1] == "ignored, for they tune another program: BELLMAN_NO_GPU, RAYON_NUM_THREADS");
  CHECK(config.mistakes.empty());
}

TEST_CASE("folders follow the environment where nothing is set") {
  const environment user = {{"XDG_RUNTIME_DIR", "/run/user/7"}, {"XDG_STATE_HOME", "/s"}, {"HOME", "/h"}};
  auto config = load_configuration({"", user, {}, 7});
  CHECK(config.options.api.socket == "/run/user/7/cuzk.sock");
  CHECK(config.options.node.state_dir == "/s/cuzk");
  CHECK(config.options.params.cache_dir == "/s/cuzk/cache");
  CHECK(config.options.params.dir == "/var/tmp/filecoin-proof-parameters");

  config = load_configuration({"", {{"HOME", "/h"}, {"FIL_PROOFS_PARAMETER_CACHE", "/p"}}, {}, 7});
  CHECK(config.options.node.state_dir == "/h/.local/state/cuzk");
  CHECK(config.options.api.socket == "/tmp/cuzk-7/cuzk.sock");
  CHECK(config.options.params.dir == "/p");
  CHECK(config.origins.at("params.dir") == "$FIL_PROOFS_PARAMETER_CACHE");

  config = load_configuration({"", {{"FIL_PROOFS_PARAMETER_CACHE", "/p"}, {"CUZK_PARAMS_DIR", "/q"}}, {}, 0});
  CHECK(config.options.params.dir == "/q");
  CHECK(config.options.api.socket == "/run/cuzk/cuzk.sock");
  CHECK(config.options.node.state_dir == "/var/lib/cuzk");

  config = load_configuration({"", {{"RUNTIME_DIRECTORY", "/run/a:/run/b"}, {"STATE_DIRECTORY", "/var/lib/x"}}, {}, 0});
  CHECK(config.options.api.socket == "/run/a/cuzk.sock");
  CHECK(config.options.node.state_dir == "/var/lib/x");
}

TEST_CASE("a dump read again gives the same options") {
  const auto config =
    load_text("[params]\ncircuits = [\"porep-2k\", \"snap-2k\"]\n[node]\nname = \"a \\\"b\\\" \\\\\"\n",
              {{"CUZK_API_MAX_INPUT", "3MiB"}});
  REQUIRE(first_mistake(config) == "none");
  const auto text = dump(config);
  CHECK(text.find("max_input = \"3MiB\"  # $CUZK_API_MAX_INPUT\n") != std::string::npos);
  CHECK(text.find("max_jobs = 1000  # default\n") != std::string::npos);
  const auto again = load_text(text);
  CHECK(first_mistake(again) == "none");
  CHECK(differences(config.options, again.options).empty());
  CHECK(differences(config.options, load_text("").options) ==
        std::vector<std::string>{"node.name", "api.max_input", "params.circuits"});
}

TEST_CASE("the example file in etc is what the program writes, and it changes nothing") {
  std::ifstream in(CUZK_EXAMPLE_FILE);
  const std::string stored(std::istreambuf_iterator<char>(in), {});
  CHECK(stored == example_file());
  std::string active = stored;
  for (std::size_t at = 0; (at = active.find("\n# ", at)) != std::string::npos; ++at)
    if (active.find(" = ", at + 1) < active.find('\n', at + 1) && active[at + 3] != '(' && active[at + 3] >= 'a')
      active.erase(at + 1, 2); // take the default lines into force
  const auto config = load_text(active);
  CHECK(first_mistake(config) == "none");
  CHECK(config.origins.size() == all_options().size());
  CHECK(differences(config.options, load_text("").options).empty());
}
