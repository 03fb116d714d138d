#pragma once
// How the variables of a circuit are numbered: aux order (the key files') and compact order (ours), and the map
// between. Compact order is inputs, then aux that are field elements, then aux that are bits; each part keeps its aux
// order.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cuzk {

enum class wire_kind : std::uint8_t { input, field, bit };

/// Sizes of the three parts of the compact order. Inputs count ONE, which is wire 0.
struct wire_counts {
  std::uint32_t inputs = 0;
  std::uint32_t fields = 0;
  std::uint32_t bits = 0;

  constexpr std::uint32_t aux() const { return fields + bits; }
  constexpr std::uint32_t total() const { return inputs + fields + bits; }
  /// First wire of a part.
  constexpr std::uint32_t first_field() const { return inputs; }
  constexpr std::uint32_t first_bit() const { return inputs + fields; }
  friend constexpr bool operator==(const wire_counts&, const wire_counts&) = default;
};

/// Aux variables [first_aux, first_aux + count) are all of one kind; they are fields or bits [first, first + count).
struct wire_run {
  std::uint32_t first_aux = 0;
  std::uint32_t count = 0;
  std::uint32_t first = 0; ///< index among the fields or among the bits
  wire_kind kind = wire_kind::field;
  friend constexpr bool operator==(const wire_run&, const wire_run&) = default;
};

/// The map of one circuit: runs of alternating kind that cover all aux in order. Fixed per circuit.
class wire_map {
public:
  wire_map() = default;

  /// The next `count` aux are of this kind (field or bit).
  void append(wire_kind kind, std::uint32_t count = 1);
  void set_inputs(std::uint32_t count) { counts_.inputs = count; }

  const wire_counts& counts() const noexcept { return counts_; }
  std::span<const wire_run> runs() const noexcept { return runs_; }
  /// Index in runs() of the run that holds an aux. `aux` < counts().aux(). `hint`: a run looked at first.
  std::size_t run_of_aux(std::uint32_t aux, std::size_t hint = 0) const noexcept;
  /// Wire of an aux variable, and back (the wire is not an input).
  std::uint32_t wire_of_aux(std::uint32_t aux) const noexcept;
  std::uint32_t aux_of_wire(std::uint32_t wire) const noexcept;
  /// First wire of a run.
  std::uint32_t first_wire(const wire_run& run) const noexcept {
    return run.first + (run.kind == wire_kind::bit ? counts_.first_bit() : counts_.first_field());
  }
  friend bool operator==(const wire_map&, const wire_map&) = default;

private:
  wire_counts counts_;
  std::vector<wire_run> runs_;
};

} // namespace cuzk
