#include "circuits/core/recording.hpp"

#include <algorithm>
#include <numeric>

namespace cuzk::circuits {

std::vector<std::uint8_t> order_of(std::span<const shape_num> args) {
  std::vector<std::uint8_t> order(args.size());
  std::iota(order.begin(), order.end(), std::uint8_t(0));
  std::sort(order.begin(), order.end(), [&](auto x, auto y) { return args[x].var < args[y].var; });
  return order;
}

recorder::recorder(std::span<const shape_num> args, std::uint32_t first_aux, std::uint64_t rows)
  : args_(args.begin(), args.end()), first_aux_(first_aux), first_row_(rows) {
  out_.argument_order = order_of(args);
}

std::uint32_t recorder::slot_of(variable v) {
  if (v == one_variable)
    return 0;
  if (is_aux(v) && index_of(v) >= first_aux_)
    return aux_flag | (index_of(v) - first_aux_);
  for (std::size_t k = 0; k < args_.size(); ++k)
    if (args_[k].var == v)
      return static_cast<std::uint32_t>(k + 1);
  closed_ = false;
  return 0;
}

void recorder::add_side(std::span<const term> side) {
  for (const auto& t : side)
    out_.terms.push_back({slot_of(t.var), t.coefficient});
}

void recorder::add(const r1cs_row& row) {
  add_side(row.a);
  add_side(row.b);
  add_side(row.c);
  out_.rows.push_back({static_cast<std::uint32_t>(row.a.size()), static_cast<std::uint32_t>(row.b.size()),
                       static_cast<std::uint32_t>(row.c.size())});
}

bool recorder::finish(const wire_map& wires, std::uint64_t rows, const shape_num& result, recording& out) {
  out_.row_count = rows - first_row_;
  out_.result = slot_of(result.var);
  for (auto run : wires.runs()) {
    if (run.first_aux + run.count <= first_aux_)
      continue;
    const auto begin = std::max(run.first_aux, first_aux_);
    out_.runs.push_back({begin - first_aux_, run.first_aux + run.count - begin, 0, run.kind});
  }
  out = std::move(out_);
  return closed_;
}

} // namespace cuzk::circuits
