// cuzk-bench: proves and measures in one process, without a node and without any package.
#include "tools/cuzk-bench/commands.hpp"
#include "tools/version.hpp"

#include <cstdio>

namespace {

using namespace cuzk::bench;

struct entry {
  const command& spec;
  outcome (*run)(const arguments&);
};

const std::vector<entry>& entries() {
  static const std::vector<entry> all = {{prove_spec(), run_prove},
                                         {witness_spec(), run_witness},
                                         {matrices_spec(), run_matrices},
                                         {generate_spec(), run_generate},
                                         {make_input_spec(), run_make_input},
                                         {seal_spec(), run_seal},
                                         {cpu_spec(), run_cpu}};
  return all;
}

void print_help() {
  std::printf("cuzk-bench: proves and measures in one process, without a node\n");
  for (const auto& e : entries())
    std::printf("\n%s", help_of(e.spec).c_str());
  std::printf(
    "\n--version prints the version; every command takes --help.\n"
    "Exit status: 0 done, 2 bad_input, 3 params, 4 resources, 6 self_check_failed, 12 conflict, 70 internal.\n");
}

int fail(const cuzk::error& why, bool json) {
  if (json) {
    report inner, out;
    inner.text("code", to_string(why.code));
    inner.text("text", why.message());
    out.object("error", inner);
    std::printf("%s\n", out.json().c_str());
  }
  std::fprintf(stderr, "cuzk-bench: %s\n", why.message().c_str());
  return exit_status(why.code);
}

int run(const entry& e, const std::vector<std::string>& words) {
  for (const auto& word : words)
    if (word == "--help") {
      std::printf("%s", help_of(e.spec).c_str());
      return 0;
    }
  auto args = arguments::parse(e.spec, words);
  if (!args)
    return fail(args.err(), false);
  const bool json = args->has("--json");
  const auto said = e.run(*args);
  if (!said)
    return fail(said.err(), json);
  std::printf("%s", json ? (said->json() + "\n").c_str() : said->lines().c_str());
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty() || words[0] == "--help" || words[0] == "help") {
    print_help();
    return words.empty() ? exit_status(cuzk::errc::bad_input) : 0;
  }
  if (words[0] == "--version") {
    std::printf("%s\n", cuzk::version_lines("cuzk-bench").c_str());
    return 0;
  }
  for (const auto& e : entries())
    if (e.spec.name == words[0])
      return run(e, {words.begin() + 1, words.end()});
  return fail(cuzk::bad_input(words[0], "unknown command; cuzk-bench --help lists them"), false);
}
