// Keys, derived keys and matrices: files of another maker, or damaged ones of ours.
#include "groth16/derived_key.hpp"
#include "groth16/key_check.hpp"
#include "groth16/matrix_file.hpp"
#include "math/hash/blake2.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/groth16/toy_circuits.hpp"
#include "tests/support/temp_dir.hpp"

#include <cstring>

namespace cuzk::fuzz {
namespace {

using namespace groth16;

thread_pool& pool() {
  static thread_pool one(1);
  return one;
}

/// The circuit x^3 + x + 5 with its key files.
struct cube_files {
  std::shared_ptr<const circuit> shape = test::circuit_of_vectors("cube").shape;
  bytes params, vk, derived, matrices;

  cube_files() {
    const test::temp_dir dir;
    const key_paths paths{dir / "p", dir / "v", dir / "d"};
    const auto made = generate_key(*shape, toxic_of_seed(1), paths, {pool()});
    expect(made.has_value(), "no key of the cube circuit");
    expect(write_matrices(shape->matrices, dir / "m").has_value(), "no matrices of the cube circuit");
    params = test::read_file(paths.params);
    vk = test::read_file(paths.vk);
    derived = test::read_file(paths.derived);
    matrices = test::read_file(dir / "m");
  }
  static const cube_files& get() {
    static const cube_files files;
    return files;
  }
};

void run_vk(byte_view input) {
  const auto vk = read_verifying_key(input, "fuzz.vk");
  if (!vk)
    return expect_refusal(vk.err(), {errc::params});
  const auto again = write_verifying_key(*vk);
  expect(std::equal(again.begin(), again.end(), input.begin(), input.end()), "a vk that is written otherwise");
}
std::vector<bytes> vk_seeds() {
  return {cube_files::get().vk, test::read_file(test::vector_path("groth16/update-2k.vk"))};
}

void run_params(byte_view input) {
  const memory_file file(input);
  const auto key = proving_key::open_alone(file.path());
  if (!key)
    return expect_refusal(key.err(), {errc::params});
  if (const auto checked = check_key(**key, {pool(), ""}); !checked)
    expect_refusal(checked.err(), {errc::params});
}
std::vector<bytes> params_seeds() {
  return {cube_files::get().params, test::read_file(test::vector_path("groth16/mixed.params"))};
}

void run_derived(byte_view input) {
  const auto& cube = cube_files::get();
  const memory_file file(input);
  const auto key = derived_key::open(file.path(), header_for(*cube.shape, cube.vk));
  if (!key)
    return expect_refusal(key.err(), {errc::params});
  expect(input.size() == key->header().file_bytes(), "a derived key of another size");
  expect(key->g().count == cube.shape->domain(), "a derived key of another domain");
}
std::vector<bytes> derived_seeds() {
  return {cube_files::get().derived};
}

digest digest_of(byte_view data) {
  blake2b hash(sizeof(digest));
  hash.update(data);
  digest out;
  hash.finish(out);
  return out;
}

/// The input is a list of changes to a good file: place (4 bytes little endian), byte. The last two bytes are added to
/// its length. Both digests are made right again, so that the structure behind them is what is tested.
bytes changed_matrices(byte_view input) {
  constexpr std::size_t head = 4096, content_at = 256, self_at = 288;
  bytes file = cube_files::get().matrices;
  if (input.size() % 5 == 2) {
    const auto grow = static_cast<std::int16_t>(input[input.size() - 2] | input[input.size() - 1] << 8);
    file.resize(static_cast<std::size_t>(std::max<std::int64_t>(head, static_cast<std::int64_t>(file.size()) + grow)));
  }
  for (std::size_t i = 0; i + 5 <= input.size(); i += 5) {
    std::uint32_t at;
    std::memcpy(&at, input.data() + i, 4);
    file[at % file.size()] ^= input[i + 4];
  }
  const auto content = digest_of(byte_view(file).subspan(head));
  std::memcpy(file.data() + content_at, content.data(), content.size());
  const auto self = digest_of(byte_view(file).first(self_at));
  std::memcpy(file.data() + self_at, self.data(), self.size());
  return file;
}

void walk(const sparse_matrix& side, const matrices& m) {
  for_each_row(side, 0, side.blocks(), [&](std::uint64_t row, const row_view& entries) {
    expect(row < m.circuit_rows, "a row too many");
    for (std::size_t e = 0; e < entries.columns.size(); ++e) {
      expect(m.wire_of(entries.columns[e]) < m.wires.total(), "a wire that is not there");
      expect(m.code_of(entries.columns[e], entries.codes[e]) < m.coefficients.size(),
             "a coefficient that is not there");
    }
  });
}

void run_matrices(byte_view input) {
  const auto& m = cube_files::get().shape->matrices;
  const memory_file file(changed_matrices(input));
  const auto read = read_matrices(file.path(), {m.wires, m.circuit_rows, m.hash}, "");
  if (!read)
    return expect_refusal(read.err(), {errc::params});
  for (const auto* side : {&read->a, &read->b, &read->c})
    walk(*side, *read);
  for (std::uint32_t w = 0; w < read->wires.total(); ++w)
    static_cast<void>(read->a_density.has(w) && read->b_density.has(w));
}
std::vector<bytes> matrices_seeds() {
  std::vector<bytes> out{{}};
  for (std::size_t at = 0; at < 320; at += 4) // every field of the head, a little off
    out.push_back({static_cast<std::uint8_t>(at), static_cast<std::uint8_t>(at >> 8), 0, 0, 1});
  for (std::size_t at = 4096; at < cube_files::get().matrices.size(); at += 8)
    out.push_back({static_cast<std::uint8_t>(at), static_cast<std::uint8_t>(at >> 8), 0, 0, 0x81});
  out.push_back({0xc0, 0xff});
  return out;
}

constexpr target targets[] = {
  {"vk", run_vk, vk_seeds, 1 << 20, 16},
  {"params", run_params, params_seeds, 8 << 20, 64},
  {"derived", run_derived, derived_seeds, 1 << 20, 4},
  {"matrices", run_matrices, matrices_seeds, 1 << 20, 64},
};

} // namespace

std::span<const target> file_targets() {
  return targets;
}

} // namespace cuzk::fuzz
