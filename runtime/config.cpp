#include "runtime/config.hpp"

#include <algorithm>
#include <array>

namespace cuzk {
namespace {

// Knobs of the older proving stack that users still set. None of them does anything here.
constexpr std::array foreign_names = {"BELLMAN_NO_GPU",
                                      "BELLMAN_CPU_UTILIZATION",
                                      "BELLMAN_GPU_FRAMEWORK",
                                      "BELLMAN_CUDA_NVCC_ARGS",
                                      "BELLMAN_CUSTOM_GPU",
                                      "BELLPERSON_GPUS_PER_LOCK",
                                      "RUST_GPU_TOOLS_CUSTOM_GPU",
                                      "EC_GPU_NUM_THREADS",
                                      "RAYON_NUM_THREADS",
                                      "FIL_PROOFS_USE_MULTICORE_SDR",
                                      "FIL_PROOFS_USE_GPU_COLUMN_BUILDER",
                                      "FIL_PROOFS_USE_GPU_TREE_BUILDER",
                                      "FIL_PROOFS_GPU_FRAMEWORK",
                                      "FIL_PROOFS_VERIFY_PRODUCTION_PARAMS",
                                      "HARMONY_GPU_OVERPROVISION_FACTOR",
                                      "FFI_USE_CUDA_SUPRASEAL",
                                      "RUST_LOG"};

// Variables of the client and of the test scripts that share the prefix.
constexpr std::array other_programs = {"CUZK_NODE", "CUZK_JOBS", "CUZK_CPU"};

/// Levenshtein distance, for "did you mean".
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j)
    row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto replace = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
    }
  }
  return row[b.size()];
}

std::string unknown_option(const std::string& name) {
  const option* nearest = nullptr;
  std::size_t best = 4;
  if (name.size() > 64)
    best = 0; // nobody meant an option
  for (const auto& o : all_options())
    if (const auto d = distance(name, o.name()); d < best)
      best = d, nearest = &o;
  return "there is no option " + printable(name) + (nearest ? "; did you mean " + nearest->name() + "?" : "");
}

/// Sets one option and notes where it came from, or the mistake.
void take(configuration& config, const std::string& name, std::string_view text, const std::string& where) {
  const auto dot = name.find('.');
  const auto* declared = find_option(name.substr(0, dot), name.substr(std::min(dot + 1, name.size())));
  if (!declared) {
    config.mistakes.push_back(bad_input(where, unknown_option(name)));
    return;
  }
  if (auto done = assign(*declared, config.options, text); !done)
    config.mistakes.push_back(bad_input(where, printable(name) + ": " + done.err().text));
  else
    config.origins[name] = where;
}

/// A file has types: 5 is no text and "5" no number, though both would do on a command line.
void take_from_file(configuration& config, const file_value& v) {
  const auto name = v.section + "." + v.key;
  if (const auto* declared = find_option(v.section, v.key)) {
    const auto type = type_name(*declared);
    const bool written_as_text = type == "size" || type == "duration" || (declared->automatic && v.text == "auto");
    if (v.type != type && !(written_as_text && v.type == "text")) {
      config.mistakes.push_back(
        bad_input(v.where, name + ": expected a " + std::string(type) + ", found a " + v.type + ", " + v.text));
      return;
    }
  }
  take(config, name, v.text, v.where);
}

void take_environment(configuration& config, const environment& env) {
  for (const auto& declared : all_options()) {
    const auto found = env.find(declared.environment_name());
    if (found != env.end() && !found->second.empty())
      take(config, declared.name(), found->second, "$" + found->first);
  }
  for (const auto& [name, value] : env) {
    const auto known = [&n = name](const auto& o) { return o.environment_name() == n; };
    const auto options = all_options();
    if (name.starts_with("CUZK_") && std::none_of(options.begin(), options.end(), known) &&
        std::find(other_programs.begin(), other_programs.end(), name) == other_programs.end())
      config.warnings.push_back("the environment variable " + name + " belongs to no option");
  }
}

void warn_of_foreign(configuration& config, const environment& env) {
  std::string set;
  for (const auto* name : foreign_names)
    if (env.count(name))
      set += (set.empty() ? "" : ", ") + std::string(name);
  if (!set.empty())
    config.warnings.push_back("ignored, for they tune another program: " + set);
}

