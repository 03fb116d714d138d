#include "circuits/core/compact_witness.hpp"

#include <utility>

namespace cuzk {
namespace {

struct vectors {
  std::vector<fr> inputs, fields;
  std::vector<std::uint64_t> bits;
};

} // namespace

compact_witness::compact_witness(std::vector<fr> inputs, std::vector<fr> fields, std::vector<std::uint64_t> bits,
                                 std::uint32_t bit_count) {
  auto held = std::make_shared<vectors>(vectors{std::move(inputs), std::move(fields), std::move(bits)});
  inputs_ = held->inputs;
  fields_ = held->fields;
  bits_ = held->bits;
  bit_count_ = bit_count;
  owner_ = std::move(held);
}

compact_witness::compact_witness(std::span<const fr> inputs, std::span<const fr> fields,
                                 std::span<const std::uint64_t> bits, std::uint32_t bit_count,
                                 std::shared_ptr<const void> owner)
  : inputs_(inputs), fields_(fields), bits_(bits), bit_count_(bit_count), owner_(std::move(owner)) {}

fr compact_witness::wire(std::uint32_t w) const noexcept {
  if (w < inputs_.size())
    return inputs_[w];
  w -= static_cast<std::uint32_t>(inputs_.size());
  if (w < fields_.size())
    return fields_[w];
  return bit(w - static_cast<std::uint32_t>(fields_.size())) ? fr::one() : fr::zero();
}

} // namespace cuzk
