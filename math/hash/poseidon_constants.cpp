// Makes Poseidon's constants: Grain LFSR, Cauchy MDS matrix, compressed constants, sparse matrices.
#include "math/batch_inverse.hpp"
#include "math/hash/poseidon.hpp"

#include <array>
#include <bitset>
#include <utility>

namespace cuzk {
namespace {

unsigned partial_rounds_of(unsigned arity) {
  switch (arity) {
  case 2: return 55;
  case 4: return 56;
  case 8: return 57;
  case 11: return 57;
  default: return 59;
  }
}

/// Self-shrinking Grain generator of the Poseidon paper, appendix F.
class grain_lfsr {
public:
  grain_lfsr(unsigned width, unsigned full_rounds, unsigned partial_rounds) {
    put(1, 2); // prime field
    put(1, 4); // S-box code
    put(255, 12);
    put(width, 12);
    put(full_rounds, 10);
    put(partial_rounds, 10);
    put((1u << 30) - 1, 30);
    for (int i = 0; i < 160; ++i)
      step();
  }

  /// 255 bits, most significant first, drawn again until below the modulus.
  fr element() {
    for (;;) {
      big_int<4> x{};
      for (int i = 254; i >= 0; --i)
        x.limb[i / 64] |= std::uint64_t(output()) << (i % 64);
      if (fr::is_canonical(x))
        return fr::from_int(x);
    }
  }

private:
  void put(unsigned value, unsigned bits) {
    for (unsigned i = bits; i-- > 0;)
      state_[filled_++] = value >> i & 1;
  }
  bool at(unsigned i) const { return state_[(head_ + i) % 80]; }
  bool step() {
    const bool bit = at(62) ^ at(51) ^ at(38) ^ at(23) ^ at(13) ^ at(0);
    state_[head_] = bit;
    head_ = (head_ + 1) % 80;
    return bit;
  }
  bool output() {
    while (!step())
      step();
    return step();
  }

  std::bitset<80> state_;
  unsigned filled_ = 0;
  unsigned head_ = 0;
};

/// Square matrix, row by row.
struct matrix {
  unsigned n = 0;
  std::vector<fr> cell;