/// Folders that depend on who runs the node.
void fill_in_folders(configuration& config, const configuration_sources& sources) {
  auto& o = config.options;
  if (o.node.state_dir.empty())
    o.node.state_dir = default_state_dir(sources.env, sources.uid);
  if (o.api.socket.empty())
    o.api.socket = default_socket(sources.env, sources.uid);
  if (o.params.dir.empty()) {
    o.params.dir = default_params_dir(sources.env);
    if (sources.env.count("FIL_PROOFS_PARAMETER_CACHE"))
      config.origins["params.dir"] = "$FIL_PROOFS_PARAMETER_CACHE";
  }
  if (o.params.cache_dir.empty())
    o.params.cache_dir = o.node.state_dir + "/cache";
}

std::string wrapped_comment(const std::string& text, std::size_t width = 110) {
  std::string out, line;
  std::size_t at = 0;
  while (at < text.size()) {
    const auto space = std::min(text.find(' ', at), text.size());
    const auto word = text.substr(at, space - at);
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      out += "# " + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    at = space + 1;
  }
  return out + "# " + line + "\n";
}

/// "number of threads, 1 to 4096, auto; environment CUZK_CPU_THREADS"
std::string facts_of(const option& o) {
  std::string out(type_name(o));
  if (!o.unit.empty())
    out += " of " + std::string(o.unit);
  const auto in_words = [&o](std::uint64_t n) {
    return type_name(o) == "size"       ? print_size({n})
           : type_name(o) == "duration" ? print_duration(milliseconds(n))
                                        : std::to_string(n);
  };
  if (o.at_least > 0)
    out += ", at least " + in_words(o.at_least);
  if (o.at_most != std::numeric_limits<std::uint64_t>::max())
    out += ", at most " + in_words(o.at_most);
  for (const auto choice : o.choices)
    out += (choice == *o.choices.begin() ? ": " : " | ") + std::string(choice);
  if (!o.needs_restart)
    out += "; taken over on SIGHUP";
  return out;
}

/// Lines with a heading wherever a section begins.
template <class Line>
std::string by_section(Line line) {
  std::string out;
  std::string_view section;
  for (const auto& o : all_options()) {
    if (o.section != section) {
      out += (out.empty() ? "[" : "\n[") + std::string(o.section) + "]\n";
      section = o.section;
    }
    out += line(o);
  }
  return out;
}

node_options defaults() {
  node_options options;
  for (const auto& o : all_options())
    static_cast<void>(assign(o, options, o.standard)); // a test assigns every default
  return options;
}

} // namespace

configuration load_configuration(const configuration_sources& sources) {
  configuration config;
  config.options = defaults();
  if (!sources.file.empty())
    for (const auto& v : read_toml(sources.file, config.mistakes))
      take_from_file(config, v);
  take_environment(config, sources.env);
  for (const auto& [name, text] : sources.command_line)
    take(config, name, text, "--" + name);
  warn_of_foreign(config, sources.env);
  fill_in_folders(config, sources);
  return config;
}

std::string example_file() {
  const auto standard = defaults();
  return "# Every option of cuzkd with its default. Precedence: command line (--section.key VALUE), environment\n"
         "# (CUZK_SECTION_KEY), this file, default. Check a file with: cuzkd --config FILE --check-config\n"
         "# Sizes have a unit (B, KiB, MiB, GiB, TiB), durations too (ms, s, m, h, d).\n\n" +
         by_section([&](const option& o) {
           return "\n" + wrapped_comment(std::string(o.sentence)) + "# (" + facts_of(o) + ")\n" + "# " +
                  std::string(o.key) + " = " + print_toml(o, standard) + "\n";
         });
}

std::string dump(const configuration& config) {
  return by_section([&](const option& o) {
    const auto origin = config.origins.find(o.name());
    return std::string(o.key) + " = " + print_toml(o, config.options) + "  # " +
           (origin == config.origins.end() ? "default" : origin->second) + "\n";
  });
}

std::vector<std::string> differences(const node_options& a, const node_options& b) {
  std::vector<std::string> names;
  for (const auto& o : all_options())
    if (print(o, a) != print(o, b))
      names.push_back(o.name());
  return names;
}

} // namespace cuzk
