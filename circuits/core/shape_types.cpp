#include "circuits/core/shape_types.hpp"

#include <algorithm>

namespace cuzk::circuits {
namespace {

bool by_variable(const term& x, const term& y) {
  return x.var < y.var;
}

} // namespace

// Long sides come from MultiEq: some 1,800 terms in runs of up to 32 neighbours. A radix sort over the bytes that
// differ beats a comparison sort there by far; short sides are not worth its tables.
void shape_sum::sort() {
  if (terms_.size() < 64) {
    std::stable_sort(terms_.begin(), terms_.end(), by_variable);
    return;
  }
  variable low = ~variable(0), high = 0;
  for (const auto& t : terms_) {
    low = std::min(low, t.var);
    high = std::max(high, t.var);
  }
  scratch_.resize(terms_.size());
  for (unsigned shift = 0; shift < 32 && (high - low) >> shift != 0; shift += 8) {
    std::uint32_t start[257] = {};
    for (const auto& t : terms_)
      ++start[((t.var - low) >> shift & 255) + 1];
    for (unsigned i = 0; i < 256; ++i)
      start[i + 1] += start[i];
    for (const auto& t : terms_)
      scratch_[start[(t.var - low) >> shift & 255]++] = t;
    terms_.swap(scratch_);
  }
}

std::span<const term> shape_sum::normalised() {
  if (!constant_.is_zero()) {
    terms_.push_back({one_variable, pool_->intern(constant_)});
    constant_ = fr::zero();
  }
  if (!std::is_sorted(terms_.begin(), terms_.end(), by_variable))
    sort();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < terms_.size();) {
    term merged = terms_[i++];
    for (; i < terms_.size() && terms_[i].var == merged.var; ++i)
      merged.coefficient = merged.coefficient == coefficient_pool::none
                             ? terms_[i].coefficient
                             : pool_->sum(merged.coefficient, terms_[i].coefficient);
    if (merged.coefficient != coefficient_pool::none)
      terms_[kept++] = merged;
  }
  terms_.resize(kept);
  return terms_;
}

} // namespace cuzk::circuits