  explicit matrix(unsigned size) : n(size), cell(std::size_t(size) * size, fr::zero()) {}
  fr& at(unsigned row, unsigned column) { return cell[row * n + column]; }
  const fr& at(unsigned row, unsigned column) const { return cell[row * n + column]; }
};

matrix product(const matrix& a, const matrix& b) {
  matrix out(a.n);
  for (unsigned i = 0; i < a.n; ++i)
    for (unsigned k = 0; k < a.n; ++k)
      for (unsigned j = 0; j < a.n; ++j)
        out.at(i, j) += a.at(i, k) * b.at(k, j);
  return out;
}

std::vector<fr> row_times(std::span<const fr> row, const matrix& m) {
  std::vector<fr> out(m.n, fr::zero());
  for (unsigned i = 0; i < m.n; ++i)
    for (unsigned j = 0; j < m.n; ++j)
      out[j] += row[i] * m.at(i, j);
  return out;
}

/// Gauss-Jordan; the matrices here are Cauchy matrices and their products, never singular.
matrix inverse(matrix a) {
  matrix out(a.n);
  for (unsigned i = 0; i < a.n; ++i)
    out.at(i, i) = fr::one();
  for (unsigned c = 0; c < a.n; ++c) {
    unsigned pivot = c;
    while (pivot + 1 < a.n && a.at(pivot, c).is_zero())
      ++pivot;
    for (unsigned j = 0; j < a.n; ++j) {
      std::swap(a.at(c, j), a.at(pivot, j));
      std::swap(out.at(c, j), out.at(pivot, j));
    }
    const fr scale = a.at(c, c).inverse();
    for (unsigned j = 0; j < a.n; ++j) {
      a.at(c, j) *= scale;
      out.at(c, j) *= scale;
    }
    for (unsigned i = 0; i < a.n; ++i) {
      const fr factor = a.at(i, c);
      if (i == c || factor.is_zero())
        continue;
      for (unsigned j = 0; j < a.n; ++j) {
        a.at(i, j) -= factor * a.at(c, j);
        out.at(i, j) -= factor * out.at(c, j);
      }
    }
  }
  return out;
}

/// M[i][j] = 1/(i + t + j)
matrix cauchy(unsigned t) {
  matrix m(t);
  for (unsigned i = 0; i < t; ++i)
    for (unsigned j = 0; j < t; ++j)
      m.at(i, j) = fr::from_u64(i + t + j).inverse();
  return m;
}

/// Carries the constants of all partial rounds behind the S-boxes, one value a round.
std::vector<fr> compress(const std::vector<fr>& raw, const matrix& m, unsigned partial) {
  const unsigned t = m.n;
  const matrix m_inverse = inverse(m);
  const auto round = [&](unsigned i) { return std::span(raw).subspan(std::size_t(i) * t, t); };
  std::vector<fr> out;
  const auto append = [&out](std::span<const fr> v) { out.insert(out.end(), v.begin(), v.end()); };

  append(round(0));
  for (unsigned i = 1; i < 4; ++i)
    append(row_times(round(i), m_inverse));
  const auto last = round(4 + partial);
  std::vector<fr> acc(last.begin(), last.end());
  std::vector<fr> single;
  for (unsigned i = 0; i < partial; ++i) {
    auto v = row_times(acc, m_inverse);
    single.push_back(std::exchange(v[0], fr::zero()));
    const auto k = round(3 + partial - i);
    for (unsigned j = 0; j < t; ++j)
      acc[j] = k[j] + v[j];
  }
  append(row_times(acc, m_inverse));
  out.insert(out.end(), single.rbegin(), single.rend());
  for (unsigned i = 1; i < 4; ++i)
    append(row_times(round(4 + partial + i), m_inverse));
  return out;
}

struct sparse_form {
  matrix pre_sparse;
  std::vector<fr> sparse;
};

/// Factors the mixes of the partial rounds into one dense matrix and sparse ones, last round first.
sparse_form factor(const matrix& m, unsigned partial) {
  const unsigned t = m.n;
  std::vector<std::vector<fr>> found;
  matrix cur = m;
  for (unsigned round = 0; round < partial; ++round) {
    matrix hat(t - 1);
    std::vector<fr> column(t - 1);
    for (unsigned i = 1; i < t; ++i) {
      column[i - 1] = cur.at(i, 0);
      for (unsigned j = 1; j < t; ++j)
        hat.at(i - 1, j - 1) = cur.at(i, j);
    }
    std::vector<fr> one{cur.at(0, 0)};
    const auto w = row_times(column, inverse(hat));
    one.insert(one.end(), w.begin(), w.end());
    for (unsigned j = 1; j < t; ++j)
      one.push_back(cur.at(0, j));
    found.push_back(std::move(one));
    for (unsigned i = 1; i < t; ++i)
      cur.at(i, 0) = cur.at(0, i) = fr::zero();
    cur.at(0, 0) = fr::one();
    cur = product(m, cur);
  }
  sparse_form out{std::move(cur), {}};
  for (auto it = found.rbegin(); it != found.rend(); ++it)
    out.sparse.insert(out.sparse.end(), it->begin(), it->end());
  return out;
}

} // namespace

std::vector<fr> poseidon_round_constants(unsigned arity) {
  const unsigned t = arity + 1;
  const unsigned partial = partial_rounds_of(arity);
  grain_lfsr grain(t, 8, partial);
  std::vector<fr> out(std::size_t(8 + partial) * t);
  for (auto& x : out)
    x = grain.element();
  return out;
}

poseidon_constants make_poseidon_constants(unsigned arity) {
  poseidon_constants c;
  c.arity = arity;
  c.width = arity + 1;
  c.partial_rounds = partial_rounds_of(arity);
  const matrix m = cauchy(c.width);
  c.mds = m.cell;
  c.compressed = compress(poseidon_round_constants(arity), m, c.partial_rounds);
  auto form = factor(m, c.partial_rounds);
  c.pre_sparse = std::move(form.pre_sparse.cell);
  c.sparse = std::move(form.sparse);
  for (unsigned j = 0; j < c.width; ++j)
    for (unsigned i = 0; i < c.width; ++i)
      c.pre_sparse_columns.push_back(c.pre_sparse_at(i, j));
  return c;
}

const poseidon_constants& poseidon_table(unsigned arity) {
  // Pure functions of the arity, so sharing them hides no state.
  switch (arity) {
  case 2: {
    static const auto table = make_poseidon_constants(2);
    return table;
  }
  case 4: {
    static const auto table = make_poseidon_constants(4);
    return table;
  }
  case 8: {
    static const auto table = make_poseidon_constants(8);
    return table;
  }
  case 11: {
    static const auto table = make_poseidon_constants(11);
    return table;
  }
  default: {
    static const auto table = make_poseidon_constants(16);
    return table;
  }
  }
}

fr poseidon_merkle_tag(unsigned arity) {
  return fr::from_u64((std::uint64_t(1) << arity) - 1);
}

fr poseidon_random_tag() {
  return fr::from_u64(std::uint64_t(1) << 40);
}

} // namespace cuzk
