#include "groth16/matrix_file.hpp"

#include "circuits/catalog.hpp"
#include "circuits/known_digests.hpp"
#include "groth16/checked_files.hpp"
#include "math/hash/blake2.hpp"

#include <bit>
#include <cstring>

namespace cuzk::groth16 {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t head_bytes = 4096, alignment = 64;
constexpr std::size_t sections = 21;

struct head {
  char magic[8] = {'c', 'u', 'z', 'k', 'm', 't', 'x', '1'};
  std::uint32_t version = 1;
  std::uint32_t column_bits = 0;
  digest hash{};
  std::uint32_t inputs = 0, fields = 0, bits = 0;
  std::uint32_t a_inputs = 0, a_aux = 0, b_inputs = 0, b_aux = 0, unused = 0;
  std::uint64_t circuit_rows = 0;
  std::uint64_t count[sections] = {};
  digest content{};
  digest self{}; ///< of all before it
};
static_assert(sizeof(head) == 8 + 8 + 32 + 32 + 8 + 8 * sections + 64 && sizeof(head) <= head_bytes);

/// Calls f(span) for every array, in the order of the file.
template <class Matrices, class F>
void each_array(Matrices& m, const F& f) {
  f(m.coefficients);
  for (auto* side : {&m.a, &m.b, &m.c}) {
    f(side->row_lengths);
    f(side->block_entry);
    f(side->block_long);
    f(side->long_rows);
    f(side->columns);
    f(side->codes);
  }
  f(m.a_density.mask);
  f(m.b_density.mask);
}

template <class T>
byte_view bytes_of(const T* data, std::size_t count) {
  return {reinterpret_cast<const std::uint8_t*>(data), count * sizeof(T)};
}

digest digest_of(std::initializer_list<byte_view> parts) {
  blake2b hash(sizeof(digest));
  for (const auto& part : parts)
    hash.update(part);
  digest out;
  hash.finish(out);
  return out;
}
digest self_digest(const head& h) {
  return digest_of({bytes_of(reinterpret_cast<const std::uint8_t*>(&h), offsetof(head, self))});
}

std::size_t padding(std::size_t size) {
  return (alignment - size % alignment) % alignment;
}

head head_of(const matrices& m) {
  head h;
  h.column_bits = m.column_bits;
  h.hash = m.hash;
  h.inputs = m.wires.inputs;
  h.fields = m.wires.fields;
  h.bits = m.wires.bits;
  h.a_inputs = m.a_density.inputs;
  h.a_aux = m.a_density.aux;
  h.b_inputs = m.b_density.inputs;
  h.b_aux = m.b_density.aux;
  h.circuit_rows = m.circuit_rows;
  std::size_t i = 0;
  each_array(m, [&](const auto& array) { h.count[i++] = array.size(); });
  return h;
}

error refusal(const std::string& path, const char* why) {
  return {errc::params, why, path};
}

// Lays the arrays over the file. False when they and the file are not of one size.
bool lay_over(matrices& m, const head& h, byte_view file) {
  std::size_t at = head_bytes, i = 0;
  bool fits = true;
  each_array(m, [&](auto& array) {
    using T = typename std::remove_reference_t<decltype(array)>::element_type;
    const std::uint64_t count = h.count[i++];
    if (!fits || count > (file.size() - at) / sizeof(T)) {
      fits = false;
      return;
    }
    array = {reinterpret_cast<T*>(file.data() + at), count};
    at += array.size_bytes();
    at += std::min(padding(array.size_bytes()), file.size() - at);
  });
  return fits && at == file.size();
}

bool sound(const sparse_matrix& side, const matrices& m) {
  const std::uint64_t blocks = (side.rows() + sparse_matrix::rows_per_block - 1) / sparse_matrix::rows_per_block;
  if (side.rows() != m.circuit_rows || side.block_entry.size() != blocks + 1 || side.block_long.size() != blocks + 1 ||
      side.codes.size() != side.columns.size())
    return false;
  std::uint64_t entry = 0, longs = 0;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    if (side.block_entry[b] != entry || side.block_long[b] != longs)
      return false;
    const auto end = std::min<std::uint64_t>(side.rows(), (b + 1) * sparse_matrix::rows_per_block);
    for (auto row = b * sparse_matrix::rows_per_block; row < end; ++row) {
      if (side.row_lengths[row] != sparse_matrix::long_row) {
        entry += side.row_lengths[row];
      } else {
        if (longs == side.long_rows.size())
          return false;
        entry += side.long_rows[longs++];
      }
    }
  }
  if (entry != side.entries() || side.block_entry[blocks] != entry || longs != side.long_rows.size() ||
      side.block_long[blocks] != longs)
    return false;
  for (std::uint64_t e = 0; e < entry; ++e)
    if (m.wire_of(side.columns[e]) >= m.wires.total() ||
        m.code_of(side.columns[e], side.codes[e]) >= m.coefficients.size())
      return false;
  return true;
}

