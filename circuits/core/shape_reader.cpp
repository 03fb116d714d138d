#include "circuits/core/shape_reader.hpp"

#include <algorithm>

namespace cuzk::circuits {
namespace {

constexpr std::size_t short_terms = 8; // no short side has more

using entries = std::vector<shape_lc::entry>;

// Sorts, adds up repeats, drops zeros.
shape_lc merged(entries all) {
  std::stable_sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.var < y.var; });
  shape_lc out;
  for (const auto& e : all) {
    if (!out.entries.empty() && out.entries.back().var == e.var)
      out.entries.back().coefficient += e.coefficient;
    else
      out.entries.push_back(e);
  }
  std::erase_if(out.entries, [](const auto& e) { return e.coefficient.is_zero(); });
  return out;
}

} // namespace

shape_lc shape_reader::lc_of(const fr& constant) {
  return merged({{one_variable, constant}});
}

shape_lc shape_reader::dot(std::span<const lc> x, std::span<const fr> factors) {
  entries all;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (const auto& e : x[i].entries)
      all.push_back({e.var, e.coefficient * factors[i]});
  return merged(std::move(all));
}

shape_lc shape_reader::plus(const lc& x, const fr& constant) {
  return plus_scaled(x, constant, lc_of(fr::one()));
}

shape_lc shape_reader::plus_scaled(const lc& x, const fr& factor, const lc& y) {
  entries all = x.entries;
  for (const auto& e : y.entries)
    all.push_back({e.var, e.coefficient * factor});
  return merged(std::move(all));
}

// A handful of terms with small integers: insertion into place, no field arithmetic.
std::span<const cuzk::term> shape_reader::short_side(std::initializer_list<term> terms,
                                                     std::span<cuzk::term> out) const {
  struct item {
    variable var;
    int k;
  };
  item items[short_terms + 1];
  std::size_t n = 0;
  int constant = 0;
  for (const auto& t : terms) {
    constant += t.constant;
    if (t.coefficient == 0)
      continue;
    std::size_t at = n;
    while (at > 0 && items[at - 1].var > t.var)
      --at;
    if (at > 0 && items[at - 1].var == t.var) {
      items[at - 1].k += t.coefficient;
      continue;
    }
    std::move_backward(items + at, items + n, items + n + 1);
    items[at] = {t.var, t.coefficient};
    ++n;
  }
  std::size_t kept = 0;
  if (constant != 0)
    out[kept++] = {one_variable, pool_.small(constant)};
  for (std::size_t i = 0; i < n; ++i)
    if (items[i].k != 0)
      out[kept++] = {items[i].var, pool_.small(items[i].k)};
  return out.first(kept);
}

void shape_reader::enforce(std::initializer_list<term> a, std::initializer_list<term> b,
                           std::initializer_list<term> c) {
  if (!sink_) {
    ++rows_;
    return;
  }
  cuzk::term side_a[short_terms + 1], side_b[short_terms + 1], side_c[short_terms + 1];
  emit({short_side(a, side_a), short_side(b, side_b), short_side(c, side_c)});
}

void shape_reader::enforce(sum& a, sum& b, sum& c) {
  if (!sink_) {
    ++rows_;
    return;
  }
  emit({a.normalised(), b.normalised(), c.normalised()});
}

void shape_reader::emit(const r1cs_row& row) {
  ++rows_;
  sink_->row(row, pool_);
  if (recorder_)
    recorder_->add(row);
}

bool shape_reader::are_distinct(std::span<const num> args) {
  for (std::size_t i = 0; i < args.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (args[i].var == args[j].var)
        return false;
  return true;
}

const recording* shape_reader::find(const replay_key& key) const {
  for (const auto& [known, rec] : recordings_)
    if (known == key)
      return &rec;
  return nullptr;
}

void shape_reader::start_recording(std::span<const num> args) {
  recorder_ = std::make_unique<recorder>(args, wires_.counts().aux(), rows_);
}

void shape_reader::stop_recording(const replay_key& key, const num& out) {
  recording rec;
  if (recorder_->finish(wires_, rows_, out, rec))
    recordings_.emplace_back(key, std::move(rec));
  recorder_.reset();
}

shape_num shape_reader::play(const recording& rec, std::span<const num> args) {
  const auto base = wires_.counts().aux() | aux_flag;
  for (const auto& run : rec.runs)
    wires_.append(run.kind, run.count);
  const auto variable_of = [&](std::uint32_t slot) {
    return is_aux(slot) ? base + index_of(slot) : slot == 0 ? one_variable : args[slot - 1].var;
  };
  const bool same_order = order_of(args) == rec.argument_order;
  const auto* next = rec.terms.data();
  const auto side = [&](std::uint32_t length, cuzk::term* out) {
    for (std::uint32_t i = 0; i < length; ++i)
      out[i] = {variable_of(next[i].slot), next[i].coefficient};
    next += length;
    if (!same_order)
      std::sort(out, out + length, [](const auto& x, const auto& y) { return x.var < y.var; });
    return std::span<const cuzk::term>(out, length);
  };
  for (const auto& row : rec.rows) {
    row_buffer_.resize(std::size_t(row.a) + row.b + row.c);
    auto* out = row_buffer_.data();
    const auto a = side(row.a, out), b = side(row.b, out + row.a), c = side(row.c, out + row.a + row.b);
    ++rows_;
    sink_->row({a, b, c}, pool_);
  }
  if (!sink_)
    rows_ += rec.row_count;
  return {variable_of(rec.result)};
}

} // namespace cuzk::circuits
