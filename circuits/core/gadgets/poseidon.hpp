#pragma once
// Poseidon as a circuit, in the form the published keys were made for: every S-box input that is a linear combination
// becomes a variable of its own. Source: neptune 11, circuit.rs (not circuit2.rs); constants in math/hash/poseidon.hpp.
#include "circuits/core/gadgets/numbers.hpp"
#include "math/hash/poseidon.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace cuzk::circuits {

/// Largest state: arity 16.
inline constexpr unsigned poseidon_max_width = 17;

/// One hash being computed: the state and the place in the list of constants.
template <class CS>
class poseidon_state {
public:
  using num = typename CS::num;
  using lc = typename CS::lc;

  poseidon_state(CS& cs, const poseidon_constants& table) : cs_(cs), table_(table), next_(table.compressed.data()) {}

  num hash(std::span<const num> preimage, const fr& tag) {
    first_round(preimage, tag);
    mix(table_.mds.data());
    for (unsigned i = 1; i < 4; ++i) {
      full_round(true);
      mix_columns(i < 3 ? table_.mds : table_.pre_sparse);
    }
    for (unsigned i = 0; i < table_.partial_rounds; ++i) {
      state_[0] = sbox(state_[0], true);
      mix_sparse(i);
    }
    for (unsigned i = 0; i < 4; ++i) {
      full_round(i < 3);
      mix(table_.mds.data());
    }
    return variable_of(state_[1]);
  }

private:
  unsigned width() const { return table_.width; }

  /// The tag's S-box is folded to a constant; the preimage is in variables already, so its additions go into the rows.
  void first_round(std::span<const num> preimage, const fr& tag) {
    const fr* pre = next_;
    next_ += width();
    const fr x = tag + pre[0];
    state_[0] = cs_.lc_of(x.square().square() * x + *next_++);
    for (unsigned i = 1; i < width(); ++i)
      state_[i] = first_sbox(preimage[i - 1], pre[i], *next_++);
  }

  /// ((x + pre)^5 + post): three variables, three rows.
  lc first_sbox(const num& x, const fr& pre, const fr& post) {
    const lc input = cs_.plus(cs_.lc_of(x), pre);
    const auto x2 = cs_.new_num([](const fr& v) { return v.square(); }, input);
    auto a = sum_of(input), b = sum_of(input), c = sum_of(x2);
    cs_.enforce(a, b, c);
    return fifth_power(input, square(x2), &post);
  }

  /// The same behind a linear combination, which becomes a variable first: four variables, four rows.
  lc sbox(const lc& x, bool with_constant) {
    const auto l = variable_of(x);
    const auto x4 = square(square(l));
    return fifth_power(cs_.lc_of(l), x4, with_constant ? next_++ : nullptr);
  }

  void full_round(bool with_constant) {
    for (unsigned i = 0; i < width(); ++i)
      state_[i] = sbox(state_[i], with_constant);
  }

  num square(const num& x) {
    const auto y = cs_.new_num([](const fr& v) { return v.square(); }, x);
    cs_.enforce({{1, x}}, {{1, x}}, {{1, y}});
    return y;
  }

  /// out = x * x4 + post: x * x4 = out - post
  lc fifth_power(const lc& x, const num& x4, const fr* post) {
    const auto out = cs_.new_num([post](const fr& v, const fr& v4) { return post ? v * v4 + *post : v * v4; }, x, x4);
    auto a = sum_of(x), b = sum_of(x4), c = sum_of(out);
    if (post)
      c.subtract(*post);
    cs_.enforce(a, b, c);
    return cs_.lc_of(out);
  }

  num variable_of(const lc& x) {
    const auto l = cs_.new_num([](const fr& v) { return v; }, x);
    enforce_sum_is(cs_, sum_of(x), l);
    return l;
  }

  typename CS::sum sum_of(const lc& x) {
    auto out = cs_.make_sum();
    out.add(x);
    return out;
  }
  typename CS::sum sum_of(const num& x) {
    auto out = cs_.make_sum();
    out.add(1, x);
    return out;
  }

  std::span<const lc> state() const { return std::span<const lc>(state_.data(), width()); }

  /// state * m for a symmetric m, row by row.
  void mix(const fr* m) {
    std::array<lc, poseidon_max_width> out{};
    for (unsigned j = 0; j < width(); ++j)
      out[j] = cs_.dot(state(), std::span<const fr>(m + j * width(), width()));
    state_ = std::move(out);
  }

  /// state * m, column by column.
  void mix_columns(const std::vector<fr>& m) {
    std::array<lc, poseidon_max_width> out{};
    std::array<fr, poseidon_max_width> column{};
    for (unsigned j = 0; j < width(); ++j) {
      for (unsigned i = 0; i < width(); ++i)
        column[i] = m[i * width() + j];
      out[j] = cs_.dot(state(), std::span<const fr>(column.data(), width()));
    }
    state_ = std::move(out);
  }

  void mix_sparse(unsigned round) {
    const auto v = table_.v_rest(round);
    const lc first = state_[0];
    state_[0] = cs_.dot(state(), table_.w_hat(round));
    for (unsigned j = 1; j < width(); ++j)
      state_[j] = cs_.plus_scaled(state_[j], v[j - 1], first);
  }

  CS& cs_;
  const poseidon_constants& table_;
  const fr* next_;
  std::array<lc, poseidon_max_width> state_{};
};

inline constexpr std::uint32_t poseidon_gadget = 1;

/// Digest of 2, 4, 8, 11 or 16 numbers; `tag` fits 64 bits.
template <class CS>
typename CS::num poseidon_with_tag(CS& cs, std::span<const typename CS::num> preimage, std::uint64_t tag) {
  const auto& table = poseidon_table(static_cast<unsigned>(preimage.size()));
  // Arity below 2^8 and tag up to 2^40 name the rows.
  return cs.replayed(replay_key{poseidon_gadget, tag << 8 | preimage.size()}, preimage,
                     [&] { return poseidon_state<CS>(cs, table).hash(preimage, fr::from_u64(tag)); });
}

/// With the Merkle tag 2^arity - 1: trees, columns, comm_r.
template <class CS>
typename CS::num poseidon(CS& cs, std::span<const typename CS::num> preimage) {
  return poseidon_with_tag(cs, preimage, (std::uint64_t(1) << preimage.size()) - 1);
}
template <class CS>
typename CS::num poseidon(CS& cs, const typename CS::num& x, const typename CS::num& y) {
  const typename CS::num preimage[] = {x, y};
  return poseidon(cs, std::span<const typename CS::num>(preimage));
}

/// Tag of the update's random values: 2^40.
inline constexpr std::uint64_t poseidon_random = std::uint64_t(1) << 40;

} // namespace cuzk::circuits