/// Whether no index in the arrays leads out of another.
bool sound(const matrices& m) {
  const std::uint64_t words = (std::uint64_t{m.wires.total()} + 63) / 64;
  if (m.column_bits == 0 || m.column_bits > 32 || m.a_density.mask.size() != words || m.b_density.mask.size() != words)
    return false;
  for (const auto& c : m.coefficients)
    if (fr::from_int(c.to_int()) != c)
      return false;
  return sound(m.a, m) && sound(m.b, m) && sound(m.c, m);
}

bool is_of(const head& h, const matrix_key& expected) {
  return h.hash == expected.hash && h.inputs == expected.wires.inputs && h.fields == expected.wires.fields &&
         h.bits == expected.wires.bits && h.circuit_rows == expected.circuit_rows;
}

matrices from_head(const head& h) {
  matrices m;
  m.wires = {h.inputs, h.fields, h.bits};
  m.circuit_rows = h.circuit_rows;
  m.column_bits = h.column_bits;
  m.hash = h.hash;
  m.a_density.inputs = h.a_inputs;
  m.a_density.aux = h.a_aux;
  m.b_density.inputs = h.b_inputs;
  m.b_density.aux = h.b_aux;
  return m;
}

} // namespace

status write_matrices(const matrices& m, const std::string& path) {
  CUZK_TRY(file, file_writer::create(path));
  const bytes nothing(head_bytes, 0);
  CUZK_CHECK(file.append(nothing));
  blake2b hash(sizeof(digest));
  status outcome = ok();
  const auto put = [&](byte_view data) {
    hash.update(data);
    if (outcome)
      outcome = file.append(data);
  };
  each_array(m, [&](const auto& array) {
    put(bytes_of(array.data(), array.size()));
    put(byte_view(nothing).first(padding(array.size_bytes())));
  });
  CUZK_CHECK(std::move(outcome));
  auto h = head_of(m);
  hash.finish(h.content);
  h.self = self_digest(h);
  CUZK_CHECK(file.write_at(0, bytes_of(&h, 1)));
  return file.commit();
}

result<matrices> read_matrices(const std::string& path, const matrix_key& expected, const std::string& memory_path) {
  CUZK_TRY(opened, mapped_file::open(path));
  const auto file = std::make_shared<const mapped_file>(std::move(opened));
  head h;
  if (file->bytes().size() < head_bytes)
    return refusal(path, "is shorter than its head");
  std::memcpy(&h, file->bytes().data(), sizeof h);
  if (std::memcmp(h.magic, head{}.magic, sizeof h.magic) != 0 || h.version != head{}.version)
    return refusal(path, "is not a file of matrices of this version");
  if (h.self != self_digest(h))
    return refusal(path, "has a damaged head");
  if (!is_of(h, expected))
    return refusal(path, "holds the rows of another circuit");
  auto m = from_head(h);
  if (!lay_over(m, h, file->bytes()))
    return refusal(path, "does not have the size that its head says");
  auto memory = checked_files::read(memory_path);
  const auto name = to_hex(byte_view(h.content).first(16));
  if (memory.digest_of(file->stamp()) != name) {
    if (digest_of({file->bytes().subspan(head_bytes)}) != h.content || !sound(m))
      return refusal(path, "is damaged");
    if (!memory_path.empty())
      static_cast<void>(memory.remember(file->stamp(), name)); // a memo, as for keys
  }
  m.owner = file;
  return m;
}

result<std::shared_ptr<const circuit>> load_circuit(const circuits::circuit& text, const std::string& cache_dir) {
  const auto known = circuits::known_digest(text.name());
  const auto path = cache_dir + "/" + to_string(text.name()) + ".matrices";
  if (known) {
    const matrix_key expected{text.wires().counts(), text.size().rows, *known};
    if (auto kept = read_matrices(path, expected, cache_dir + "/checked-files"))
      return make_circuit(to_string(text.name()), text.wires(), *std::move(kept));
  }
  CUZK_TRY(built, read_circuit(text));
  static_cast<void>(write_matrices(built->matrices, path));
  return built;
}

} // namespace cuzk::groth16
