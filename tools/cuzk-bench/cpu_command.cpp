// cpu: what this machine does, beside its own speed.
#include "math/cpu_features.hpp"
#include "tools/cuzk-bench/commands.hpp"
#include "tools/cuzk-bench/cpu_pieces.hpp"

namespace cuzk::bench {

const command& cpu_spec() {
  static const command spec = {
    "cpu",
    "",
    "Measures products, additions, sums and transforms; every result is checked. Ratios to fp_mul carry over to other "
    "machines.",
    {{"--large", "", "sums of 2^20 points and transforms of 2^22, as in the reference's table"},
     {"--threads", "N", "default 1: then cpu seconds are not blurred by sharing"},
     {"--json", "", "one JSON object"}}};
  return spec;
}

outcome run_cpu(const arguments& args) {
  CUZK_TRY(threads, args.number("--threads", 1, 4096));
  thread_pool pool(static_cast<unsigned>(threads));
  CUZK_TRY(figures, measure_pieces(pool, args.has("--large")));
  report out;
  out.text("cpu_path", cpu_level());
  out.number("threads", pool.threads());
  std::vector<report> list;
  for (const auto& f : figures) {
    report one;
    one.text("name", f.name);
    one.real("value", f.value, 4);
    one.text("unit", f.unit);
    list.push_back(std::move(one));
  }
  out.list("figures", list);
  return out;
}

} // namespace cuzk::bench
