#pragma once
// What a gadget may ask of the constraint system it is read by. Two readers answer: shape_reader and witness_reader.
//
// A gadget is a function template over the reader CS. Its types:
//   CS::num   an allocated number: a field aux or an input
//   CS::bit   a Boolean: constant, a bit aux, or the negation of one
//   CS::word  32 Booleans, bit 0 the least significant
//   CS::lc    a number that is a linear combination of variables (it has a value, but no variable)
//   CS::sum   one side of a row, built up term by term (no value)
// and its calls:
//   new_num(f, args...) new_input(f, args...)   the next variable; its value is f(values of args...)
//   new_bit(f, args...)                         the next bit, without any row
//   enforce({terms}, {terms}, {terms})          the row A * B = C; a term is {small integer, variable or `one`}
//   enforce(sum, sum, sum)                      the same for long sides
//   whole_*                                     32 bits in one step, where the reader can; false = go bit by bit
//   replayed(key, args, body)                   body(args), or a recording of an earlier such call
// Values are only seen by the functions f, which the shape reader never calls: a circuit cannot branch on a value.
// The order of new_* and enforce calls is the circuit.
#include <cstdint>

namespace cuzk::circuits {

/// The constant ONE in a term.
struct one_t {};
inline constexpr one_t one{};

/// Names a recording: gadget and what its rows depend on beside its arguments.
struct replay_key {
  std::uint32_t gadget;
  std::uint64_t detail;
  friend bool operator==(const replay_key&, const replay_key&) = default;
};

} // namespace cuzk::circuits
