#pragma once
// Memory of a witness while it is being filled, by one reader or by several at once.
#include "circuits/core/compact_witness.hpp"
#include "circuits/core/witness_reader.hpp"
#include "runtime/base/large_array.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace cuzk::circuits {

/// Exactly as large as the circuit, taken at once; field elements are not touched before they are written, so that the
/// threads that fill them also bring their pages in.
class witness_storage {
public:
  explicit witness_storage(const wire_counts& counts)
    : counts_(counts), inputs_(counts.inputs), fields_(counts.fields), bits_((std::size_t(counts.bits) + 63) / 64) {
    inputs_[0] = fr::one();
  }

  /// What a reader may fill: from `begin` up to `end` of each part. Ranges of readers must not overlap.
  witness_range range(const wire_counts& begin, const wire_counts& end) {
    return {std::span(inputs_).subspan(begin.inputs, end.inputs - begin.inputs),
            fields_.span().subspan(begin.fields, end.fields - begin.fields), bits_.data(), begin.bits, end.bits};
  }

  /// The witness, which takes the memory over.
  compact_witness finish() && {
    const auto counts = counts_;
    auto held = std::make_shared<witness_storage>(std::move(*this));
    return {held->inputs_, held->fields_.span(), held->bits_, counts.bits, held};
  }

private:
  wire_counts counts_;
  std::vector<fr> inputs_;
  large_array<fr> fields_;
  std::vector<std::uint64_t> bits_;
};

} // namespace cuzk::circuits
