#pragma once
// The witness of one partition, as small as it gets: inputs, field elements, and bits as bits.
// Order is the compact order of circuits/core/wire_map.hpp.
#include "circuits/core/wire_map.hpp"
#include "math/field.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace cuzk {

/// Values of all wires. Immutable; copies share the storage. A porep-32g partition is 16 MiB of bits and some 60 MiB of
/// field elements.
class compact_witness {
public:
  compact_witness() = default;
  /// @param bits bit i is bit i % 64 of word i / 64; bits past `bit_count` are zero.
  compact_witness(std::vector<fr> inputs, std::vector<fr> fields, std::vector<std::uint64_t> bits,
                  std::uint32_t bit_count);
  /// Views of storage that `owner` keeps alive.
  compact_witness(std::span<const fr> inputs, std::span<const fr> fields, std::span<const std::uint64_t> bits,
                  std::uint32_t bit_count, std::shared_ptr<const void> owner);

  /// All inputs, ONE first.
  std::span<const fr> inputs() const noexcept { return inputs_; }
  /// Public inputs as a verifier wants them: without ONE.
  std::span<const fr> public_inputs() const noexcept { return inputs_.subspan(inputs_.empty() ? 0 : 1); }
  std::span<const fr> fields() const noexcept { return fields_; }
  std::span<const std::uint64_t> bits() const noexcept { return bits_; }
  bool bit(std::uint32_t i) const noexcept { return bits_[i / 64] >> (i % 64) & 1; }

  wire_counts counts() const noexcept {
    return {static_cast<std::uint32_t>(inputs_.size()), static_cast<std::uint32_t>(fields_.size()), bit_count_};
  }
  /// Value of a wire.
  fr wire(std::uint32_t w) const noexcept;
  /// Value of aux variable j by the circuit's map.
  fr aux(const wire_map& map, std::uint32_t j) const noexcept { return wire(map.wire_of_aux(j)); }
  /// Bytes of storage.
  std::uint64_t bytes() const noexcept { return inputs_.size_bytes() + fields_.size_bytes() + bits_.size_bytes(); }

private:
  std::span<const fr> inputs_, fields_;
  std::span<const std::uint64_t> bits_;
  std::uint32_t bit_count_ = 0;
  std::shared_ptr<const void> owner_;
};

} // namespace cuzk
