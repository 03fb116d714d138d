#pragma once
// All rows of a small circuit in memory, and whether values satisfy them.
#include "circuits/core/compact_witness.hpp"
#include "circuits/core/rows.hpp"
#include "circuits/core/wire_map.hpp"

#include <vector>

namespace cuzk::test {

class row_store : public row_sink {
public:
  struct stored_row {
    std::size_t a, b, c, end; // places in terms
  };
  void row(const r1cs_row& row, const coefficient_pool&) override {
    const auto put = [&](std::span<const term> side) { terms.insert(terms.end(), side.begin(), side.end()); };
    stored_row out{terms.size(), 0, 0, 0};
    put(row.a);
    out.b = terms.size();
    put(row.b);
    out.c = terms.size();
    put(row.c);
    out.end = terms.size();
    rows.push_back(out);
  }
  std::vector<term> terms;
  std::vector<stored_row> rows;
};

/// Values of all variables of a circuit by aux order.
struct assignment {
  std::vector<fr> inputs, aux;

  assignment(const compact_witness& w, const wire_map& map) : inputs(w.inputs().begin(), w.inputs().end()) {
    for (const auto& run : map.runs())
      for (std::uint32_t i = 0; i < run.count; ++i)
        aux.push_back(w.wire(map.first_wire(run) + i));
  }
  const fr& of(variable v) const { return is_aux(v) ? aux[index_of(v)] : inputs[v]; }
};

/// The three sides of a row under an assignment, and what they become when one variable grows by one.
class row_check {
public:
  row_check(const row_store& store, std::size_t row, const coefficient_pool& pool, const assignment& w)
    : store_(store), row_(store.rows[row]), pool_(pool) {
    a_ = side(row_.a, row_.b, w);
    b_ = side(row_.b, row_.c, w);
    c_ = side(row_.c, row_.end, w);
  }
  bool holds() const { return a_ * b_ == c_; }
  /// Whether the row refuses the assignment with v changed by delta.
  bool refuses(variable v, const fr& delta) const {
    const fr a = a_ + delta * coefficient(row_.a, row_.b, v);
    const fr b = b_ + delta * coefficient(row_.b, row_.c, v);
    const fr c = c_ + delta * coefficient(row_.c, row_.end, v);
    return a * b != c;
  }
  std::span<const term> terms() const { return std::span(store_.terms).subspan(row_.a, row_.end - row_.a); }

private:
  fr side(std::size_t begin, std::size_t end, const assignment& w) const {
    fr sum = fr::zero();
    for (auto i = begin; i < end; ++i)
      sum += w.of(store_.terms[i].var) * pool_.value(store_.terms[i].coefficient);
    return sum;
  }
  fr coefficient(std::size_t begin, std::size_t end, variable v) const {
    for (auto i = begin; i < end; ++i)
      if (store_.terms[i].var == v)
        return pool_.value(store_.terms[i].coefficient);
    return fr::zero();
  }

  const row_store& store_;
  row_store::stored_row row_;
  const coefficient_pool& pool_;
  fr a_, b_, c_;
};

} // namespace cuzk::test
