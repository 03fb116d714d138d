// Row values of made-up compact matrices against a plain loop on the host.
#include "cuda/evaluate/evaluate.hpp"
#include "tests/gpu/support.cuh"

using namespace cuzk;
using namespace cuzk::cuda;
using namespace cuzk::cuda::test;

namespace {

struct example {
  std::uint32_t inputs, fields, bits;
  unsigned column_bits;
  std::vector<std::uint8_t> row_lengths, codes;
  std::vector<std::uint64_t> block_entry;
  std::vector<std::uint32_t> block_long, long_rows, columns, words;
  std::vector<fr> coefficients, values, want;

  fr wire(std::uint32_t w) const {
    if (w < inputs + fields)
      return values[w];
    const std::uint32_t i = w - inputs - fields;
    return words[i / 32] >> (i % 32) & 1 ? fr::one() : fr::zero();
  }
};

/// Rows of many lengths: none, a few, those a warp shares, those the byte cannot hold; codes beyond a byte.
example make_example(std::uint64_t rows, std::uint32_t inputs, std::uint32_t fields, std::uint32_t bits, bool wide) {
  example x{inputs, fields, bits, wide ? 28u : 32u};
  const std::uint32_t wires = inputs + fields + bits, count = wide ? 900 : 200;
  for (std::uint32_t i = 0; i < count; ++i)
    x.coefficients.push_back(i == 0 ? fr::one() : i == 1 ? -fr::one() : random_fr(3, i));
  for (std::uint32_t i = 0; i < inputs + fields; ++i)
    x.values.push_back(random_fr(4, i));
  for (std::uint32_t i = 0; i < (bits + 31) / 32; ++i)
    x.words.push_back(static_cast<std::uint32_t>(mix(i + 9)));
  for (std::uint64_t row = 0; row < rows; ++row) {
    if (row % 256 == 0) {
      x.block_entry.push_back(x.columns.size());
      x.block_long.push_back(static_cast<std::uint32_t>(x.long_rows.size()));
    }
    const std::uint64_t draw = mix(row + 77);
    const std::uint32_t length = draw % 97 == 0   ? 255 + draw % 600
                                 : draw % 31 == 0 ? 40 + draw % 200
                                                  : static_cast<std::uint32_t>(draw % 7);
    x.row_lengths.push_back(static_cast<std::uint8_t>(length < 255 ? length : 255));
    if (length >= 255)
      x.long_rows.push_back(length);
    fr sum = fr::zero();
    for (std::uint32_t e = 0; e < length; ++e) {
      const std::uint64_t pick = mix(row * 1000 + e);
      const std::uint32_t wire = pick % wires, code = (pick >> 40) % 4 < 3 ? (pick >> 32) % 2 : (pick >> 32) % count;
      x.columns.push_back(wire | (wide ? code >> 8 << 28 : 0));
      x.codes.push_back(static_cast<std::uint8_t>(code));
      sum += x.wire(wire) * x.coefficients[code];
    }
    x.want.push_back(sum);
  }
  x.block_entry.push_back(x.columns.size());
  x.block_long.push_back(static_cast<std::uint32_t>(x.long_rows.size()));
  x.columns.push_back(0); // arrays are never empty
  x.codes.push_back(0);
  x.long_rows.push_back(0);
  return x;
}

void check_example(report& r, const example& x, bool inputs_occur, const std::string& what) {
  const stream s = need(stream::create());
  const array<std::uint8_t> lengths(x.row_lengths), codes(x.codes);
  const array<std::uint64_t> entry(x.block_entry);
  const array<std::uint32_t> block_long(x.block_long), long_rows(x.long_rows), columns(x.columns), words(x.words);
  const array<fr> coefficients(x.coefficients), values(x.values);
  const std::uint64_t rows = x.want.size(), size = rows + x.inputs + 5;
  const array<fr> out(size);
  need(fill_bytes(out.get(), 0xa5, size * sizeof(fr), s.get()));
  const device_matrix m{lengths.get(), entry.get(), block_long.get(), long_rows.get(),   columns.get(),
                        codes.get(),   rows,        x.column_bits,    coefficients.get()};
  const device_witness w{values.get(), words.get(), x.inputs + x.fields};
  need(queue_evaluate(m, w, x.inputs, inputs_occur, out.get(), size, s.get()));
  finish(s.get());
  const auto got = out.read(size);
  std::size_t bad = 0;
  for (std::uint64_t i = 0; i < size; ++i) {
    const bool is_input = i >= rows && i < rows + x.inputs && inputs_occur;
    bad += got[i] != (i < rows ? x.want[i] : is_input ? x.values[i - rows] : fr::zero());
  }
  r.check(bad == 0, what + ": " + std::to_string(bad) + " of " + std::to_string(size));
  r.check(!queue_evaluate(m, w, x.inputs, true, out.get(), rows, s.get()), what + ": too short an output is refused");
}

} // namespace

int main() {
  first_device();
  report r;
  check_example(r, make_example(1, 1, 1, 1, false), true, "one row");
  check_example(r, make_example(255, 3, 20, 500, false), false, "a short block");
  check_example(r, make_example(256, 3, 20, 500, true), true, "a whole block");
  check_example(r, make_example(20011, 17, 900, 40001, true), true, "many blocks, wide codes");
  check_example(r, make_example(20011, 17, 900, 40001, false), false, "many blocks");
  return r.status("evaluate");
}
